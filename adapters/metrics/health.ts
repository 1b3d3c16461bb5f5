import { type Either, isLeft, left } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { type Position, START } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { type ObjectStore } from '../../domain/ports/object-store';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { type CatchUp } from '../../projections/catch-up';
import { type DiskWatch } from '../filesystem/watch-disk';
import { type ComponentPings, healthCheck } from '../http/public/cluster/component-health';
import { databaseErrorText } from '../postgres/database-error';
import { withTimeLimit } from '../system/time-limit';
import { type WriteWatch } from '../system/write-watch';
import { probeObjectStore } from './probe-object-store';

/** Timeout for a store, before the system is not ready. */
const TIMEOUT_MS = 2_000;
/** Timeout for all checks together. */
const READY_WITHIN_MS = 2_500;

/** The log and its display name. */
interface NamedLog {
  readonly store: Pick<EventStore, 'head'>;
  readonly name: string;
  readonly kind: 'postgres' | 'eventstoredb';
}

interface CheckedParts {
  readonly pool: Pool;
  readonly eventLog: NamedLog;
  readonly catchUp: CatchUp;
  readonly waitingReaders: ReadonlyMap<string, string>;
  readonly writes: Pick<WriteWatch, 'failures'>;
  readonly disk: Pick<DiskWatch, 'problem' | 'onFailure'>;
  readonly leases: { readonly trouble: () => string | null };
  readonly podRuntime: PodRuntime;
  readonly queryEngine: EngineInspector;
  readonly objects: ObjectStore;
  readonly replica: string;
}

/**
 * Checks that the stores respond, the last write to them succeeded, leases are renewed, and the read models are up to date; resolves within
 * three seconds with the reasons of failures by name.
 */
export const watchReadiness = ({
  pool,
  eventLog,
  catchUp,
  waitingReaders,
  writes,
  disk,
  leases,
}: Omit<CheckedParts, 'podRuntime' | 'queryEngine' | 'objects' | 'replica'>): (() => Promise<
  Readonly<Record<string, string>>
>) => {
  let head = START;
  const checks = {
    database: healthCheck(() => databaseProblem(pool, writes), TIMEOUT_MS),
    disk: healthCheck(disk.problem, TIMEOUT_MS),
    eventStore: healthCheck(async () => {
      const found = await headOf(eventLog);
      if (isLeft(found)) return found.left;
      head = found.right;
      return null;
    }, TIMEOUT_MS),
  };
  return async () => {
    const startedAt = performance.now();
    const [database, ofDisk, eventStore] = await Promise.all([checks.database(), checks.disk(), checks.eventStore()]);
    const problems: Record<string, string> = {};
    if (database.status === 'unreachable') problems['database'] = database.error;
    if (ofDisk.status === 'unreachable') problems['disk'] = ofDisk.error;
    const isReported = eventLog.kind === 'postgres' && 'database' in problems;
    if (eventStore.status === 'unreachable' && !isReported) problems['event_store'] = eventStore.error;
    const ofLeases = leases.trouble();
    if (ofLeases !== null && !('database' in problems)) problems['leases'] = ofLeases;
    if (Object.keys(problems).length > 0) return problems;
    if (await catchUp.waitFor(head, READY_WITHIN_MS - (performance.now() - startedAt))) return {};
    return { projections: projectionProgress(catchUp, head, waitingReaders) };
  };
};

/** The positions of the read models, and the readers that wait for a newer version. */
export const projectionProgress = (
  { position }: Pick<CatchUp, 'position'>,
  head: Position,
  waitingReaders: ReadonlyMap<string, string>,
): string => {
  const waits = [...waitingReaders].map(([reader, reason]) => `${reader} waits: ${reason}`);
  const reasons = waits.length > 0 ? waits.join(' ') : 'see the log for what holds them up';
  return `at ${position()}, the log is at ${head}; ${reasons}`;
};

/** Why the database does not respond, or cannot be written; null if it can. */
const databaseProblem = async (pool: Pool, writes: CheckedParts['writes']): Promise<string | null> => {
  const problem = await pingDatabase(pool);
  const { database } = writes.failures();
  return problem ?? (database === undefined ? null : `the last write failed: ${database}`);
};

/** A query without a response is cancelled, so that it does not occupy a connection of the pool. */
const pingDatabase = (pool: Pool): Promise<string | null> => {
  const ping = { text: 'SELECT 1', query_timeout: TIMEOUT_MS };
  return pool.query(ping).then(() => null, databaseErrorText);
};

const headOf = async ({ store, name }: NamedLog): Promise<Either<string, Position>> => {
  const head = await withTimeLimit(TIMEOUT_MS, () => store.head());
  return isLeft(head) ? left(`${name}: ${head.left.reason}`) : head;
};

/** A round trip to each component. */
export const componentPings = ({
  pool,
  eventLog,
  podRuntime,
  queryEngine,
  objects,
  replica,
  writes,
  disk,
}: CheckedParts): ComponentPings => ({
  database: () => databaseProblem(pool, writes),
  disk: disk.problem,
  eventStore:
    eventLog.kind === 'postgres'
      ? null
      : async () => {
          const head = await headOf(eventLog);
          return isLeft(head) ? head.left : null;
        },
  podRuntime: podRuntime.managesPods
    ? async () => {
        const listed = await podRuntime.listPods();
        return isLeft(listed) ? listed.left.reason : null;
      }
    : null,
  queryEngine: async () => {
    const pong = await queryEngine.ping();
    return isLeft(pong) ? pong.left.message : null;
  },
  objectStore: async () => {
    const problem = await probeObjectStore(objects, replica, new Date());
    if (problem !== null) await disk.onFailure(problem);
    return problem;
  },
});
