import { type Action, type ActionGroup, pageOptions, pageQuery, present } from '../action';
import { answered } from '../answered';
import { listOutput, type Output } from '../output';

const STATUSES = ['pending', 'claimed', 'submitted', 'running', 'completed', 'failed'] as const;

const exportJobs: Action = {
  usage: 'list',
  summary: 'List export jobs, newest first; analysts see those of their own snapshots',
  options: [{ flags: '--status <status>', description: 'only those in this state', choices: STATUSES }, ...pageOptions],
  run: ({ api }, given) => {
    const query = {
      ...pageQuery(given),
      ...present(
        'status',
        STATUSES.find((one) => one === given.text('status')),
      ),
    };
    return answered(api.listExportJobs({ query }), (answer) =>
      listOutput(answer, [
        ['id', ({ id }) => id],
        ['snapshot', ({ snapshot_id }) => snapshot_id],
        ['exports', ({ entity_type, entity_name }) => `${entity_type} ${entity_name}`],
        ['status', ({ status }) => status],
        ['attempts', ({ attempts }) => attempts],
        ['rows', ({ row_count }) => row_count],
        ['bytes', ({ size_bytes }) => size_bytes],
        ['error', ({ error_message }) => error_message],
      ]),
    );
  },
};

const pending: Action = {
  usage: 'pending',
  summary: 'How many export jobs wait for a worker',
  run: ({ api }) =>
    answered(api.countPendingExportJobs(), ({ data }): Output => ({ data, text: String(data.pendingCount) })),
};

export const exportJobCommands: ActionGroup = {
  name: 'export-jobs',
  summary: 'The queries that fill snapshots',
  actions: [exportJobs, pending],
};
