import { isLeft } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { comparePositions, laterPosition, type Position } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { PROCESSES } from '../../domain/ports/feed-consumer';
import { type PodRuntime } from '../../domain/ports/pod-runtime';
import { type ProcessWork } from '../../domain/ports/process-work';
import { type CatchUp } from '../../projections/catch-up';
import { type ReadDatabase } from '../../queries/kit/database';
import { readOpsState } from '../../queries/ops-state';
import { type Measures } from './metrics';
import { readStoreMeasures } from '../postgres/postgres-measures';
import { withPatience } from '../system/patience';

export interface MeasuredParts {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly db: ReadDatabase;
  readonly catchUp: CatchUp;
  readonly podRuntime: PodRuntime;
  readonly work: Pick<ProcessWork, 'stuckCommands'>;
}

/** Looks at all parts of the system. Rejects when the database is away; a log or pods that do not answer are left out. */
export const measureSystem = async (parts: MeasuredParts): Promise<Measures> => {
  const { positions, ...store } = await readStoreMeasures(parts.pool);
  const state = await readOpsState(parts.db);
  const listed = await parts.podRuntime.listPods();
  const pods: Record<string, number> = { pending: 0, running: 0, ended: 0 };
  for (const { phase } of isLeft(listed) ? [] : listed.right) pods[phase] = (pods[phase] ?? 0) + 1;
  // Checkpoints of read models that nothing concerned are written now and then only; this is how far the runner is.
  const applied = parts.catchUp.position();
  const passed = Object.entries(positions).map(
    ([name, position]) => [name, name === PROCESSES ? position : laterPosition(position, applied)] as const,
  );
  return {
    ...store,
    projectionLag: await measureLag(parts.store, Object.fromEntries(passed), new Date()),
    stuckCommands: (await parts.work.stuckCommands(new Date())).length,
    instances: state.instances.by_status,
    snapshots: state.snapshots.by_status,
    exportJobs: state.export_jobs.by_status,
    pods: isLeft(listed) ? {} : pods,
  };
};

/** A scrape does not wait longer for the log. */
const PATIENCE_MS = 2_000;

/**
 * By name of a reader, the age in seconds of the oldest event it has not passed; 0 for one that has passed them all. Null
 * when the log cannot be read.
 */
export const measureLag = (
  store: Pick<EventStore, 'head' | 'readAll'>,
  positions: Readonly<Record<string, Position>>,
  now: Date,
): Promise<Readonly<Record<string, number>> | null> =>
  withPatience(PATIENCE_MS, async () => {
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
