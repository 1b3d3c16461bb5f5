import { type IdKind } from '../domain/ports/id-generator';
import { type Projection, type TableWriter } from './projection';

/**
 * The highest id of each kind in any event, including deleted and never requested resources. It prevents repeated ids
 * after a restore of the database alone.
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
    MappingCreated: ({ data }, tables) => see(tables, 'mapping', data.mappingId),
    SlotReserved: ({ data }, tables) => see(tables, 'instance', data.instanceId),
    MappingSnapshotPlanned: async ({ data }, tables) => {
      await see(tables, 'snapshot', data.snapshotId);
      await see(tables, 'instance', data.instanceId);
    },
    InstanceRequested: async ({ data }, tables) => {
      await see(tables, 'snapshot', data.snapshotId);
      await see(tables, 'instance', data.instanceId);
    },
    SnapshotRequested: async ({ data }, tables) => {
      await see(tables, 'snapshot', data.snapshotId);
      await see(tables, 'export_job', ...data.jobs.map(({ jobId }) => jobId));
    },
    SnapshotJobsSubmitted: ({ data }, tables) => see(tables, 'export_job', ...data.jobs.map(({ jobId }) => jobId)),
    ExportJobPlanned: ({ data }, tables) => see(tables, 'export_job', data.jobId),
  },
};

const see = async (tables: TableWriter, kind: IdKind, ...ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return;
  await tables.raise('given_ids', ['kind', kind], ['highest', Math.max(...ids)]);
};
