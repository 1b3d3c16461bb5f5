/**
 * Tells waiting readers of the feed that there may be something new. Counting makes a lost wake-up impossible: who
 * notes the count before reading is woken at once if news came in while it read.
 */
export class FeedNews {
  private rung = 0;
  private readonly waiting = new Set<() => void>();

  get count(): number {
    return this.rung;
  }

  announce(): void {
    this.rung += 1;
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves when news came after `count`, when `timeoutMs` have passed, or when `signal` aborts. */
  waitBeyond(count: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.rung !== count || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', wake);
        this.waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      signal.addEventListener('abort', wake);
      this.waiting.add(wake);
    });
  }
}
