/** Limits the requests of one replica to a rate, with a burst after a pause. Times are milliseconds of `performance.now`. */
export class RequestBudget {
  private nextAt = 0;
  private pausedUntil = 0;

  constructor(
    private readonly perSecond: number,
    private readonly burst: number,
  ) {}

  /** Takes a turn, and returns how many milliseconds to wait for it; null if that exceeds `atMostMs`: no turn is taken. */
  take(atMostMs: number): number | null {
    const now = performance.now();
    const intervalMs = 1000 / this.perSecond;
    const waitMs = Math.max(0, this.nextAt - (this.burst - 1) * intervalMs - now, this.pausedUntil - now);
    if (waitMs > atMostMs) return null;
    this.nextAt = Math.max(this.nextAt, now) + intervalMs;
    return waitMs;
  }

  /** The server asked for a pause: no request starts before it is over. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
  }
}
