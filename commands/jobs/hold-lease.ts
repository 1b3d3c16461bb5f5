import { type Lease, type LeaseStore } from '../../domain/ports/lease-store';

export interface LeasePorts {
  readonly leases: LeaseStore;
  /** Milliseconds of a monotonic clock. */
  readonly monotonicMs: () => number;
  /** Waits, unless the signal aborts first. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Called with a failure that will be retried. */
  readonly onError: (what: string, error: unknown) => void;
}

/**
 * Duration of a lease, and the intervals of renewals and acquisition attempts. Another replica replaces a killed holder
 * after at most `lastsMs` + `askEveryMs` and a round trip.
 */
export const LEASE_TIMING = { lastsMs: 9_000, renewEveryMs: 2_000, askEveryMs: 2_000, marginMs: 1_000 };

/**
 * Runs the work whenever this replica holds the lease, until `signal` aborts. The signal of the work aborts when the
 * lease is lost, or may be lost because renewals fail; when the work has ended, the lease is requested again.
 */
export const runUnderLease = async (
  ports: LeasePorts,
  name: string,
  owner: string,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  while (!signal.aborted) {
    const askedAt = ports.monotonicMs();
    const lease = await ports.leases.acquire(name, owner, LEASE_TIMING.lastsMs / 1000).catch((error: unknown) => {
      ports.onError(`acquiring the lease ${name}`, error);
      return null;
    });
    if (lease === null) {
      await ports.pause(LEASE_TIMING.askEveryMs, signal);
      continue;
    }
    await hold(ports, lease, askedAt, work, signal);
  }
};

const hold = async (
  ports: LeasePorts,
  lease: Lease,
  heldSince: number,
  work: (lease: Lease, signal: AbortSignal) => Promise<void>,
  signal: AbortSignal,
): Promise<void> => {
  const [lost, over] = [new AbortController(), new AbortController()];
  const both = AbortSignal.any([signal, lost.signal]);
  const working = work(lease, both)
    .catch((error: unknown) => ports.onError(`the work under the lease ${lease.name}`, error))
    .finally(() => over.abort());
  await keep(ports, lease, heldSince, AbortSignal.any([both, over.signal]), () => lost.abort());
  await working;
  if (lost.signal.aborted) return;
  await ports.leases.release(lease).catch((error: unknown) => ports.onError(`releasing ${lease.name}`, error));
};

/** Renews the lease until stopped. Calls `onLost` as soon as another replica may hold the lease. */
const keep = async (
  ports: LeasePorts,
  lease: Lease,
  heldSince: number,
  end: AbortSignal,
  onLost: () => void,
): Promise<void> => {
  const { lastsMs, renewEveryMs, marginMs } = LEASE_TIMING;
  let confirmedAt = heldSince;
  const remainingMs = (): number => confirmedAt + lastsMs - marginMs - ports.monotonicMs();
  for (;;) {
    await ports.pause(Math.min(renewEveryMs, remainingMs()), end);
    if (end.aborted) return;
    const askedAt = ports.monotonicMs();
    const renewal = ports.leases.renew(lease, lastsMs / 1000).catch((error: unknown) => {
      ports.onError(`renewing the lease ${lease.name}`, error);
      return null;
    });
    // The expiry is checked independently of the store, which may not answer.
    const answered = new AbortController();
    const renewed = await Promise.race([renewal, ports.pause(remainingMs(), answered.signal).then(() => null)]);
    answered.abort();
    if (renewed === true) confirmedAt = askedAt;
    if (renewed === false || remainingMs() <= 0) return onLost();
  }
};
