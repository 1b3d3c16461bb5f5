import { isLeft, left, right } from 'fp-ts/Either';
import { type INSTANCE_ENDPOINTS } from '../../../adapters/contracts/graph-pod/endpoints';
import { exportFormatOf } from '../../../adapters/contracts/graph-pod/export-formats';
import { type AnyEndpoint, type EndpointRequest, type Handlers } from '../../../adapters/http/kit';
import { proportionalBytes } from '../../../adapters/system/process-table';
import { mapRight } from '../../../domain/kernel/either';
import { domainError } from '../../../domain/kernel/errors';
import { type AlgorithmService } from '../algorithms/algorithm-service';
import { KEYWORDS } from '../engine/cypher/gate';
import { VOCABULARY as DUCKDB } from '../engine/duckdb/compile/functions';
import { VOCABULARY as FALKORDB } from '../engine/falkordb/vocabulary';
import { type QueryClient } from '../engine/graph-engine';
import { type GraphProperty } from '../engine/graph-schema';
import { type Instance, rowCountOf, totalRows } from '../instance';
import { type LoadedGraph } from '../loading/load-graph';
import { diskBytes } from '../resources';
import { answerNeighbours } from './neighbours';
import { answerText, createExportHandler, createQueryHandler, type QueryParts } from './query-handler';
import { subgraphText } from './subgraph-text';

export interface HandlerParts extends QueryParts {
  readonly instance: Instance;
  readonly algorithms: AlgorithmService;
  /** Every operation of this pod, to be listed at `/`. */
  readonly endpoints: readonly AnyEndpoint[];
  /** The OpenAPI document of this pod. */
  readonly description: Readonly<Record<string, unknown>>;
  readonly now: () => Date;
}

const reply = <A>(body: A) => Promise.resolve(right({ body }));
const notLoaded = Promise.resolve(
  left(domainError('SERVICE_UNAVAILABLE', 'The graph is not loaded; ask again in a moment.')),
);

// oxlint-disable-next-line max-lines-per-function -- A table of small handlers.
export const createHandlers = (parts: HandlerParts): Handlers<typeof INSTANCE_ENDPOINTS, string> => {
  const { instance, engine, algorithms, endpoints, description, now } = parts;
  const { settings } = instance;
  const runQuery = createQueryHandler(parts, answerText);
  const runExport = createExportHandler(parts);
  const answerOf = createQueryHandler(parts, (answer) => answer);
  const runSubgraph = createQueryHandler(parts, subgraphText);
  const alive = (status: string) => reply({ status, timestamp: now().toISOString() });

  return {
    information: () =>
      reply({
        name: 'rowgraph instance',
        instance_id: settings.instanceId,
        wrapper_type: settings.wrapperType,
        instance_url: settings.instanceUrl,
        endpoints: endpoints.map(({ method, path, summary }) => ({ method, path, summary })),
      }),
    describeApi: () => reply(description),
    health: () => alive('healthy'),
    ready: () => (instance.graph === null ? notLoaded : alive('ready')),
    status: () => statusOf(parts),
    lock: () => {
      const holder = algorithms.runs.holder();
      const running_queries = parts.statistics.running;
      if (holder === undefined) return reply({ lock: { locked: false }, running_queries });
      return reply({
        running_queries,
        lock: {
          locked: true,
          holder_id: holder.username,
          holder_username: holder.username,
          algorithm_name: holder.request.name,
          execution_id: holder.executionId,
          acquired_at: holder.startedAt.toISOString(),
        },
      });
    },
    schema: () => {
      const graph = instance.graph;
      return graph === null ? notLoaded : reply(describeGraph(graph));
    },
    language: () => reply(languageOf(engine.kind)),
    query: async ({ body, mediaType, ignoredFields, ...request }) => {
      const client = clientOf(request);
      const format = exportFormatOf(mediaType);
      if (format === null || mediaType === null)
        return mapRight(await runQuery(body, client, ignoredFields), (text) => ({ body: text }));
      const exported = await runExport(body, format, client);
      if (isLeft(exported)) return exported;
      const { rows, warnings } = exported.right;
      return right({ body: '', bodyPieces: rows, mediaType, warnings });
    },
    subgraph: async ({ body: { cypher, ...more }, ignoredFields, ...request }) => {
      const answer = await runSubgraph({ ...more, query: cypher }, clientOf(request), ignoredFields);
      return isLeft(answer) ? answer : right({ body: `{"data":${await answer.right}}` });
    },
    neighbours: async ({ body, ...request }) => {
      if (instance.graph === null) return notLoaded;
      const { kind } = engine;
      const client = clientOf(request);
      const ask = (query: string) => answerOf({ ...body, query }, client);
      const answer = await answerNeighbours({ schema: instance.graph.schema, kind, body, ask });
      return isLeft(answer) ? answer : right({ body: answer.right });
    },
  };
};

