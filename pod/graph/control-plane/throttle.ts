import { type LoadProgress } from '../loading/load-progress';

/** Sends the newest value at most once per interval, and one at a time; the last one is never lost. */
export class Throttle<A> {
  private waiting: { readonly value: A } | null = null;
  private timer: NodeJS.Timeout | undefined;
  private lastSentAt = -Infinity;
  private sending: Promise<unknown> = Promise.resolve();

  /** `isDue`: whether a value that waits is sent at once, before the next one replaces it. */
  constructor(
    private readonly intervalMs: number,
    private readonly send: (value: A) => Promise<unknown>,
    private readonly isDue: (waiting: A, next: A) => boolean = () => false,
  ) {}

  push(value: A): void {
    if (this.waiting !== null && this.isDue(this.waiting.value, value)) void this.flush();
    this.waiting = { value };
    this.timer ??= setTimeout(
      () => void this.flush(),
      Math.max(0, this.lastSentAt + this.intervalMs - performance.now()),
    );
  }

  /** Sends what waits; resolves when everything has been sent. */
  flush(): Promise<unknown> {
    if (this.waiting !== null) {
      const { value } = this.waiting;
      this.lastSentAt = performance.now();
      this.sending = this.sending.then(() => this.send(value));
    }
    this.drop();
    return this.sending;
  }

  /** Forgets what waits. */
  drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.waiting = null;
  }
}

/** Twice a second the newest state of a load, and the last state of every phase. */
export const throttleProgress = (send: (progress: LoadProgress) => Promise<unknown>): Throttle<LoadProgress> =>
  new Throttle(500, send, (waiting, next) => waiting.phase !== next.phase);

/** Once in five seconds that there was activity. */
export const throttleActivity = (send: () => Promise<unknown>): Throttle<void> => new Throttle(5_000, send);
