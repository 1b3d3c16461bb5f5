/** Limits the requests of one replica in every second; a quarter of them may start at once. Times are milliseconds of `performance.now`. */
export class RequestBudget {
  private nextAt = 0;
  private pausedUntil = 0;

  constructor(private readonly perSecond: number) {}

  /** Takes a turn, and returns how many milliseconds to wait for it; null if that exceeds `atMostMs`: no turn is taken. */
  take(atMostMs: number): number | null {
    const now = performance.now();
    const burst = Math.ceil(this.perSecond / 4);
    const intervalMs = 1000 / (this.perSecond - burst);
    const waitMs = Math.max(0, this.nextAt - (burst - 1) * intervalMs - now, this.pausedUntil - now);
    if (waitMs > atMostMs) return null;
    this.nextAt = Math.max(this.nextAt, now) + intervalMs;
    return waitMs;
  }

  /** The server asked for a pause: no request starts before it is over. */
  pause(ms: number): void {
    this.pausedUntil = Math.max(this.pausedUntil, performance.now() + ms);
  }
}
