import * as t from 'io-ts';
import { fields, integer, nullable, oneOf, optional, text } from '../../../domain/kernel/codecs';
import { described, endpoint, flat, jsonSchemaOf } from '../../http/kit';
import { GRAPHDB_A_ALGORITHM_ENDPOINTS } from './algorithm-endpoints';
import { needsGraph, reading } from './execution-endpoints';
import { EXPORT_MEDIA } from './export-formats';
import { GRAPHDB_B_ALGORITHM_ENDPOINTS } from './procedure-endpoints';

const MAX_DEPTH = 64;

/** Recursion stops at the limit, so that the stack is bounded. */
const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1)));

const Value = described(
  { description: `Any JSON value; maximum depth of lists and objects: ${MAX_DEPTH}` },
  new t.Type<unknown>(
    'QueryParameter',
    (value): value is unknown => !isDeeperThan(value, MAX_DEPTH),
    (value, context) =>
      isDeeperThan(value, MAX_DEPTH)
        ? t.failure(value, context, `has lists or objects more than ${MAX_DEPTH} deep in each other; send it flatter`)
        : t.success(value),
    t.identity,
  ),
);

/** The parameters of a query by name. Their depth is limited, so that recursion is safe. */
const QueryParameters = t.record(t.string, Value);

const MiB = 1024 * 1024;
const names = t.readonlyArray(t.string);
const typeMap = t.record(t.string, t.string);

export const Liveness = fields({ status: t.string, timestamp: t.string });

export const LockState = fields({
  locked: t.boolean,
  holder_id: optional(t.string),
  holder_username: optional(t.string),
  algorithm_name: optional(t.string),
  execution_id: optional(t.string),
  acquired_at: optional(t.string),
});

export const LockAnswer = fields({ lock: LockState, running_queries: optional(t.number) });

const PodInformation = fields({
  name: t.string,
  instance_id: t.number,
  wrapper_type: t.string,
  instance_url: t.string,
  endpoints: t.readonlyArray(fields({ method: t.string, path: t.string, summary: t.string })),
});

const InstanceStatusAnswer = fields({
  status: oneOf('loading', 'running'),
  instance_id: t.number,
  snapshot_id: nullable(t.number),
  mapping_id: nullable(t.number),
  owner_username: t.string,
  ready: t.boolean,
  started_at: t.string,
  uptime_seconds: t.number,
  node_count: nullable(t.number),
  edge_count: nullable(t.number),
  node_tables: names,
  edge_tables: names,
  memory_usage_bytes: t.number,
  disk_usage_bytes: t.number,
  running_queries: t.number,
  lock: fields({ locked: t.boolean }),
});

const GraphDescription = fields({
  node_tables: t.readonlyArray(
    fields({
      label: t.string,
      primary_key: t.string,
      primary_key_type: t.string,
      properties: typeMap,
      node_count: t.number,
    }),
  ),
  edge_tables: t.readonlyArray(
    fields({ type: t.string, from_node: t.string, to_node: t.string, properties: typeMap, edge_count: t.number }),
  ),
  total_nodes: t.number,
  total_edges: t.number,
});

const Cypher = text({ min: 1, max: 100_000 });
/** How often one relationship may match in a MATCH: once, or any number of times. */
const Uniqueness = oneOf('relationship', 'none');
const QUERY_OPTIONS = {
  parameters: optional(QueryParameters),
  timeout_ms: optional(integer(1_000, 1_800_000)),
  uniqueness: optional(Uniqueness),
};
export const QueryBody = fields({ query: Cypher, ...QUERY_OPTIONS });
export const SubgraphBody = fields({ cypher: Cypher, ...QUERY_OPTIONS });

export const MAX_REQUESTED_NODES = 1_000;
/** Nodes by the `_id`s that queries return, and a filter of their neighbours. */
export const NeighboursBody = fields({
  nodes: names,
  edge_types: optional(names),
  direction: optional(oneOf('out', 'in', 'both')),
  /** Most edges to return; 0: only the counts and the nodes themselves. */
  limit: optional(integer(0, 10_000)),
  timeout_ms: QUERY_OPTIONS.timeout_ms,
});

/** Among the warnings of an answer that is `truncated`. */
export const TRUNCATED_WARNING =
  'Rows are missing: an answer in JSON has at most 100,000 rows and 64 MiB. Export the result as CSV, NDJSON or Arrow to ' +
  'get all rows, or return fewer.';

