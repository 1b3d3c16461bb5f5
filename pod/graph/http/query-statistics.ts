/** Counts queries for the metrics, and knows how many are running. */
export class QueryStatistics {
  running = 0;
  lastActivityAt: Date;
  private begun = 0;
  private count = 0;
  private totalMs = 0;

  constructor(
    private readonly now: () => Date,
    private readonly onActivity: () => void,
  ) {
    this.lastActivityAt = now();
  }

  /** A query begins; call the result when it has ended, with the time it took. */
  begin(): (durationMs: number) => void {
    this.running++;
    this.begun++;
    this.touch();
    return (durationMs) => {
      this.running--;
      this.count++;
      this.totalMs += durationMs;
      this.touch();
    };
  }

  /** What is measured while no query is under way; null when one is, or begins meanwhile. */
  async atRest<A>(measure: () => Promise<A>): Promise<A | null> {
    if (this.running > 0) return null;
    const { begun } = this;
    const measured = await measure();
    return this.begun === begun ? measured : null;
  }

  /** The instance was used: by a query or an algorithm. */
  touch(): void {
    this.lastActivityAt = this.now();
    this.onActivity();
  }

  /** What happened since the last call. */
  take(): { readonly count: number; readonly averageMs: number } {
    const { count, totalMs } = this;
    this.count = 0;
    this.totalMs = 0;
    return { count, averageMs: count === 0 ? 0 : totalMs / count };
  }
}
