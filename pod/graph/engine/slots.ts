/** A right to run one query. */
export interface Slot {
  /** Removes it from its caller's quota, although it is still in use. */
  readonly releaseQuota: () => void;
  readonly release: () => void;
}

interface Waiting {
  readonly caller: string;
  readonly sinceMs: number;
  readonly settle: (slot: Slot | null) => void;
}

export const MAX_QUERIES_AT_ONCE = 8;
const MAX_QUERIES_OF_ONE_CALLER = 6;

/**
 * Limits the number of running queries, in total and per caller, so that some slots are always left for other callers.
 * First come, first served, but no caller twice while others wait.
 */
export class Slots {
  /** In the order of `take`. */
  private readonly waiting = new Set<Waiting>();
  private readonly inUse = new Map<string, number>();
  private lastCaller: string | null = null;

  constructor(
    private free = MAX_QUERIES_AT_ONCE,
    private readonly quota = MAX_QUERIES_OF_ONE_CALLER,
  ) {}

  /** Null after `maxMs`, or when `disconnected` aborts. */
  take(caller: string, maxMs: number, disconnected: AbortSignal): Promise<Slot | null> {
    if (disconnected.aborted) return Promise.resolve(null);
    const slot = this.tryTake(caller);
    if (slot !== null) return Promise.resolve(slot);
    return new Promise((resolve) => {
      const settle = (given: Slot | null): void => {
        clearTimeout(timer);
        disconnected.removeEventListener('abort', cancel);
        this.waiting.delete(waiting);
        resolve(given);
      };
      const cancel = (): void => settle(null);
      const timer = setTimeout(cancel, maxMs);
      disconnected.addEventListener('abort', cancel);
      const waiting = { caller, sinceMs: performance.now(), settle };
      this.waiting.add(waiting);
    });
  }

  /** Start of the wait of the first caller within its quota; null if none waits. */
  waitingSinceMs(): number | null {
    for (const { caller, sinceMs } of this.waiting) if (this.heldBy(caller) < this.quota) return sinceMs;
    return null;
  }

  private tryTake(caller: string): Slot | null {
    if (this.free === 0 || this.heldBy(caller) >= this.quota) return null;
    this.free--;
    this.inUse.set(caller, this.heldBy(caller) + 1);
    this.lastCaller = caller;
    const releaseQuota = once(() => {
      this.inUse.set(caller, this.heldBy(caller) - 1);
      if (this.heldBy(caller) === 0) this.inUse.delete(caller);
      this.grantWaiting();
    });
    const release = once(() => {
      this.free++;
      releaseQuota();
      this.grantWaiting();
    });
    return { releaseQuota, release };
  }

  private grantWaiting(): void {
    const isLast = ({ caller }: Waiting): boolean => caller === this.lastCaller;
    const all = [...this.waiting];
    for (const { caller, settle } of [...all.filter((each) => !isLast(each)), ...all.filter(isLast)]) {
      const slot = this.tryTake(caller);
      if (slot === null) continue;
      settle(slot);
      return this.grantWaiting();
    }
  }

  private heldBy(caller: string): number {
    return this.inUse.get(caller) ?? 0;
  }
}

const once = (action: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
};
