import { type ActionGroup } from '../action';
import { endpointCommand } from '../endpoint-command';

const list = endpointCommand('listExportJobs', {
  usage: 'list',
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
});

const pending = endpointCommand('countPendingExportJobs', {
  usage: 'pending',
  summary: 'How many export jobs wait for a worker',
  text: ({ pendingCount }) => String(pendingCount),
});

export const exportJobCommands: ActionGroup = {
  name: 'export-jobs',
  summary: 'The queries that fill snapshots',
  actions: [list, pending],
};
