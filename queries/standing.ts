import { processStream } from '../domain/kernel/process';
import { instanceStartup, snapshotExport } from '../domain/processes';
import { type ReadDatabase } from './kit/database';
import { type Standing } from './views/why';
import { type ReadableType } from './visible-resources';

/** The state of a resource, what it waits for, and what has failed. */
export const readStanding = async (db: ReadDatabase, type: ReadableType, id: number): Promise<Standing> => {
  const columns = STATE_COLUMNS[type];
  const row = await db(`${type}s`)
    .where({ id })
    .first<Row | undefined>(...columns);
  if (row === undefined) return { state: 'deleted', waiting_for: null, failed_step: null };
  const { status: state = 'active' } = row;
  return { state, ...(await OPEN[type](db, { ...row, status: state })) };
};

interface Row {
  readonly id: number;
  readonly status?: string;
  readonly snapshot_id?: number;
  readonly entity_name?: string;
  readonly failed_phase?: string | null;
  readonly error_code?: string | null;
  readonly error_message?: string | null;
}

const FAILURE = ['id', 'status', 'error_code', 'error_message'] as const;
const STATE_COLUMNS: Readonly<Record<ReadableType, readonly string[]>> = {
  mapping: ['id'],
  snapshot: FAILURE,
  instance: [...FAILURE, 'failed_phase'],
  export_job: [...FAILURE, 'snapshot_id', 'entity_name'],
};

type Open = Omit<Standing, 'state'>;
const SETTLED: Open = { waiting_for: null, failed_step: null };

const ofMapping = (): Promise<Open> => Promise.resolve(SETTLED);

const ofInstance = async (db: ReadDatabase, row: Row): Promise<Open> => {
  const { id, status } = row;
  const resource = { resource_type: 'instance', resource_id: String(id) } as const;
  const until = (timer: string) => dueAt(db, processStream(instanceStartup.name, String(id)), timer);
  if (status === 'starting') {
    return { ...SETTLED, waiting_for: { what: 'pod', ...resource, until: await until('startup') } };
  }
  if (status === 'stopping') return { ...SETTLED, waiting_for: { what: 'end of the pod', ...resource, until: null } };
  if (status !== 'waiting_for_snapshot' && status !== 'failed') return SETTLED;
  const snapshots = db('snapshots').where({ instance_id: id });
  const snapshot = await snapshots.first<Row | undefined>(...STATE_COLUMNS.snapshot);
  if (status === 'failed') {
    const ofExport = row.failed_phase === 'export' && snapshot !== undefined ? await ofSnapshot(db, snapshot) : SETTLED;
    return { ...SETTLED, failed_step: ofExport.failed_step ?? failure(resource, row, row.failed_phase ?? 'startup') };
  }
  const awaited = snapshot && ({ resource_type: 'snapshot', resource_id: String(snapshot.id) } as const);
  const waiting_for = { what: 'snapshot', ...(awaited ?? resource), until: await until('snapshot') };
  return { ...SETTLED, waiting_for };
};

const ofSnapshot = async (db: ReadDatabase, row: Row): Promise<Open> => {
  const resource = { resource_type: 'snapshot', resource_id: String(row.id) } as const;
  const jobs = db('export_jobs').where({ snapshot_id: row.id });
  if (row.status === 'failed') {
    // The first job that failed; its failure cancels the others.
    const failed = jobs.where({ status: 'failed' }).orderBy(['failed_at', 'id']);
    const job = await failed.first<Row | undefined>(...STATE_COLUMNS.export_job);
    return job === undefined ? { ...SETTLED, failed_step: failure(resource, row, 'snapshot') } : ofExportJob(db, job);
  }
  if (row.status !== 'pending' && row.status !== 'creating') return SETTLED;
  const open = jobs.whereIn('status', ['pending', 'claimed', 'submitted']).orderBy('id');
  const job = await open.first<Row | undefined>(...STATE_COLUMNS.export_job);
  if (job !== undefined) return ofExportJob(db, job);
  return {
    ...SETTLED,
    waiting_for: { what: 'export jobs', ...resource, until: await untilExport(db, row.id, 'unclaimed') },
  };
};

const ofExportJob = async (db: ReadDatabase, row: Row): Promise<Open> => {
  const { id, status, snapshot_id: snapshotId = 0, entity_name: name = '' } = row;
  const resource = { resource_type: 'export_job', resource_id: String(id) } as const;
  if (status === 'failed') return { ...SETTLED, failed_step: failure(resource, row, name) };
  if (status === 'completed') return SETTLED;
  const [what, timer] = status === 'pending' ? ['export worker', 'unclaimed'] : ['query', `duration:${id}`];
  return { ...SETTLED, waiting_for: { what, ...resource, until: await untilExport(db, snapshotId, timer) } };
};

const OPEN: Readonly<Record<ReadableType, (db: ReadDatabase, row: Row) => Promise<Open>>> = {
  mapping: ofMapping,
  snapshot: ofSnapshot,
  instance: ofInstance,
  export_job: ofExportJob,
};

const failure = (
  resource: Pick<NonNullable<Open['failed_step']>, 'resource_type' | 'resource_id'>,
  { error_code = null, error_message: message = null }: Row,
  name: string,
) => ({ ...resource, name, error_code, message });

const untilExport = (db: ReadDatabase, snapshotId: number, timer: string): Promise<string | null> =>
  dueAt(db, processStream(snapshotExport.name, String(snapshotId)), timer);

/** When a timer of a process fires; null when it is not set. */
const dueAt = async (db: ReadDatabase, streamId: string, timerId: string): Promise<string | null> => {
  const timer = db('es.timers').where({ stream_id: streamId, timer_id: timerId });
  return (await timer.first<{ due_at: string } | undefined>('due_at'))?.due_at ?? null;
};