const statusOf = async ({ instance, engine, algorithms, statistics, now }: HandlerParts) => {
  const { graph, mapping, settings, startedAt } = instance;
  return right({
    body: {
      status: graph === null ? ('loading' as const) : ('running' as const),
      instance_id: settings.instanceId,
      snapshot_id: mapping?.snapshot_id ?? null,
      mapping_id: mapping?.mapping_id ?? null,
      owner_username: settings.ownerUsername,
      ready: graph !== null,
      started_at: startedAt.toISOString(),
      uptime_seconds: Math.floor((now().getTime() - startedAt.getTime()) / 1000),
      node_count: graph === null ? null : totalRows(graph.nodes),
      edge_count: graph === null ? null : totalRows(graph.edges),
      node_tables: graph?.nodes.map(({ name }) => name) ?? [],
      edge_tables: graph?.edges.map(({ name }) => name) ?? [],
      memory_usage_bytes: await proportionalBytes([process.pid, ...engine.processIds(), ...algorithms.processIds()]),
      disk_usage_bytes: await diskBytes(settings.dataDirectory),
      running_queries: statistics.running,
      lock: { locked: algorithms.runs.holder() !== undefined },
    },
  });
};

const VOCABULARIES = { graphdb_a: DUCKDB, graphdb_b: FALKORDB };
const sortedNames = (names: ReadonlySet<string>): readonly string[] =>
  [...names].map((name) => name.toLowerCase()).sort();

const languageOf = (kind: keyof typeof VOCABULARIES) => ({
  functions: sortedNames(new Set([...VOCABULARIES[kind].functions, ...VOCABULARIES[kind].computed])),
  procedures: sortedNames(VOCABULARIES[kind].procedures),
  keywords: [...KEYWORDS],
});

/** The graph as `/schema` shows it: from the mapping and the load, written-back properties included. */
const describeGraph = ({ schema, nodes, edges }: LoadedGraph) => ({
  node_tables: schema.nodeTables.map(({ label, primaryKey, properties }) => ({
    label,
    primary_key: primaryKey.name,
    primary_key_type: primaryKey.declaredType,
    properties: typesByName(properties),
    node_count: rowCountOf(nodes, label),
  })),
  edge_tables: schema.edgeTables.map(({ type, fromNode, toNode, properties }) => ({
    type,
    from_node: fromNode,
    to_node: toNode,
    properties: typesByName(properties),
    edge_count: rowCountOf(edges, type),
  })),
  total_nodes: totalRows(nodes),
  total_edges: totalRows(edges),
});

const typesByName = (properties: readonly GraphProperty[]): Record<string, string> =>
  Object.fromEntries(properties.map(({ name, declaredType }) => [name, declaredType]));

type Asking = Pick<EndpointRequest<unknown, unknown, unknown, unknown>, 'header' | 'address' | 'disconnected'>;

/**
 * The client for the fair use of slots: the user named by the edge, else the caller's address that the edge appends to
 * `X-Forwarded-For`, else the address of the connection.
 */
export const clientOf = ({ header, address, disconnected }: Asking): QueryClient => {
  const username = header('X-Username');
  const forwardedFor = header('X-Forwarded-For')?.split(',').at(-1)?.trim();
  return { name: username === undefined ? `address ${forwardedFor ?? address}` : `user ${username}`, disconnected };
};