/** Rows as text, because 64-bit integers are exact in text. */
export const QueryAnswer = fields({
  columns: names,
  column_types: names,
  rows: t.readonlyArray(t.UnknownArray),
  row_count: t.number,
  execution_time_ms: t.number,
  truncated: t.boolean,
  warnings: optional(names),
});

const entity = <P extends t.Props>(props: P) => t.intersection([t.type(props), t.UnknownRecord]);
const entities = {
  nodes: t.readonlyArray(entity({ _id: t.string, _label: t.string })),
  edges: t.readonlyArray(entity({ _id: t.string, _type: t.string, _from: t.string, _to: t.string })),
  node_count: t.number,
  edge_count: t.number,
  execution_time_ms: t.number,
  truncated: t.boolean,
};
const Subgraph = fields({ ...entities, warnings: optional(names) });
/**
 * The nodes of the request, their neighbours, and the edges between them; `counts`: of all edges, including omitted
 * ones.
 */
export const NeighboursAnswer = fields({
  data: fields({
    counts: t.readonlyArray(
      fields({ type: t.string, direction: oneOf('out', 'in'), label: t.string, count: t.number }),
    ),
    ...entities,
  }),
});

const querying = {
  ...needsGraph,
  access: 'anybody',
  maxBodyBytes: 8 * MiB,
  exactField: 'parameters',
  errors: ['GRAPHDB_A_ERROR', 'GRAPHDB_B_ERROR', 'QUERY_TIMEOUT'],
} as const;

const jsonTextOf = (codec: t.Mixed) => described(jsonSchemaOf(codec, codec.name), t.string);

/** Endpoints of instance pods, except those of algorithms. */
export const INSTANCE_ENDPOINTS = {
  information: endpoint('GET /', {
    access: 'anybody',
    summary: 'Description of this pod and its API',
    success: flat(PodInformation),
  }),
  describeApi: endpoint('GET /openapi.json', {
    access: 'anybody',
    summary: 'This description, as OpenAPI 3.1',
    success: flat(t.UnknownRecord),
  }),
  health: endpoint('GET /health', {
    access: 'anybody',
    summary: 'Whether the process is alive',
    success: flat(Liveness),
  }),
  ready: endpoint('GET /ready', {
    ...reading,
    summary: 'Whether the graph is loaded',
    success: flat(Liveness),
  }),
  status: endpoint('GET /status', {
    access: 'anybody',
    summary: 'State, size and usage of the instance',
    success: flat(InstanceStatusAnswer),
  }),
  lock: endpoint('GET /lock', {
    access: 'anybody',
    summary: 'Holder of the lock: the user whose algorithm runs, and the number of running queries',
    success: flat(LockAnswer),
  }),
  schema: endpoint('GET /schema', {
    ...reading,
    summary: 'Labels, edge types, their properties and counts',
    success: flat(GraphDescription),
  }),
  language: endpoint('GET /language', {
    access: 'anybody',
    summary: 'Functions, procedures and keywords that queries of this kind may use',
    success: flat(fields({ functions: names, procedures: names, keywords: names })),
  }),
  query: endpoint('POST /query', {
    ...querying,
    summary: 'Run one read-only Cypher query',
    body: QueryBody,
    success: { status: 200, shape: 'json_text', body: jsonTextOf(QueryAnswer), media: EXPORT_MEDIA },
  }),
  subgraph: endpoint('POST /subgraph', {
    ...querying,
    summary: 'Run one read-only Cypher query; returns the nodes and edges in its result, each once',
    body: SubgraphBody,
    success: { status: 200, shape: 'json_text', body: jsonTextOf(fields({ data: Subgraph })) },
  }),
  neighbours: endpoint('POST /neighbours', {
    ...querying,
    summary: 'The neighbours of up to 1,000 nodes, and the number of their edges by type, direction and label',
    body: NeighboursBody,
    success: { status: 200, shape: 'json_text', body: jsonTextOf(NeighboursAnswer) },
  }),
};

/** The API of an instance on DuckDB (`graphdb_a`). */
export const GRAPHDB_A_ENDPOINTS = { ...INSTANCE_ENDPOINTS, ...GRAPHDB_A_ALGORITHM_ENDPOINTS };

/** The API of an instance on FalkorDB (`graphdb_b`). */
export const GRAPHDB_B_ENDPOINTS = { ...INSTANCE_ENDPOINTS, ...GRAPHDB_B_ALGORITHM_ENDPOINTS };
