import { durationMs } from '../domain/kernel/codecs';
import { snapshotName } from '../domain/snapshot';
import { insert, type Projection, update } from './projection';

export const instancesProjection: Projection = {
  name: 'instances',
  version: 7,
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
      instance_url text,
      pod_name text,
      status text NOT NULL,
      error_code text,
      error_message text,
      failed_phase text,
      stack_trace text,
      ttl text,
      inactivity_timeout text NOT NULL,
      expires_at timestamptz,
      cpu_cores integer NOT NULL,
      memory_bytes bigint,
      node_count bigint,
      edge_count bigint,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      started_at timestamptz,
      ready_at timestamptz,
      -- The latest report of the pod, written with telemetry.instance_metrics.
      memory_usage_bytes bigint,
      disk_usage_bytes bigint,
      last_activity_at text COLLATE "C"
    );
    CREATE INDEX ON instances (owner_username, created_at, id);
    CREATE INDEX ON instances (name, id);
    CREATE INDEX ON instances (created_at, id);
    CREATE INDEX ON instances (status, id);
    -- A state whose pods report nothing comes last: the index tells so of the others without a look at their rows.
    CREATE INDEX ON instances (memory_usage_bytes, id, status);
    CREATE INDEX ON instances (memory_usage_bytes DESC NULLS LAST, id DESC, status);
    CREATE INDEX ON instances (last_activity_at, id, status);
    CREATE INDEX ON instances (last_activity_at DESC NULLS LAST, id DESC, status);
    CREATE INDEX ON instances (snapshot_id);
    CREATE INDEX ON instances (mapping_id, id);
    SELECT es.index_text('instances', 'name'), es.index_text('instances', 'description');`,
  exposes: ['instances'],
  onExposed: `
    UPDATE instances AS i
    SET memory_usage_bytes = m.memory_usage_bytes, disk_usage_bytes = m.disk_usage_bytes,
      last_activity_at = m.last_activity_at
    FROM telemetry.instance_metrics AS m
    WHERE m.instance_id = i.id AND (i.memory_usage_bytes, i.disk_usage_bytes, i.last_activity_at)
      IS DISTINCT FROM (m.memory_usage_bytes, m.disk_usage_bytes, m.last_activity_at)`,
  on: {
    InstanceRequested: ({ data, metadata }, sql) => {
      const ttlMs = data.ttl === null ? null : durationMs(data.ttl);
      const createdAt = new Date(metadata.occurredAt);
      return insert(sql, 'instances', {
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
        created_at: createdAt,
        updated_at: createdAt,
      });
    },
    SnapshotRequested: ({ data }, sql) =>
      update(sql, 'instances', data.instanceId, { snapshot_id: data.snapshotId, snapshot_name: data.name }),
    InstanceStarting: ({ data, metadata }, sql) =>
      update(sql, 'instances', data.instanceId, {
        status: 'starting',
        pod_name: data.podName,
        instance_url: data.instanceUrl,
        memory_bytes: data.memoryBytes,
        started_at: metadata.occurredAt,
        updated_at: metadata.occurredAt,
      }),
    InstanceRestarting: ({ data, metadata }, sql) =>
      update(sql, 'instances', data.instanceId, {
        status: 'starting',
        memory_bytes: data.memoryBytes,
        started_at: metadata.occurredAt,
        ready_at: null,
        updated_at: metadata.occurredAt,
      }),
    InstanceRunning: async ({ data, metadata }, sql) => {
      await update(sql, 'instances', data.instanceId, {
        status: 'running',
        node_count: data.nodeCount,
        edge_count: data.edgeCount,
        ready_at: metadata.occurredAt,
        updated_at: metadata.occurredAt,
      });
      await sql('UPDATE instances SET instance_url = coalesce(instance_url, $2) WHERE id = $1', [
        data.instanceId,
        data.instanceUrl,
      ]);
    },
    InstanceFailed: ({ data, metadata }, sql) =>
      update(sql, 'instances', data.instanceId, {
        status: 'failed',
        instance_url: null,
        error_code: data.errorCode,
        error_message: data.errorMessage,
        failed_phase: data.failedPhase,
        stack_trace: data.stackTrace,
        updated_at: metadata.occurredAt,
      }),
    InstanceStopping: ({ data, metadata }, sql) =>
      update(sql, 'instances', data.instanceId, { status: 'stopping', updated_at: metadata.occurredAt }),
    InstanceDescribed: ({ data, metadata }, sql) =>
      update(sql, 'instances', data.instanceId, {
        name: data.name,
        description: data.description,
        updated_at: metadata.occurredAt,
      }),
    InstanceLifetimeChanged: ({ data, metadata }, sql) =>
      sql(
        `UPDATE instances SET ttl = $2, inactivity_timeout = $3, updated_at = $4,
           expires_at = created_at + make_interval(secs => $5) WHERE id = $1`,
        [data.instanceId, data.ttl, data.inactivityTimeout, metadata.occurredAt, secondsOf(data.ttl)],
      ),
    InstanceCpuUpdated: ({ data, metadata }, sql) =>
      update(sql, 'instances', data.instanceId, { cpu_cores: data.newCpuCores, updated_at: metadata.occurredAt }),
    InstanceMemoryUpgraded: ({ data, metadata }, sql) =>
      update(sql, 'instances', data.instanceId, { memory_bytes: data.newMemoryBytes, updated_at: metadata.occurredAt }),
    InstanceResizeFailed: ({ data, metadata }, sql) =>
      update(sql, 'instances', data.instanceId, { updated_at: metadata.occurredAt }),
    InstanceDeleted: ({ data }, sql) => sql('DELETE FROM instances WHERE id = $1', [data.instanceId]),
  },
};

const secondsOf = (duration: string | null): number | null => {
  const ms = duration === null ? null : durationMs(duration);
  return ms === null ? null : ms / 1000;
};
