import { type ReadDatabase } from './kit/database';
import {
  columnsOf,
  filterResources,
  newestFirst,
  type Page,
  type PageBounds,
  readPage,
  type ResourceQuery,
  sorted,
} from './kit/list';
import {
  CountedInstance,
  InstanceDetailView,
  InstanceOfMapping,
  InstanceView,
  type LiveStatus,
} from './views/instance';
import { GIB, type Guarded } from '../domain/instance';
import { type InstanceDirectory } from '../domain/ports/directories';
import { type Viewer, visibleInstances } from './visible-instances';

/** What counts against the limits of concurrent instances. */
export const COUNTED: readonly LiveStatus[] = ['waiting_for_snapshot', 'starting', 'running'];

/** An instance with what its progress is worked out from. */
export interface FoundInstance extends Omit<InstanceDetailView, 'progress'> {
  /** What its pod told last, null before. */
  readonly reported_progress: unknown;
  /** When its pod became ready. */
  readonly ready_at: string | null;
}

interface Row extends Omit<FoundInstance, 'memory_gb' | 'graph_stats' | 'access'> {
  readonly memory_bytes: number | null;
  readonly node_count: number | null;
  readonly edge_count: number | null;
  readonly access_mode: Guarded['access']['mode'];
  readonly access_users: readonly string[];
}

/**
 * The address of an instance: its slug below `instanceBaseUrl`, or, if that is null, the URL that its pod reported. Null
 * before its pod is created and after a failure.
 */
const instanceUrl = (db: ReadDatabase, instanceBaseUrl: string | null) =>
  db.raw<string | null>(
    `CASE WHEN pod_name IS NOT NULL AND error_code IS NULL
       THEN coalesce(?::text || '/' || url_slug, reported_url) END AS instance_url`,
    [instanceBaseUrl],
  );

/** @param viewer Absent: the system itself, which sees all. */
export const findInstance = async (
  db: ReadDatabase,
  id: number,
  instanceBaseUrl: string | null,
  viewer?: Viewer,
): Promise<FoundInstance | null> => {
  const instances = viewer === undefined ? db('read.instances') : visibleInstances(db, viewer);
  const row = await instances.where({ id }).first<Row | undefined>(
    columnsOf(InstanceDetailView, {
      ...{ instance_url: null, memory_gb: null, graph_stats: null, progress: null, access: null },
    }),
    instanceUrl(db, instanceBaseUrl),
    ...['memory_bytes', 'node_count', 'edge_count', 'ready_at', 'access_mode', 'access_users'],
    db.raw('(SELECT data FROM telemetry.instance_progress WHERE instance_id = id) AS reported_progress'),
  );
  if (row === undefined) return null;
  const { memory_bytes, node_count, edge_count, access_mode: mode, access_users: users, ...found } = row;
  return {
    ...found,
    memory_gb: memory_bytes === null ? null : memory_bytes / GIB,
    access: { mode, users },
    graph_stats: node_count === null ? null : { node_count, edge_count },
  };
};

/** The instances of a user that count against the limits, newest first. */
export const listCountedInstances = async (db: ReadDatabase, username: string): Promise<readonly CountedInstance[]> => {
  const counted = db('read.instances').whereIn('status', COUNTED).where('owner_username', username);
  return newestFirst(counted).select<CountedInstance[]>(columnsOf(CountedInstance));
};

/** The instances that background jobs look after. */
export const instanceDirectory = (db: ReadDatabase): InstanceDirectory => ({
  unsettled: async () => db('read.instances').whereNot('status', 'failed').pluck<number[]>('id'),
  memoryUse: async () => {
    const rows = await db('read.instances as i')
      .join('telemetry.instance_metrics as m', 'm.instance_id', 'i.id')
      .where('i.status', 'running')
      .whereRaw(`m.data ->> 'measured_at' IS NOT NULL`)
      .select<{ id: number; used: string; measured_at: string }[]>(
        'i.id',
        db.raw(`m.data ->> 'memory_usage_bytes' AS used`),
        db.raw(`m.data ->> 'measured_at' AS measured_at`),
      );
    return rows.map(({ id, used, measured_at }) => ({
      instanceId: id,
      usedBytes: Number(used),
      measuredAt: new Date(measured_at),
    }));
  },
});

/** Instances whose pods should exist. */
export const listActiveInstanceIds = async (db: ReadDatabase): Promise<readonly number[]> =>
  db('read.instances').whereIn('status', ['starting', 'running']).pluck<number[]>('id');

export interface InstanceQuery extends ResourceQuery {
  readonly snapshot_id?: number | undefined;
  readonly status?: string | undefined;
}

/** What pods report: null before the first report. */
const MEASURES: readonly string[] = ['last_activity_at', 'memory_usage_bytes'];

/** Instances with the latest reports of their pods. Ties are broken by id, instances without a report come last. */
export const listInstances = (
  db: ReadDatabase,
  viewer: Viewer,
  filters: InstanceQuery,
  page: PageBounds,
  instanceBaseUrl: string | null,
): Promise<Page<InstanceView>> => {
  const query = visibleInstances(db, viewer);
  filterResources(query, filters);
  if (filters.status !== undefined) query.where('status', filters.status);
  if (filters.snapshot_id !== undefined) query.where('snapshot_id', filters.snapshot_id);
  return readPage(sorted(query, filters, MEASURES), page, InstanceView, { instance_url: null }, [
    instanceUrl(db, instanceBaseUrl),
  ]);
};

/** The instances of all versions of a mapping, newest first unless asked otherwise. */
export const listMappingInstances = (
  db: ReadDatabase,
  viewer: Viewer,
  mappingId: number,
  filters: InstanceQuery,
  page: PageBounds,
): Promise<Page<InstanceOfMapping>> => {
  const query = visibleInstances(db, viewer).where('mapping_id', mappingId);
  filterResources(query, filters);
  if (filters.status !== undefined) query.where('status', filters.status);
  return readPage(sorted(query, filters), page, InstanceOfMapping);
};
