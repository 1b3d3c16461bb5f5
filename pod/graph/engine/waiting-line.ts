interface Waiting<R, T> {
  readonly request: R;
  readonly sinceMs: number;
  readonly settle: (granted: T | null) => void;
}

/** Grants requests as soon as possible: first come, first served, but no caller twice while others wait. */
export abstract class WaitingLine<R, T> {
  /** In the order of `take`. */
  protected readonly waiting = new Set<Waiting<R, T>>();
  private lastCaller: string | null = null;

  /** Null after `maxMs`, or when `disconnected` aborts. */
  take(request: R, maxMs: number, disconnected: AbortSignal): Promise<T | null> {
    if (disconnected.aborted) return Promise.resolve(null);
    const granted = this.grant(request);
    if (granted !== null) return Promise.resolve(granted);
    return new Promise((resolve) => {
      const settle = (given: T | null): void => {
        clearTimeout(timer);
        disconnected.removeEventListener('abort', cancel);
        this.waiting.delete(waiting);
        resolve(given);
      };
      const cancel = (): void => settle(null);
      const timer = setTimeout(cancel, maxMs);
      disconnected.addEventListener('abort', cancel);
      const waiting = { request, sinceMs: performance.now(), settle };
      this.waiting.add(waiting);
    });
  }

  /** Start of the wait of the first entitled request; null if none waits. */
  waitingSinceMs(): number | null {
    for (const { request, sinceMs } of this.waiting) if (this.isEligible(request)) return sinceMs;
    return null;
  }

  protected abstract callerOf(request: R): string;
  /** Whether the request could be granted if no other request was. */
  protected abstract isEligible(request: R): boolean;
  /** The granted resource, if one is available now. */
  protected abstract tryTake(request: R): T | null;

  /** Must be called after every release. */
  protected grantWaiting(): void {
    const isLast = ({ request }: Waiting<R, T>): boolean => this.callerOf(request) === this.lastCaller;
    const all = [...this.waiting];
    for (const one of [...all.filter((each) => !isLast(each)), ...all.filter(isLast)]) {
      const granted = this.grant(one.request);
      if (granted === null) continue;
      one.settle(granted);
      return this.grantWaiting();
    }
  }

  private grant(request: R): T | null {
    const granted = this.tryTake(request);
    if (granted !== null) this.lastCaller = this.callerOf(request);
    return granted;
  }
}

export const once = (action: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
};
