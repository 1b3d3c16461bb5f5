import { type ActionGroup } from '../action';
import { command } from '../command';
import { sizeText } from '../output';

export const exportJobCommands: ActionGroup = {
  name: 'export-jobs',
  summary: 'List export jobs: the queries of snapshots',
  actions: [
    command('listExportJobs', 'list', 'List export jobs, newest first (analysts: their own)', {
      columns: {
        id: 'id',
        snapshot: 'snapshot_id',
        exports: ({ entity_type, entity_name }) => `${entity_type} ${entity_name}`,
        status: 'status',
        attempts: 'attempts',
        rows: 'row_count',
        size: ({ size_bytes }) => sizeText(size_bytes),
        error: 'error_message',
      },
    }),
    command('countPendingExportJobs', 'pending', 'Count export jobs that wait for a worker', {
      text: ({ pendingCount }) => String(pendingCount),
    }),
  ],
};
