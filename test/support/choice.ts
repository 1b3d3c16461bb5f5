import { createRandom } from '../../pod/graph/algorithms/graph/random';

/** Random choices; the same for the same seed. */
export class Choice {
  private readonly random: () => number;
  constructor(seed: number) {
    this.random = createRandom(seed);
  }
  below(count: number): number {
    return Math.floor(this.random() * count);
  }
  /** True in this percentage of calls. */
  percent(share: number): boolean {
    return this.random() * 100 < share;
  }
  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}
