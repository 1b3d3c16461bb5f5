import { type Either, left, right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type Logger } from 'pino';
import { doWhileLeaseHeld, LEASE_TIMING, type LeasePorts } from '../../commands/jobs/hold-lease';
import { JOBS_LEASE } from '../../domain/job';
import { type Lease, type LeaseHolder } from '../../domain/ports/lease-store';
import { leasePorts, replicaInWords } from '../postgres/leases';
import { type StartFailure } from '../system/closers';
import { type Startup } from './startup';

/** Held by a control plane that runs pods as local processes. */
const LOCAL_PODS_LEASE = 'local-pods';
const LOOK_EVERY_MS = 250;

const REPLACED =
  'This control plane was frozen, or cut off from its database, until another one ran the pods in its place. It ends, with its pods.';

/**
 * Lets a control plane that runs pods as local processes be the only one on its database: another one would take them
 * for strays, or load every instance again for itself. Refuses the later one, whichever of the two that is. Waits for
 * the leases of one that was killed to lapse. The lease is given back by the closers. Fails later on, by `fail`, when the
 * local pods have become another's.
 */
export const guardLocalPods = async (
  name: string,
  pool: Pool,
  startup: Startup,
): Promise<Either<StartFailure, void>> => {
  if (startup.settings.podRuntime === 'none') {
    const ports = leasePorts(pool, startup.log);
    const owner = await findLivingHolder(ports, LOCAL_PODS_LEASE, name, new AbortController().signal, startup.log);
    return owner === null ? right(undefined) : left({ message: refusal(owner, 'That one runs') });
  }
  const other = await becomeTheOnlyOne(name, pool, startup);
  if (other === null) return right(undefined);
  return left({ message: refusal(other.holder, other.runsPods ? 'That one runs' : 'This one would run') });
};

/** Another control plane that works on the database. */
interface Other {
  readonly holder: LeaseHolder;
  /** As local processes. */
  readonly runsPods: boolean;
}

/** Keeps every other control plane from starting until the closers run; answers one that is there. */
export const becomeTheOnlyOne = async (
  name: string,
  pool: Pool,
  { closers, log, fail }: Pick<Startup, 'closers' | 'log' | 'fail'>,
): Promise<Other | null> => {
  const ports = leasePorts(pool, log);
  const ending = new AbortController();
  const livingHolder = (lease: string) => findLivingHolder(ports, lease, name, ending.signal, log);
  let taken = new AbortController();
  const untilTaken = async (look: () => Promise<LeaseHolder | null>): Promise<LeaseHolder | null> => {
    while (!taken.signal.aborted && !ending.signal.aborted) {
      const other = await look();
      if (other !== null) return other;
      await ports.pause(LOOK_EVERY_MS, AbortSignal.any([taken.signal, ending.signal]));
    }
    return null;
  };
  /** Whoever has the lease after us has loaded the instances for itself, and need not live any more. */
  const successor = (): Promise<LeaseHolder | null> =>
    otherHolder(ports, LOCAL_PODS_LEASE, name).catch((error: unknown) => {
      ports.onTrouble(`looking at the lease ${LOCAL_PODS_LEASE}`, error);
      return null;
    });
  let epoch: number | null = null;
  const onTaken = async (lease: Lease, held: AbortSignal): Promise<void> => {
    if (epoch !== null && lease.epoch > epoch + 1) fail(REPLACED);
    epoch = lease.epoch;
    taken.abort();
    await new Promise((resolve) => held.addEventListener('abort', resolve, { once: true }));
    if (ending.signal.aborted) return;
    taken = new AbortController();
    void untilTaken(successor).then((other) => {
      if (other !== null) fail(`${REPLACED} It is ${replicaInWords(other.owner)}.`);
    });
  };
  const holding = doWhileLeaseHeld(ports, LOCAL_PODS_LEASE, name, onTaken, ending.signal);
  closers.add('local pods', () => {
    ending.abort();
    return holding;
  });
  const owner = await untilTaken(() => livingHolder(LOCAL_PODS_LEASE));
  if (owner !== null) return { holder: owner, runsPods: true };
  const holder = await livingHolder(JOBS_LEASE);
  return holder && { holder, runsPods: false };
};

const otherHolder = async (ports: LeasePorts, lease: string, me: string): Promise<LeaseHolder | null> => {
  const holder = await ports.leases.holder(lease);
  return holder?.owner === me ? null : holder;
};

/** The holder of a lease once it has renewed it, and so lives; null as soon as nobody else holds it. */
const findLivingHolder = async (
  ports: LeasePorts,
  lease: string,
  me: string,
  signal: AbortSignal,
  log: Logger,
): Promise<LeaseHolder | null> => {
  let seen: LeaseHolder | null = null;
  while (!signal.aborted) {
    const holder = await otherHolder(ports, lease, me);
    if (holder === null) return null;
    if (seen?.epoch === holder.epoch && holder.until > seen.until) return holder;
    if (seen === null) {
      log.warn(
        { lease, ...holder },
        `${replicaInWords(holder.owner)} holds the lease ${lease}; waiting up to ${LEASE_TIMING.lastsMs / 1000} s to see whether it still lives`,
      );
    }
    seen = holder;
    await ports.pause(LOOK_EVERY_MS, signal);
  }
  return null;
};

const refusal = ({ owner, since }: LeaseHolder, whoRuns: string): string =>
  `Another control plane works on this database: ${replicaInWords(owner)}, since ${since.toISOString()}. ${whoRuns} pods as local processes (ROWGRAPH_POD_RUNTIME=process), and such a control plane has to be the only one, or they would end each other's pods. Stop one of them, or set ROWGRAPH_POD_RUNTIME=none for all and run the pods elsewhere; see docs/runbooks/replicas.md.`;
