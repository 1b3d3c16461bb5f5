import { type Knex } from 'knex';
import { type AccessControlled, GIB, type LiveStatus } from '../domain/instance';
import { type ReconciledInstance } from '../domain/policies';
import { type InstanceDirectory } from '../domain/ports/directories';
import { type ReadDatabase } from './kit/database';
import {
  columnsOf,
  countRows,
  filterResources,
  type Page,
  type PageBounds,
  readPage,
  type ResourceQuery,
  sorted,
} from './kit/list';
import { CountedInstance, InstanceDetailView, InstanceOfMapping, InstanceView } from './views/instance';
import { type Viewer, visibleInstances } from './visible-instances';

/** The statuses that count against the limits of concurrent instances. */
export const COUNTED: readonly LiveStatus[] = ['waiting_for_snapshot', 'starting', 'running'];

/** An instance with the inputs of its progress. */
export interface FoundInstance extends Omit<InstanceDetailView, 'progress'> {
  /** The last report of its latest pod, null before. */
  readonly reported_progress: unknown;
  /** When its pod became ready. */
  readonly ready_at: string | null;
}

interface Row extends Omit<FoundInstance, 'graph_stats' | 'access'> {
  readonly node_count: number | null;
  readonly edge_count: number | null;
  readonly access_mode: AccessControlled['access']['mode'];
  readonly access_users: readonly string[];
}

/**
 * The address of an instance: its slug below `instanceBaseUrl`, or, if that is null, the URL that its pod reported.
 * Null before its pod is created and after a failure.
 */
const instanceUrl = (db: ReadDatabase, instanceBaseUrl: string | null) =>
  db.raw<string | null>(
    `CASE WHEN pod_name IS NOT NULL AND error_code IS NULL
       THEN coalesce(?::text || '/' || url_slug, reported_url) END AS instance_url`,
    [instanceBaseUrl],
  );

const memoryGb = (db: ReadDatabase) => db.raw<number | null>(`memory_bytes::float8 / ? AS memory_gb`, [GIB]);

const cpuUsage = (db: ReadDatabase) =>
  db.raw<number | null>(`(m.data ->> 'cpu_usage_cores')::float8 AS cpu_usage_cores`);

export const findInstance = async (
  db: ReadDatabase,
  viewer: Viewer,
  id: number,
  instanceBaseUrl: string | null,
): Promise<FoundInstance | null> => {
  const row = await withMeasures(visibleInstances(db, viewer))
    .where({ id })
    .first<Row | undefined>(
      columnsOf(InstanceDetailView, {
        ...COLUMNS,
        updated_at: 'instances.updated_at',
        ...{ graph_stats: null, progress: null, access: null },
      }),
      instanceUrl(db, instanceBaseUrl),
      memoryGb(db),
      cpuUsage(db),
      ...['node_count', 'edge_count', 'ready_at', 'access_mode', 'access_users'],
      db.raw(
        `(SELECT data FROM instance_progress
          WHERE instance_id = id AND coalesce((data ->> 'life')::int, pod_life) IS NOT DISTINCT FROM pod_life) AS reported_progress`,
      ),
    );
  if (row === undefined) return null;
  const { node_count, edge_count, access_mode: mode, access_users: users, ...found } = row;
  return {
    ...found,
    access: { mode, users },
    graph_stats: node_count === null ? null : { node_count, edge_count },
  };
};

/** The instances of a user that count against the limits, newest first. */
export const listCountedInstances = async (db: ReadDatabase, username: string): Promise<readonly CountedInstance[]> => {
  const counted = db('instances').whereIn('status', COUNTED).where('owner_username', username);
  return sorted(counted, {}).select<CountedInstance[]>(columnsOf(CountedInstance));
};

/** The instances that background jobs check. */
export const instanceDirectory = (db: ReadDatabase): InstanceDirectory => ({
  unsettled: async () => db('instances').whereNot('status', 'failed').pluck<number[]>('id'),
  memoryUse: async () => {
    const rows = await db('instances as i')
      .join('instance_metrics as m', 'm.instance_id', 'i.id')
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

/** Instances whose pods should exist or may be ending. */
export const listActiveInstanceIds = async (db: ReadDatabase): Promise<readonly number[]> =>
  db('instances').whereIn('status', ['starting', 'running', 'stopping']).pluck<number[]>('id');

/** The instances that have had a pod, by id, with the fields of the read model that reconciliation compares. */
export const listReconciled = async (db: ReadDatabase): Promise<ReadonlyMap<number, ReconciledInstance>> => {
  const columns = ['id', 'url_slug', 'status', 'pod_life', 'updated_at'] as const;
  const rows = await db('instances').whereNotNull('pod_life').select<ReconciledRow[]>(columns);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...{ instanceId: row.id, urlSlug: row.url_slug, status: row.status, revision: 0, deadline: null },
        ...{
          life: row.pod_life ?? 0,
          statusSince: new Date(row.updated_at),
          isBeingDeleted: row.status === 'stopping',
        },
      },
    ]),
  );
};

