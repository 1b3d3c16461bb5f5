import { type Clock } from '../../domain/ports/clock';

interface Sleeper {
  readonly dueMs: number;
  readonly wake: () => void;
}

const BEGIN = Date.UTC(2026, 2, 1, 12);

/** Time that advances only when no work is left at the current moment: hours of it take milliseconds. */
export class SimulatedTime implements Clock {
  private nowMs = BEGIN;
  /** By due time, then in the order in which the sleeps began. */
  private sleepers: Sleeper[] = [];

  now(): Date {
    return new Date(this.nowMs);
  }

  get seconds(): number {
    return (this.nowMs - BEGIN) / 1000;
  }

  /** Resolves after this many seconds, or as soon as one of the wake-ups rings. */
  sleep(seconds: number, ...wakeUps: readonly WakeUp[]): Promise<void> {
    return new Promise((resolve) => {
      const sleeper: Sleeper = {
        dueMs: this.nowMs + seconds * 1000,
        wake: () => {
          this.sleepers = this.sleepers.filter((other) => other !== sleeper);
          for (const wakeUp of wakeUps) wakeUp.forget(sleeper.wake);
          resolve();
        },
      };
      for (const wakeUp of wakeUps) wakeUp.remember(sleeper.wake);
      const behind = this.sleepers.findIndex(({ dueMs }) => dueMs > sleeper.dueMs);
      this.sleepers.splice(behind === -1 ? this.sleepers.length : behind, 0, sleeper);
    });
  }

  /** Advances time by this many seconds, or until the condition holds. */
  async pass(seconds: number, until: () => boolean = () => false): Promise<void> {
    const endMs = this.nowMs + seconds * 1000;
    for (;;) {
      await presentMoment();
      if (until()) return;
      const [next] = this.sleepers;
      if (next === undefined || next.dueMs > endMs) break;
      this.nowMs = next.dueMs;
      next.wake();
    }
    this.nowMs = endMs;
  }
}

/**
 * All code in the simulation waits only for promises, so one turn of the event loop completes all that can continue
 * now.
 */
const presentMoment = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Wakes sleepers. */
export class WakeUp {
  private readonly sleepers = new Set<() => void>();

  remember(wake: () => void): void {
    this.sleepers.add(wake);
  }
  forget(wake: () => void): void {
    this.sleepers.delete(wake);
  }
  ring(): void {
    for (const wake of [...this.sleepers]) wake();
  }
}
