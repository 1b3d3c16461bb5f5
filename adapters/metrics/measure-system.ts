import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { refusedPodOrders } from '../../commands/instance/observe-pod';
import { type PodStatus } from '../../domain/instance';
import { comparePositions, laterPosition, type Position } from '../../domain/kernel/event';
import { reconcile, type Repair } from '../../domain/policies';
import { type Clock } from '../../domain/ports/clock';
import { type EventStore } from '../../domain/ports/event-store';
import { PROCESSES } from '../../domain/ports/feed-consumer';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { type ProcessWork } from '../../domain/ports/process-work';
import { type CatchUp } from '../../projections/catch-up';
import { listReconciled } from '../../queries/instances';
import { type ReadDatabase } from '../../queries/kit/database';
import { readOpsState } from '../../queries/ops-state';
import { withTimeLimit } from '../system/time-limit';
import { type Measures } from './metrics';

export interface MeasuredParts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly db: ReadDatabase;
  readonly catchUp: CatchUp;
  readonly podRuntime: PodRuntime;
  readonly work: Pick<ProcessWork, 'stuckCommands' | 'failureOf'>;
  readonly clock: Clock;
}

/**
 * Measures all parts of the system. Rejects when the database is unavailable; an unavailable log or pods are omitted.
 */
export const measureSystem = async (parts: MeasuredParts): Promise<Measures> => {
  const { positions, ...store } = await readStoreMeasures(parts.pool);
  const state = await readOpsState(parts.db);
  const readAt = parts.clock.now();
  const listed = await parts.podRuntime.listPods();
  const pods: Record<string, number> = { starting: 0, ready: 0, ending: 0, ended: 0 };
  for (const { phase } of isLeft(listed) ? [] : listed.right) pods[phase] = (pods[phase] ?? 0) + 1;
  // Checkpoints of read models without relevant events are written only occasionally; this is the runner's position.
  const applied = parts.catchUp.position();
  const passed = Object.entries(positions).map(
    ([name, position]) => [name, name === PROCESSES ? position : laterPosition(position, applied)] as const,
  );
  const { seal, verification } = state;
  const isPodsKnown = !isLeft(listed) && parts.podRuntime.managesPods;
  return {
    ...store,
    projection_lag_seconds: await measureLag(parts.store, Object.fromEntries(passed), parts.clock.now()),
    process_commands_stuck: (await parts.work.stuckCommands()).length,
    instances: state.instances.by_status,
    snapshots: state.snapshots.by_status,
    export_jobs: state.export_jobs.by_status,
    verification_differences: verification?.differences ?? null,
    seal_timestamp_seconds: seal && { [seal.hash]: Date.parse(seal.sealed_at) / 1000 },
    pods: isLeft(listed) ? {} : pods,
    ...(isPodsKnown ? await misplacedPods(parts, readAt, listed.right) : { pods_missing: null, pods_orphaned: null }),
  };
};

/** Number of pods that the job `reconciliation` would repair, by the read models. */
const misplacedPods = async ({ db, work }: MeasuredParts, readAt: Date, pods: readonly PodStatus[]) => {
  const instances = await listReconciled(db);
  const refusedOrders = await refusedPodOrders(work, instances.values());
  const { repairs } = reconcile({ readAt, pods, slots: [], instances, refusedOrders }, true);
  const count = (kind: Repair['kind']): number => repairs.filter((repair) => repair.kind === kind).length;
  return { pods_missing: count('report_pod_lost'), pods_orphaned: count('delete_pod') };
};

/** Pending work and the progress of each reader in its latest version, from the tables of schema `es`. */
const readStoreMeasures = async (pool: Pool) => {
  const one = async <R extends object>(sql: string): Promise<R | undefined> => (await pool.query<R>(sql)).rows[0];
  const counts = async (sql: string): Promise<Record<string, number>> => {
    const { rows } = await pool.query<{ name: string; value: string }>(sql);
    return Object.fromEntries(rows.map(({ name, value }) => [name, Number(value)]));
  };
  const { rows: readers } = await pool.query<{ name: string; position: Position }>(
    'SELECT DISTINCT ON (name) name, position::text FROM es.subscriptions ORDER BY name, version DESC',
  );
  const oldest = await one<{ seconds: string }>(
    `SELECT greatest(0, coalesce(extract(epoch FROM now() - min(due_at)), 0)) AS seconds FROM es.effects`,
  );
  const timers = await one<{ timers: string; overdue: string }>(
    `SELECT count(*) AS timers, count(*) FILTER (WHERE due_at < now() - interval '1 minute') AS overdue FROM es.timers`,
  );
  return {
    positions: Object.fromEntries(readers.map(({ name, position }) => [name, position])),
    parked_events: await counts(
      `SELECT s.name, (SELECT count(*) FROM es.parked p
         WHERE p.reader = s.name AND p.version = s.version AND p.epoch = s.epoch) AS value
       FROM (SELECT DISTINCT ON (name) * FROM es.subscriptions ORDER BY name, version DESC) s`,
    ),
    process_commands: await counts('SELECT kind AS name, count(*) AS value FROM es.effects GROUP BY kind'),
    process_command_oldest_seconds: Number(oldest?.seconds ?? 0),
    process_timers: Number(timers?.timers ?? 0),
    process_timers_overdue: Number(timers?.overdue ?? 0),
    job_last_success_timestamp_seconds: await counts(
      `SELECT job_name AS name, extract(epoch FROM last_success_at) AS value
       FROM es.job_progress WHERE last_success_at IS NOT NULL ORDER BY job_name`,
    ),
    job_last_run_failed: await counts(
      `SELECT job_name AS name, coalesce((SELECT (r.error IS NOT NULL)::int
         FROM es.job_runs r WHERE r.job_name = p.job_name ORDER BY r.id DESC LIMIT 1), 0) AS value
       FROM es.job_progress p ORDER BY job_name`,
    ),
  };
};

/** Timeout of the log for a scrape. */
const TIMEOUT_MS = 2_000;

/**
 * By name of a reader, the age in seconds of the oldest event it has not processed; 0 if it has processed all. Null if
 * the log cannot be read.
 */
export const measureLag = (
  store: Pick<EventStore, 'head' | 'readAll'>,
  positions: Readonly<Record<string, Position>>,
  now: Date,
): Promise<Readonly<Record<string, number>> | null> =>
  withTimeLimit(TIMEOUT_MS, async () => {
    const head = await store.head();
    if (isLeft(head)) return null;
    const ages = new Map<Position, number>([[head.right, 0]]);
    for (const position of new Set(Object.values(positions))) {
      if (comparePositions(position, head.right) >= 0) ages.set(position, 0);
      else {
        const next = await store.readAll(position, 1);
        if (isLeft(next)) return null;
        const [oldest] = next.right.events;
        ages.set(
          position,
          oldest === undefined ? 0 : Math.max(0, now.getTime() - Date.parse(oldest.recordedAt)) / 1000,
        );
      }
    }
    return Object.fromEntries(Object.entries(positions).map(([name, position]) => [name, ages.get(position) ?? 0]));
  });
