import { once, WaitingLine } from './waiting-line';

/** A right to run one query. */
export interface Slot {
  /** Removes it from its caller's quota, although it is still in use. */
  readonly releaseQuota: () => void;
  readonly release: () => void;
}

/**
 * Limits the number of running queries, in total and per caller, so that some slots are always left for other callers.
 */
export class Slots extends WaitingLine<string, Slot> {
  private readonly inUse = new Map<string, number>();

  constructor(
    private free: number,
    private readonly quota: number,
  ) {
    super();
  }

  protected callerOf(caller: string): string {
    return caller;
  }

  protected isEligible(caller: string): boolean {
    return this.heldBy(caller) < this.quota;
  }

  protected tryTake(caller: string): Slot | null {
    if (this.free === 0 || !this.isEligible(caller)) return null;
    this.free--;
    this.inUse.set(caller, this.heldBy(caller) + 1);
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

  private heldBy(caller: string): number {
    return this.inUse.get(caller) ?? 0;
  }
}
