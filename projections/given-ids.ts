import { type IdKind } from '../domain/ports/id-generator';
import { type Projection, type Sql } from './projection';

/**
 * The highest id of every kind that an event has ever named, also of what was deleted or never came to be. After a
 * restore of the database alone no id is given a second time because of it.
 */
export const givenIdsProjection: Projection = {
  name: 'given_ids',
  version: 1,
  tables: `
    CREATE TABLE given_ids (
      kind text PRIMARY KEY,
      highest bigint NOT NULL
    );`,
  exposes: ['given_ids'],
  on: {
    MappingCreated: ({ data }, sql) => see(sql, 'mapping', data.mappingId),
    SlotReserved: ({ data }, sql) => see(sql, 'instance', data.instanceId),
    MappingSnapshotPlanned: async ({ data }, sql) => {
      await see(sql, 'snapshot', data.snapshotId);
      await see(sql, 'instance', data.instanceId);
    },
    InstanceRequested: async ({ data }, sql) => {
      await see(sql, 'snapshot', data.snapshotId);
      await see(sql, 'instance', data.instanceId);
    },
    SnapshotRequested: async ({ data }, sql) => {
      await see(sql, 'snapshot', data.snapshotId);
      await see(sql, 'export_job', ...data.jobs.map(({ jobId }) => jobId));
    },
    SnapshotJobsSubmitted: ({ data }, sql) => see(sql, 'export_job', ...data.jobs.map(({ jobId }) => jobId)),
    ExportJobPlanned: ({ data }, sql) => see(sql, 'export_job', data.jobId),
  },
};

const see = async (sql: Sql, kind: IdKind, ...ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return;
  await sql(
    `INSERT INTO given_ids AS given (kind, highest) VALUES ($1, $2)
     ON CONFLICT (kind) DO UPDATE SET highest = excluded.highest WHERE given.highest < excluded.highest`,
    [kind, Math.max(...ids)],
  );
};
