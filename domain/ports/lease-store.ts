/** A lease as its holder knows it. Every taking has a higher epoch than all before it. */
export interface Lease {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number;
}

/**
 * Who of several replicas does a work that only one may do. Time is that of the store, so that the clocks of the
 * replicas do not matter. Calls reject when the store is away.
 */
export interface LeaseStore {
  /** Takes a lease that is free or has expired; null while it is taken. */
  acquire(name: string, owner: string, seconds: number): Promise<Lease | null>;
  /** Holds it for so many seconds from now; false when it is lost. */
  renew(lease: Lease, seconds: number): Promise<boolean>;
  /** Gives it back; one that is lost already is not an error. */
  release(lease: Lease): Promise<void>;
}
