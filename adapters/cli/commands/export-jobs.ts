import { type ActionGroup } from '../action';
import { command } from '../command';

export const exportJobCommands: ActionGroup = {
  name: 'export-jobs',
  summary: 'The queries that fill snapshots',
  actions: [
    command('listExportJobs', 'list', null, {
      columns: {
        id: 'id',
        snapshot: 'snapshot_id',
        exports: ({ entity_type, entity_name }) => `${entity_type} ${entity_name}`,
        status: 'status',
        attempts: 'attempts',
        rows: 'row_count',
        bytes: 'size_bytes',
        error: 'error_message',
      },
    }),
    command('countPendingExportJobs', 'pending', 'How many export jobs wait for a worker', {
      text: ({ pendingCount }) => String(pendingCount),
    }),
  ],
};
