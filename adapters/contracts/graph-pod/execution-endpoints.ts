import * as t from 'io-ts';
import { fields, matching, oneOf, optional } from '../../../domain/kernel/codecs';
import { endpoint, flat, queryInteger } from '../../http/kit';

/**
 * For operations that need the graph: they return this error while the graph is loading and while the instance ends.
 */
export const needsGraph = { detailErrors: ['SERVICE_UNAVAILABLE'] } as const;

/** Shared declarations: an operation that reads the graph, and one that starts an algorithm. */
export const reading = { ...needsGraph, access: 'anybody' } as const;
export const starting = { ...needsGraph, access: 'user', resource: 'algorithm' } as const;

export const ExecutionState = oneOf('running', 'completed', 'failed', 'cancelled');

/** The node property that stores the values of a run. */
export const ResultProperty = matching(
  /^[A-Za-z][A-Za-z0-9_]*$/,
  'must begin with a letter and consist of letters, digits and underscores',
  64,
);

/** Reported when a run starts. */
export const ABOUT_START = {
  /** Probable mistakes: a field that runs do not have, or a run that will take long. */
  warnings: optional(t.readonlyArray(t.string)),
  /** Expected duration, by the size of the graph; missing without an estimate. */
  estimated_seconds: optional(t.number),
};

/** Reported by the status of a run. */
export const ABOUT_RUN = {
  /** Probable mistakes, and iterations that ended before the values had converged. */
  warnings: ABOUT_START.warnings,
  /** Number of iterations, of algorithms that iterate until their values no longer change. */
  iterations: optional(t.number),
  /** The change in the last iteration, as `tol` measures it. */
  last_change: optional(t.number),
};

/** A parameter of an algorithm. */
export const Parameter = fields({
  name: t.string,
  type: t.string,
  required: t.boolean,
  default: t.unknown,
  description: t.string,
});

/** The last hundred runs, in the format of the instance's kind. */
export const listOf = <C extends t.Mixed>(execution: C) =>
  endpoint('GET /algo/executions', {
    ...reading,
    summary: 'The last hundred runs, newest first',
    query: fields({ limit: optional(queryInteger(1, 100)), status_filter: optional(ExecutionState) }),
    success: flat(fields({ executions: t.readonlyArray(execution), total_count: t.number })),
  });

/** The path parameter of a run. */
export const ofExecution = { resource: 'execution', params: fields({ execution_id: t.string }) } as const;

/** Endpoints of runs that both kinds share. */
export const EXECUTION_ENDPOINTS = {
  cancelExecution: endpoint('DELETE /algo/executions/{execution_id}', {
    ...needsGraph,
    ...ofExecution,
    summary: 'Cancel a run in progress',
    access: 'user',
    success: flat(fields({ status: t.literal('cancelled'), execution_id: t.string })),
    errors: ['EXECUTION_NOT_FOUND', 'PERMISSION_DENIED'],
  }),
};
