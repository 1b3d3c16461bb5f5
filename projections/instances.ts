import { type RowgraphEvent } from '../domain/events';
import { type AccessControlled } from '../domain/instance';
import { durationMs } from '../domain/kernel/codecs';
import { snapshotName } from '../domain/snapshot';
import { type EventOf, type Projection, type TableWriter } from './projection';

const start = (event: EventOf<'InstanceStarting' | 'InstanceRestarting'>, tables: TableWriter): Promise<void> =>
  change(event, tables, {
    status: 'starting',
    pod_name: event.data.podName,
    pod_life: event.data.life,
    memory_bytes: event.data.memoryBytes,
    started_at: event.metadata.occurredAt,
    ready_at: null,
  });

export const instancesProjection: Projection = {
  name: 'instances',
  version: 12,
  tables: `
    CREATE TABLE instances (
      id bigint PRIMARY KEY,
      snapshot_id bigint,
      snapshot_name text NOT NULL,
      mapping_id bigint NOT NULL,
      mapping_name text NOT NULL,
      mapping_version integer NOT NULL,
      owner_username text NOT NULL,
      wrapper_type text NOT NULL,
      name text NOT NULL,
      description text NOT NULL,
      url_slug text NOT NULL UNIQUE,
      reported_url text,
      pod_name text,
      pod_life integer,
      status text NOT NULL,
      error_code text,
      error_message text,
      failed_phase text,
      stack_trace text,
      ttl text,
      inactivity_timeout text NOT NULL,
      expires_at timestamptz,
      cpu_cores integer NOT NULL,
      access_mode text NOT NULL,
      access_users text[] NOT NULL,
      memory_bytes bigint,
      node_count bigint,
      edge_count bigint,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      started_at timestamptz,
      ready_at timestamptz
    );`,
  indexes: `
    CREATE INDEX ON instances (owner_username, created_at, id);
    CREATE INDEX ON instances (name, id);
    CREATE INDEX ON instances (created_at, id);
    CREATE INDEX ON instances (status, id);
    CREATE INDEX ON instances (snapshot_id);
    CREATE INDEX ON instances (mapping_id, id);
    SELECT es.index_text('instances', 'name'), es.index_text('instances', 'description');`,
  exposes: ['instances'],
  on: {
    InstanceRequested: ({ data, metadata }, tables) => {
      const ttlMs = data.ttl === null ? null : durationMs(data.ttl);
      const createdAt = new Date(metadata.occurredAt);
      return tables.insert('instances', {
        id: data.instanceId,
        snapshot_name: snapshotName(data.mappingName, data.mappingVersion),
        mapping_id: data.mappingId,
        mapping_name: data.mappingName,
        mapping_version: data.mappingVersion,
        owner_username: data.ownerUsername,
        wrapper_type: data.wrapperType,
        name: data.name,
        description: data.description,
        url_slug: data.urlSlug,
        status: 'waiting_for_snapshot',
        ttl: data.ttl,
        inactivity_timeout: data.inactivityTimeout,
        expires_at: ttlMs === null ? null : new Date(createdAt.getTime() + ttlMs),
        cpu_cores: data.cpuCores,
        ...accessColumns(data),
        created_at: createdAt,
        updated_at: createdAt,
      });
    },
    SnapshotRequested: ({ data }, tables) =>
      tables.update('instances', data.instanceId, { snapshot_id: data.snapshotId, snapshot_name: data.name }),
    InstanceStarting: start,
    InstanceRestarting: start,
    InstanceRunning: (event, tables) =>
      change(event, tables, {
        status: 'running',
        node_count: event.data.nodeCount,
        edge_count: event.data.edgeCount,
        ...(event.data.instanceUrl !== null && { reported_url: event.data.instanceUrl }),
        ready_at: event.metadata.occurredAt,
      }),
    InstanceFailed: (event, tables) =>
      change(event, tables, {
        status: 'failed',
        error_code: event.data.errorCode,
        error_message: event.data.errorMessage,
        failed_phase: event.data.failedPhase,
        stack_trace: event.data.stackTrace,
      }),
    InstanceInterrupted: (event, tables) => change(event, tables, { status: 'stopping' }),
    InstanceStopping: (event, tables) => change(event, tables, { status: 'stopping' }),
    InstanceDescribed: (event, tables) =>
      change(event, tables, { name: event.data.name, description: event.data.description }),
    InstanceLifetimeChanged: ({ data, metadata }, tables) =>
      tables.sql(
        `UPDATE instances SET ttl = $2, inactivity_timeout = $3, updated_at = $4,
           expires_at = created_at + make_interval(secs => $5) WHERE id = $1`,
        [data.instanceId, data.ttl, data.inactivityTimeout, metadata.occurredAt, secondsOf(data.ttl)],
      ),
    InstanceAccessChanged: (event, tables) => change(event, tables, accessColumns(event.data)),
    InstanceCpuUpdated: (event, tables) => change(event, tables, { cpu_cores: event.data.newCpuCores }),
    InstanceMemoryUpgraded: (event, tables) => change(event, tables, { memory_bytes: event.data.newMemoryBytes }),
    InstanceResizeFailed: (event, tables) => change(event, tables, {}),
    InstanceDeleted: ({ data }, tables) => tables.delete('instances', { id: data.instanceId }),
  },
};

type Change = EventOf<Exclude<Extract<RowgraphEvent['type'], `Instance${string}`>, 'InstanceAbandoned'>>;

const change = (
  { data, metadata }: Change,
  tables: TableWriter,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> => tables.update('instances', data.instanceId, { ...columns, updated_at: metadata.occurredAt });

const accessColumns = ({ access: { mode, users } }: Pick<AccessControlled, 'access'>) => ({
  access_mode: mode,
  access_users: users,
});

const secondsOf = (duration: string | null): number | null => {
  const ms = duration === null ? null : durationMs(duration);
  return ms === null ? null : ms / 1000;
};
