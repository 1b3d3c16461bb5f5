import * as t from 'io-ts';
import { fields, nullable, oneOf, optional, text } from '../../../domain/kernel/codecs';
import { accepted, data, endpoint, flat } from '../../http/kit';
import {
  ABOUT_RUN,
  ABOUT_START,
  EXECUTION_ENDPOINTS,
  ExecutionState,
  listOf,
  ofExecution,
  Parameter,
  reading,
  starting,
} from './execution-endpoints';

export const StartedExecution = fields({
  execution_id: t.string,
  algorithm: t.string,
  status: t.literal('running'),
  lock_acquired: t.boolean,
  started_at: t.string,
  ...ABOUT_START,
});

const NumberOrText = t.union([t.number, t.string]);
const Pair = { source: t.string, target: t.string };

/** Result of a run; its fields depend on the algorithm. Infinities and NaN are text. */
const ExecutionResult = fields({
  property_name: optional(t.string),
  nodes_updated: optional(t.number),
  type: optional(oneOf('node_values', 'path', 'scalar', 'edge_predictions', 'edges')),
  /** By primary key; for hits, two such maps. */
  values: optional(t.UnknownRecord),
  /** With `top`: the keys of `values` (for hits, of each map), highest value first. */
  order: optional(t.union([t.readonlyArray(t.string), t.record(t.string, t.readonlyArray(t.string))])),
  /** With `top`: number of nodes with a value. */
  total: optional(t.number),
  path: optional(t.readonlyArray(t.string)),
  length: optional(t.number),
  hop_count: optional(t.number),
  total_weight: optional(NumberOrText),
  value: optional(t.union([t.number, t.string, t.boolean])),
  predictions: optional(t.readonlyArray(fields({ ...Pair, score: NumberOrText }))),
  edges: optional(t.readonlyArray(fields({ ...Pair, weight: NumberOrText }))),
});

/** Duration of each phase of a run, in seconds of wall-clock time, as far as known. */
const RunTimings = fields({
  /** Start of the run's process. */
  start_seconds: optional(t.number),
  /** Loading of the graph into memory. */
  graph_seconds: optional(t.number),
  /** Peak resident memory of the run's process until the graph is loaded, in bytes. */
  graph_memory_bytes: optional(t.number),
  /** The algorithm itself. */
  compute_seconds: optional(t.number),
  /** Lookup of the nodes in the request, and of the keys of the nodes in the result. */
  keys_seconds: optional(t.number),
  /** Output of the result. */
  output_seconds: optional(t.number),
  /** Storage of the result on the nodes. */
  store_seconds: optional(t.number),
});
export type RunTimings = t.TypeOf<typeof RunTimings>;

export const ExecutionStatus = fields({
  execution_id: t.string,
  algorithm: t.string,
  algorithm_type: oneOf('native', 'graphlib'),
  status: ExecutionState,
  started_at: t.string,
  user_name: t.string,
  elapsed_seconds: optional(t.number),
  /** Completed share of the work, 0 to 1, if the algorithm reports it. */
  progress: optional(t.number),
  completed_at: optional(t.string),
  failed_at: optional(t.string),
  cancelled_at: optional(t.string),
  duration_seconds: optional(t.number),
  timings: optional(RunTimings),
  result: optional(ExecutionResult),
  error: optional(t.string),
  ...ABOUT_RUN,
});

const NativeAlgorithm = {
  name: t.string,
  type: t.literal('native'),
  category: t.string,
  description: t.string,
  parameters: t.readonlyArray(Parameter),
  returns: t.string,
};

const GraphlibAlgorithm = {
  name: t.string,
  category: t.string,
  description: t.string,
  returns: t.string,
  params: t.readonlyArray(Parameter),
};

const GraphlibDetails = fields({
  ...GraphlibAlgorithm,
  aliases: t.readonlyArray(t.string),
  long_description: t.string,
  function_path: t.string,
  documentation_url: t.string,
  extracted_from: t.string,
  /** The graphs for which the algorithm is defined. */
  graph: oneOf('either', 'directed', 'undirected'),
  supports_weights: t.boolean,
  supports_write_back: t.boolean,
  most_nodes: nullable(t.number),
  most_edges: nullable(t.number),
  example: fields({ method: t.string, path: t.string, body: t.UnknownRecord }),
});

const Word = text({ min: 1, max: 255 });
const named = fields({ name: t.string });
const STARTED = ['PERMISSION_DENIED', 'RESOURCE_LOCKED'] as const;

const statusAt = (path: `/${string}`) =>
  endpoint(`GET ${path}`, {
    ...reading,
    ...ofExecution,
    summary: 'Get the status and result of a run',
    success: data(ExecutionStatus),
    errors: ['EXECUTION_NOT_FOUND'],
  });

/** Algorithms of instances on DuckDB: the native ones and those of the graph library. */
export const GRAPHDB_A_ALGORITHM_ENDPOINTS = {
  listAlgorithms: endpoint('GET /algo/algorithms', {
    ...reading,
    summary: "The instance's own algorithms",
    query: fields({ category: optional(Word) }),
    success: flat(fields({ algorithms: t.readonlyArray(fields(NativeAlgorithm)) })),
  }),
  getAlgorithm: endpoint('GET /algo/algorithms/{name}', {
    ...reading,
    summary: "One of the instance's own algorithms",
    resource: 'algorithm',
    params: named,
    success: flat(fields({ ...NativeAlgorithm, long_description: t.string })),
    errors: ['ALGORITHM_NOT_FOUND'],
  }),
  algorithmStatus: statusAt('/algo/status/{execution_id}'),
  listExecutions: listOf(ExecutionStatus),
  ...EXECUTION_ENDPOINTS,
  startAlgorithm: endpoint('POST /algo/{name}', {
    ...starting,
    summary: "Start one of the instance's own algorithms",
    params: named,
    body: t.UnknownRecord,
    success: accepted(StartedExecution),
    errors: ['ALGORITHM_NOT_FOUND', ...STARTED],
  }),
  listGraphlibAlgorithms: endpoint('GET /graphlib/algorithms', {
    ...reading,
    summary: 'The algorithms of the graph library',
    query: fields({ category: optional(Word), search: optional(Word) }),
    success: data(
      fields({
        algorithms: t.readonlyArray(fields(GraphlibAlgorithm)),
        categories: t.readonlyArray(t.string),
        total: t.number,
      }),
    ),
  }),
  getGraphlibAlgorithm: endpoint('GET /graphlib/algorithms/{name}', {
    ...reading,
    summary: 'One algorithm of the graph library, by its name or an alias',
    resource: 'algorithm',
    params: named,
    success: flat(GraphlibDetails),
    errors: ['ALGORITHM_NOT_FOUND'],
  }),
  graphlibStatus: statusAt('/graphlib/status/{execution_id}'),
  startGraphlibAlgorithm: endpoint('POST /graphlib/{name}', {
    ...starting,
    summary: 'Start an algorithm of the graph library',
    params: named,
    body: t.UnknownRecord,
    success: { status: 202, shape: 'flat', body: StartedExecution },
    errors: ['ALGORITHM_UNKNOWN', ...STARTED],
  }),
};