interface ReconciledRow {
  readonly id: number;
  readonly url_slug: string;
  readonly status: ReconciledInstance['status'];
  readonly pod_life: number | null;
  readonly updated_at: string;
}

export interface InstanceQuery extends ResourceQuery {
  readonly snapshot_id?: number | undefined;
}

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
  if (filters.snapshot_id !== undefined) query.where('snapshot_id', filters.snapshot_id);
  const measure = SORTABLE.find((name) => name === filters.sort_by);
  const expressions = [instanceUrl(db, instanceBaseUrl), memoryGb(db), cpuUsage(db)];
  const read: ReadInstances = (sortedQuery, bounds, counted) =>
    readPage(sortedQuery, bounds, InstanceView, COLUMNS, expressions, counted);
  if (measure === undefined) return read(sorted(withMeasures(query), filters), page);
  return listByMeasure(db, query, { ...filters, sort_by: `m.${measure}` }, page, read);
};

/** Columns of the telemetry for the reports of pods, null before the first report. */
const COLUMNS = {
  instance_url: null,
  memory_gb: null,
  cpu_usage_cores: null,
  last_activity_at: 'm.last_activity_at',
  memory_usage_bytes: 'm.memory_usage_bytes',
  disk_usage_bytes: 'm.disk_usage_bytes',
};
const SORTABLE = ['last_activity_at', 'memory_usage_bytes'] as const;

const REPORTS = 'instance_metrics as m';
const withMeasures = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  query.clone().leftJoin(REPORTS, 'm.instance_id', 'id');

type ReadInstances = (
  query: Knex.QueryBuilder,
  page: PageBounds,
  counted?: Knex.QueryBuilder,
) => Promise<Page<InstanceView>>;

/**
 * Without a filter the first instances are read from the index of the reports, and instances without a report only if
 * the page reaches them. With a selective filter the ids are sorted.
 */
const listByMeasure = async (
  db: ReadDatabase,
  query: Knex.QueryBuilder,
  filters: InstanceQuery & { readonly sort_by: string },
  { offset, limit }: PageBounds,
  read: ReadInstances,
): Promise<Page<InstanceView>> => {
  const { owner, search, status, snapshot_id, sort_by, sort_order } = filters;
  if ([owner, search, status, snapshot_id].some((filter) => filter !== undefined)) {
    const ids = sorted(withMeasures(query), filters, [sort_by]).select('id').offset(offset).limit(limit);
    const rows = sorted(withMeasures(db('instances').whereIn('id', ids)), filters, [sort_by]);
    return read(rows, { offset: 0, limit }, query);
  }
  const reported = query.clone().join(REPORTS, 'm.instance_id', 'id').whereNotNull(sort_by);
  const byReport = sorted(reported.clone(), filters, [], 'm.instance_id');
  const first = await read(byReport, { offset, limit }, query);
  const missing = limit - first.items.length;
  if (missing === 0 || offset + first.items.length >= first.total) return first;
  const before = first.items.length > 0 ? offset : await countRows(reported);
  const others = sorted(withMeasures(query).whereNull(sort_by), { sort_by: 'id', sort_order });
  const rest = { offset: Math.max(0, offset - before), limit: missing };
  const { items } = await read(others, rest, query);
  return { items: [...first.items, ...items], total: first.total };
};

/** The instances of all versions of a mapping, newest first by default. */
export const listMappingInstances = (
  db: ReadDatabase,
  viewer: Viewer,
  mappingId: number,
  filters: ResourceQuery,
  page: PageBounds,
): Promise<Page<InstanceOfMapping>> => {
  const query = visibleInstances(db, viewer).where('mapping_id', mappingId);
  filterResources(query, filters);
  return readPage(sorted(query, filters), page, InstanceOfMapping);
};
