import { GIB, type InstanceStatus, type WrapperType } from '../domain/instance';
import { type InstanceDirectory } from '../domain/ports/instance-directory';
import { type ReadDatabase, toNumber, toNumberOrNull, toTimestamp, toTimestampOrNull } from './kit/database';
import { newestFirst } from './kit/list';

/** A deleted instance has no row. */
export type LiveStatus = Exclude<InstanceStatus, 'deleted'>;

/** What counts against the limits of concurrent instances. */
export const COUNTED: readonly LiveStatus[] = ['waiting_for_snapshot', 'starting', 'running'];

export interface InstanceView {
  readonly id: number;
  readonly snapshot_id: number | null;
  readonly snapshot_name: string;
  readonly owner_username: string;
  readonly wrapper_type: WrapperType;
  readonly name: string;
  readonly description: string;
  readonly instance_url: string | null;
  readonly status: LiveStatus;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly last_activity_at: string | null;
  readonly expires_at: string | null;
  readonly ttl: string | null;
  readonly inactivity_timeout: string;
  readonly cpu_cores: number;
  readonly memory_usage_bytes: number | null;
  readonly disk_usage_bytes: number | null;
}

export interface InstanceDetailView extends InstanceView {
  readonly mapping_id: number;
  readonly mapping_name: string;
  readonly mapping_version: number;
  readonly pod_name: string | null;
  /** Memory the pod may use, GiB; null before its size is known. */
  readonly memory_gb: number | null;
  readonly progress: unknown;
  readonly failed_phase: string | null;
  readonly stack_trace: string | null;
  readonly graph_stats: { readonly node_count: number | null; readonly edge_count: number | null } | null;
  readonly updated_at: string;
  /** Not part of the API's answer: when the pod became ready. */
  readonly ready_at: string | null;
}

interface Row {
  readonly id: string;
  readonly snapshot_id: string | null;
  readonly snapshot_name: string;
  readonly owner_username: string;
  readonly wrapper_type: WrapperType;
  readonly name: string;
  readonly description: string;
  readonly instance_url: string | null;
  readonly status: LiveStatus;
  readonly error_code: string | null;
  readonly error_message: string | null;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly expires_at: Date | null;
  readonly ttl: string | null;
  readonly inactivity_timeout: string;
  readonly cpu_cores: number;
  readonly memory_usage_bytes: string | null;
  readonly disk_usage_bytes: string | null;
  readonly last_activity_at: string | null;
}

interface DetailRow extends Row {
  readonly mapping_id: string;
  readonly mapping_name: string;
  readonly mapping_version: number;
  readonly pod_name: string | null;
  readonly memory_bytes: string | null;
  readonly node_count: string | null;
  readonly edge_count: string | null;
  readonly failed_phase: string | null;
  readonly stack_trace: string | null;
  readonly updated_at: Date;
  readonly ready_at: Date | null;
  readonly progress: unknown;
}

export const toInstanceView = (row: Row): InstanceView => ({
  id: toNumber(row.id),
  snapshot_id: toNumberOrNull(row.snapshot_id),
  snapshot_name: row.snapshot_name,
  owner_username: row.owner_username,
  wrapper_type: row.wrapper_type,
  name: row.name,
  description: row.description,
  instance_url: row.instance_url,
  status: row.status,
  error_code: row.error_code,
  error_message: row.error_message,
  created_at: toTimestamp(row.created_at),
  started_at: toTimestampOrNull(row.started_at),
  last_activity_at: row.last_activity_at,
  expires_at: toTimestampOrNull(row.expires_at),
  ttl: row.ttl,
  inactivity_timeout: row.inactivity_timeout,
  cpu_cores: row.cpu_cores,
  memory_usage_bytes: toNumberOrNull(row.memory_usage_bytes),
  disk_usage_bytes: toNumberOrNull(row.disk_usage_bytes),
});

export const findInstance = async (db: ReadDatabase, id: number): Promise<InstanceDetailView | null> => {
  const row = await db('read.instances as i')
    .leftJoin('telemetry.instance_progress as p', 'p.instance_id', 'i.id')
    .where('i.id', id)
    .first<DetailRow | undefined>('i.*', 'p.data as progress');
  if (row === undefined) return null;
  const nodeCount = toNumberOrNull(row.node_count);
  return {
    ...toInstanceView(row),
    mapping_id: toNumber(row.mapping_id),
    mapping_name: row.mapping_name,
    mapping_version: row.mapping_version,
    pod_name: row.pod_name,
    memory_gb: row.memory_bytes === null ? null : toNumber(row.memory_bytes) / GIB,
    progress: row.progress,
    failed_phase: row.failed_phase,
    stack_trace: row.stack_trace,
    graph_stats: nodeCount === null ? null : { node_count: nodeCount, edge_count: toNumberOrNull(row.edge_count) },
    updated_at: toTimestamp(row.updated_at),
    ready_at: toTimestampOrNull(row.ready_at),
  };
};

/** Who owns the instance behind an address. */
export const findInstanceBySlug = async (
  db: ReadDatabase,
  urlSlug: string,
): Promise<{ readonly id: number; readonly owner_username: string } | null> => {
  const found = db('read.instances').where({ url_slug: urlSlug });
  const row = await found.first<{ id: string; owner_username: string } | undefined>('id', 'owner_username');
  return row === undefined ? null : { id: toNumber(row.id), owner_username: row.owner_username };
};

/** The instances of a user that count against the limits, newest first. */
export const listCountedInstances = async (
  db: ReadDatabase,
  username: string,
): Promise<readonly Pick<InstanceView, 'id' | 'name' | 'status' | 'created_at'>[]> => {
  const counted = db('read.instances').whereIn('status', COUNTED).where('owner_username', username);
  const rows = await newestFirst(counted).select<Pick<Row, 'id' | 'name' | 'status' | 'created_at'>[]>(
    ...(['id', 'name', 'status', 'created_at'] as const),
  );
  return rows.map(({ id, name, status, created_at }) => ({
    id: toNumber(id),
    name,
    status,
    created_at: toTimestamp(created_at),
  }));
};

/** The instances that background jobs look after. */
export const instanceDirectory = (db: ReadDatabase): InstanceDirectory => ({
  unsettled: async () => {
    const rows = await db('read.instances').whereNot('status', 'failed').select<{ id: string }[]>('id');
    return rows.map(({ id }) => toNumber(id));
  },
  memoryUse: async () => {
    const rows = await db('read.instances as i')
      .join('telemetry.instance_metrics as m', 'm.instance_id', 'i.id')
      .where('i.status', 'running')
      .whereRaw(`m.data ->> 'measured_at' IS NOT NULL`)
      .select<{ id: string; used: string; measured_at: Date }[]>(
        'i.id',
        db.raw(`m.data ->> 'memory_usage_bytes' AS used`),
        db.raw(`(m.data ->> 'measured_at')::timestamptz AS measured_at`),
      );
    return rows.map(({ id, used, measured_at }) => ({
      instanceId: toNumber(id),
      usedBytes: toNumber(used),
      measuredAt: measured_at,
    }));
  },
});

/** Instances whose pods should exist. */
export const listActiveInstanceIds = async (db: ReadDatabase): Promise<readonly number[]> => {
  const active = db('read.instances').whereIn('status', ['starting', 'running']);
  const rows = await active.select<{ id: string }[]>('id');
  return rows.map(({ id }) => toNumber(id));
};
