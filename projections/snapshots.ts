import { type EventOf, type Projection, type TableWriter } from './projection';

/** A snapshot counts as used from the start to the end of its instance. */
const markUse = (
  { data, metadata }: EventOf<'InstanceStarting' | 'InstanceRestarting' | 'InstanceRunning' | 'InstanceDeleted'>,
  tables: TableWriter,
): Promise<void> =>
  tables.updateAll('snapshots', data.instanceId, { last_used_at: metadata.occurredAt }, 'instance_id');

const recordMeasures = (
  { data, metadata }: EventOf<'SnapshotReady' | 'SnapshotMeasured'>,
  tables: TableWriter,
): Promise<void> =>
  tables.update('snapshots', data.snapshotId, {
    status: 'ready',
    size_bytes: data.sizeBytes,
    node_counts: data.nodeCounts,
    edge_counts: data.edgeCounts,
    updated_at: metadata.occurredAt,
  });

export const snapshotsProjection: Projection = {
  name: 'snapshots',
  version: 5,
  tables: `
    CREATE TABLE snapshots (
      id bigint PRIMARY KEY,
      instance_id bigint NOT NULL,
      mapping_id bigint NOT NULL,
      mapping_name text NOT NULL,
      mapping_version integer NOT NULL,
      owner_username text NOT NULL,
      name text NOT NULL,
      storage_path text NOT NULL,
      status text NOT NULL,
      size_bytes bigint,
      node_counts jsonb NOT NULL DEFAULT '{}',
      edge_counts jsonb NOT NULL DEFAULT '{}',
      error_code text,
      error_message text,
      failed_step text,
      ttl text,
      inactivity_timeout text NOT NULL,
      last_used_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX ON snapshots (instance_id);`,
  indexes: `
    CREATE INDEX ON snapshots (mapping_id, id);`,
  exposes: ['snapshots'],
  on: {
    SnapshotRequested: ({ data, metadata }, tables) =>
      tables.insert('snapshots', {
        id: data.snapshotId,
        instance_id: data.instanceId,
        mapping_id: data.mappingId,
        mapping_name: data.mappingName,
        mapping_version: data.mappingVersion,
        owner_username: data.ownerUsername,
        name: data.name,
        storage_path: data.storagePath,
        status: 'pending',
        ttl: data.ttl,
        inactivity_timeout: data.inactivityTimeout,
        created_at: metadata.occurredAt,
        updated_at: metadata.occurredAt,
      }),
    SnapshotExportStarted: ({ data, metadata }, tables) =>
      tables.update('snapshots', data.snapshotId, { status: 'creating', updated_at: metadata.occurredAt }),
    SnapshotReady: recordMeasures,
    SnapshotMeasured: recordMeasures,
    SnapshotFailed: ({ data, metadata }, tables) =>
      tables.update('snapshots', data.snapshotId, {
        status: 'failed',
        error_code: data.errorCode,
        error_message: data.errorMessage,
        failed_step: data.failedStep,
        node_counts: data.nodeCounts,
        edge_counts: data.edgeCounts,
        updated_at: metadata.occurredAt,
      }),
    SnapshotDeleted: ({ data }, tables) => tables.delete('snapshots', { id: data.snapshotId }),
    InstanceStarting: markUse,
    InstanceRestarting: markUse,
    InstanceRunning: markUse,
    InstanceDeleted: markUse,
  },
};
