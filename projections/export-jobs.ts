import { type Projection } from './projection';

const UNCLAIMED = {
  claimed_by: null,
  claimed_at: null,
  lease_until: null,
  queryengine_query_id: null,
  next_uri: null,
  next_poll_at: null,
  poll_count: 0,
  submitted_at: null,
  owned_by_worker: false,
};

export const exportJobsProjection: Projection = {
  name: 'export_jobs',
  version: 7,
  tables: `
    CREATE TABLE export_jobs (
      id bigint PRIMARY KEY,
      snapshot_id bigint NOT NULL,
      instance_id bigint,
      owner_username text,
      mapping_owner text,
      job_type text NOT NULL,
      entity_name text NOT NULL,
      sql text NOT NULL,
      column_names jsonb NOT NULL,
      queryengine_catalog text,
      storage_path text NOT NULL,
      status text NOT NULL,
      attempt integer NOT NULL DEFAULT 0,
      returned integer NOT NULL DEFAULT 0,
      attempts integer GENERATED ALWAYS AS (attempt - returned) STORED,
      claimed_by text,
      claimed_at timestamptz,
      lease_until timestamptz,
      queryengine_query_id text,
      next_uri text,
      next_poll_at timestamptz,
      poll_count integer NOT NULL DEFAULT 0,
      submitted_at timestamptz,
      owned_by_worker boolean NOT NULL DEFAULT false,
      row_count bigint,
      size_bytes bigint,
      completed_at timestamptz,
      failed_at timestamptz,
      error_code text,
      error_message text,
      traceparent text,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX ON export_jobs (snapshot_id, id);`,
  indexes: `
    CREATE INDEX ON export_jobs (status, id) WHERE status IN ('pending', 'claimed', 'submitted');`,
  exposes: ['export_jobs'],
  on: {
    ExportJobPlanned: ({ data, metadata }, tables) =>
      tables.insert('export_jobs', {
        id: data.jobId,
        snapshot_id: data.snapshotId,
        instance_id: data.instanceId,
        owner_username: data.ownerUsername,
        mapping_owner: data.mappingOwner,
        job_type: data.jobType,
        entity_name: data.entityName,
        sql: data.sql,
        column_names: data.columnNames,
        queryengine_catalog: data.catalog,
        storage_path: data.storagePath,
        status: 'pending',
        traceparent: metadata.traceparent ?? null,
        created_at: metadata.occurredAt,
      }),
    SnapshotDeleted: ({ data }, tables) => tables.delete('export_jobs', { snapshot_id: data.snapshotId }),
    ExportJobClaimed: ({ data, metadata }, tables) =>
      tables.update('export_jobs', data.jobId, {
        status: 'claimed',
        attempt: data.attempt,
        claimed_by: data.workerId,
        claimed_at: metadata.occurredAt,
        lease_until: data.leaseUntil,
      }),
    ExportJobSubmitted: ({ data }, tables) =>
      tables.update('export_jobs', data.jobId, {
        status: 'submitted',
        queryengine_query_id: data.queryId,
        next_uri: data.nextUri,
        next_poll_at: data.nextPollAt,
        poll_count: data.pollCount,
        submitted_at: data.submittedAt,
        owned_by_worker: data.ownedByWorker,
      }),
    ExportJobRescheduled: ({ data }, tables) =>
      tables.update('export_jobs', data.jobId, {
        ...(data.queryId === null ? {} : { queryengine_query_id: data.queryId }),
        next_uri: data.nextUri,
        next_poll_at: data.nextPollAt,
        poll_count: data.pollCount,
      }),
    ExportJobLeaseExpired: ({ data }, tables) =>
      tables.update('export_jobs', data.jobId, { status: 'pending', ...UNCLAIMED }),
    ExportJobReturned: ({ data }, tables) =>
      tables.update('export_jobs', data.jobId, { status: 'pending', returned: data.returned, ...UNCLAIMED }),
    ExportJobCompleted: ({ data }, tables) =>
      tables.update('export_jobs', data.jobId, {
        status: 'completed',
        row_count: data.rowCount,
        size_bytes: data.sizeBytes,
        completed_at: data.completedAt,
      }),
    ExportJobFailed: ({ data, metadata }, tables) =>
      tables.update('export_jobs', data.jobId, {
        status: 'failed',
        error_code: data.errorCode,
        error_message: data.errorMessage,
        failed_at: metadata.occurredAt,
      }),
  },
};
