import * as t from 'io-ts';
import { fields, integer, nullable, openFields, optional } from '../../../domain/kernel/codecs';
import { endpoint, flat } from '../../http/kit';
import {
  ABOUT_RUN,
  ABOUT_START,
  EXECUTION_ENDPOINTS,
  ExecutionState,
  listOf,
  needsGraph,
  ofExecution,
  Parameter,
  reading,
  ResultProperty,
  starting,
} from './execution-endpoints';

/** The request body that starts an algorithm of FalkorDB. */
export const ProcedureBody = openFields({
  result_property: ResultProperty,
  node_labels: optional(t.readonlyArray(t.string)),
  relationship_types: optional(t.readonlyArray(t.string)),
  parameters: optional(t.UnknownRecord),
  write_back: optional(t.boolean),
  timeout_ms: optional(integer(60_000, 7_200_000)),
});

export const ProcedureExecution = fields({
  execution_id: t.string,
  algorithm_name: t.string,
  algorithm_type: t.literal('native'),
  status: ExecutionState,
  started_at: t.string,
  user_id: t.string,
  user_name: t.string,
  result_property: nullable(t.string),
  write_back: t.boolean,
  elapsed_ms: optional(t.number),
  completed_at: optional(t.string),
  failed_at: optional(t.string),
  cancelled_at: optional(t.string),
  nodes_updated: optional(t.number),
  duration_ms: optional(t.number),
  error_message: optional(t.string),
  ...ABOUT_START,
  ...ABOUT_RUN,
});

const Procedure = fields({
  name: t.string,
  display_name: t.string,
  category: t.string,
  description: t.string,
  cypher_procedure: t.string,
  supports_write_back: t.boolean,
  default_timeout_ms: t.number,
  parameters: t.readonlyArray(Parameter),
});

const byName = fields({ algorithm_name: t.string });

/** Algorithms of instances on FalkorDB. */
export const GRAPHDB_B_ALGORITHM_ENDPOINTS = {
  listProcedures: endpoint('GET /algo/algorithms', {
    ...reading,
    summary: 'The algorithms of the instance',
    success: flat(fields({ algorithms: t.readonlyArray(Procedure), total_count: t.number })),
  }),
  getProcedure: endpoint('GET /algo/algorithms/{algorithm_name}', {
    ...reading,
    summary: 'One algorithm',
    resource: 'algorithm',
    params: byName,
    success: flat(Procedure),
    errors: ['ALGORITHM_NOT_FOUND'],
    detailErrors: ['RESOURCE_NOT_FOUND', 'ALGORITHM_NOT_FOUND', ...needsGraph.detailErrors],
  }),
  procedureStatus: endpoint('GET /algo/status/{execution_id}', {
    ...reading,
    ...ofExecution,
    summary: 'Get the status of a run',
    success: flat(ProcedureExecution),
    errors: ['EXECUTION_NOT_FOUND'],
    detailErrors: ['RESOURCE_NOT_FOUND', 'EXECUTION_NOT_FOUND', ...needsGraph.detailErrors],
  }),
  listProcedureExecutions: listOf(ProcedureExecution),
  ...EXECUTION_ENDPOINTS,
  startProcedure: endpoint('POST /algo/{algorithm_name}', {
    ...starting,
    summary: 'Start an algorithm that stores its result on the nodes',
    params: byName,
    body: ProcedureBody,
    success: { status: 202, shape: 'flat', body: ProcedureExecution },
    errors: ['QUERY_ERROR', 'PERMISSION_DENIED', 'RESOURCE_LOCKED'],
  }),
};
