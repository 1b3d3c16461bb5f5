import { type Either, isLeft, left } from 'fp-ts/Either';
import { type QueryFailure } from '../graph-engine';
import { type QueryEnd } from './query-end';

/**
 * All queries share the limit of memory, so a query can find it filled by another one: it is repeated when a query that
 * began before it has ended, and fails for memory at its timeout.
 */
export class SharedMemory {
  /** Each resolves when its memory is free. */
  private readonly users = new Set<Promise<unknown>>();

  async run<A>(attempt: () => Promise<Either<QueryFailure, A>>, end: QueryEnd): Promise<Either<QueryFailure, A>> {
    const earlier = new Set(this.users);
    const ended = this.repeated(attempt, earlier, end);
    this.uses(ended);
    return ended;
  }

  /** Counts rows that are still read. */
  uses(ended: Promise<unknown>): void {
    const user: Promise<unknown> = ended.finally(() => this.users.delete(user));
    this.users.add(user);
  }

  private async repeated<A>(
    attempt: () => Promise<Either<QueryFailure, A>>,
    earlier: Set<Promise<unknown>>,
    { signal, failure }: QueryEnd,
  ): Promise<Either<QueryFailure, A>> {
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    for (;;) {
      const answer = await attempt();
      if (!isLeft(answer) || answer.left.kind !== 'memory' || earlier.size === 0) return answer;
      await Promise.race([...earlier, aborted]);
      for (const user of earlier) if (!this.users.has(user)) earlier.delete(user);
      const end = failure();
      if (end !== null) return end.kind === 'timeout' ? answer : left(end);
    }
  }
}
