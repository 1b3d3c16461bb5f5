/**
 * Tells waiting readers that there may be something new. Counting makes a lost wake-up impossible: who notes the
 * version before reading is woken at once if something came while it read.
 */
export class FeedSignal {
  private current = 0;
  private readonly waiting = new Set<() => void>();

  get version(): number {
    return this.current;
  }

  notify(): void {
    this.current += 1;
    for (const wake of [...this.waiting]) wake();
  }

  /** Resolves when something came after `version`, when `timeoutMs` have passed, or when `signal` aborts. */
  waitAfter(version: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.current !== version || signal.aborted) return Promise.resolve();
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
