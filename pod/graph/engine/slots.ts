/** A right to run one query. */
export interface Slot {
  /** It no longer counts in its caller's quota, although it is not free yet. */
  readonly releaseQuota: () => void;
  readonly release: () => void;
}

interface Waiting {
  readonly caller: string;
  readonly sinceMs: number;
  readonly settle: (slot: Slot | null) => void;
}

/** Limits the running queries, and those of one caller, so that some slots are always left for others. */
export class Slots {
  private readonly held = new Map<string, number>();
  /** In the order of `take`. */
  private readonly waiting = new Set<Waiting>();

  constructor(
    private free: number,
    private readonly quota: number,
  ) {}

  /**
   * A slot as soon as one is free and the caller is below its quota, first come, first served; null after `maxMs`, or
   * when `gone` aborts.
   */
  take(caller: string, maxMs: number, gone: AbortSignal): Promise<Slot | null> {
    if (gone.aborted) return Promise.resolve(null);
    const slot = this.takeNow(caller);
    if (slot !== null) return Promise.resolve(slot);
    return new Promise((resolve) => {
      const settle = (granted: Slot | null): void => {
        clearTimeout(timer);
        gone.removeEventListener('abort', giveUp);
        this.waiting.delete(waiting);
        resolve(granted);
      };
      const giveUp = (): void => settle(null);
      const timer = setTimeout(giveUp, maxMs);
      gone.addEventListener('abort', giveUp);
      const waiting = { caller, sinceMs: performance.now(), settle };
      this.waiting.add(waiting);
    });
  }

  /** Since when a caller below its quota waits for a free slot; null when none does. */
  waitingSinceMs(): number | null {
    for (const { caller, sinceMs } of this.waiting) if (this.heldBy(caller) < this.quota) return sinceMs;
    return null;
  }

  private takeNow(caller: string): Slot | null {
    if (this.free === 0 || this.heldBy(caller) >= this.quota) return null;
    this.free--;
    this.held.set(caller, this.heldBy(caller) + 1);
    const releaseQuota = once(() => {
      this.held.set(caller, this.heldBy(caller) - 1);
      if (this.heldBy(caller) === 0) this.held.delete(caller);
      this.grant();
    });
    const release = once(() => {
      this.free++;
      releaseQuota();
      this.grant();
    });
    return { releaseQuota, release };
  }

  private heldBy(caller: string): number {
    return this.held.get(caller) ?? 0;
  }

  private grant(): void {
    for (const { caller, settle } of this.waiting) {
      const slot = this.takeNow(caller);
      if (slot !== null) settle(slot);
      else if (this.free === 0) return;
    }
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
