/** A held lease. Every acquisition has a higher epoch than all earlier ones. */
export interface Lease {
  readonly name: string;
  readonly owner: string;
  readonly epoch: number;
}

/**
 * Leases, by which one of several replicas does a task exclusively. Time is that of the store, so that the clocks of
 * the replicas do not matter. Calls reject when the store is unavailable.
 */
export interface LeaseStore {
  /** Acquires a lease that is free or expired; null while it is held. */
  acquire(name: string, owner: string, seconds: number): Promise<Lease | null>;
  /** Renews the lease for this number of seconds from now; false when it is lost. */
  renew(lease: Lease, seconds: number): Promise<boolean>;
  /** Releases the lease; a lost lease is not an error. */
  release(lease: Lease): Promise<void>;
}
