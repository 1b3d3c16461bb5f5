import * as t from 'io-ts';
import { endpoint, queryInteger } from '../../http/kit';
import { fields, optional } from '../../../domain/kernel/codecs';
import { needsGraph } from './needs-graph';

export const ExecutionState = t.keyof({ running: null, completed: null, failed: null, cancelled: null });

/** Which of the last hundred runs to list. */
export const ExecutionsQuery = fields({
  limit: optional(queryInteger(1, 100)),
  status_filter: optional(ExecutionState),
});

/** What a run is named by in a path. */
export const ofExecution = { resource: 'execution', params: fields({ execution_id: t.string }) } as const;

/** What both kinds answer alike about their runs. */
export const EXECUTION_ENDPOINTS = {
  cancelExecution: endpoint({
    ...needsGraph,
    ...ofExecution,
    method: 'DELETE',
    path: '/algo/executions/{execution_id}',
    summary: 'Ends a run in progress',
    access: 'user',
    success: {
      status: 200,
      shape: 'flat',
      body: fields({ status: t.literal('cancelled'), execution_id: t.string }),
    },
    errors: ['EXECUTION_NOT_FOUND', 'PERMISSION_DENIED', 'SERVICE_UNAVAILABLE'],
  }),
};
