import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type GRAPHDB_A_ALGORITHM_ENDPOINTS } from '../../../adapters/contracts/graph-pod/algorithm-endpoints';
import { type GRAPHDB_B_ALGORITHM_ENDPOINTS } from '../../../adapters/contracts/graph-pod/procedure-endpoints';
import { type Handlers } from '../../../adapters/http/kit';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { nearestNames } from '../../../domain/kernel/nearest-names';
import { duckdbRequest, falkordbRequest, graphlibRequest } from '../algorithms/algorithm-request';
import { findAlgorithm, GRAPH_LIBRARY } from '../algorithms/catalogue';
import {
  DUCKDB_ALGORITHMS,
  type DuckdbAlgorithm,
  FALKORDB_ALGORITHMS,
  type FalkordbAlgorithm,
} from '../algorithms/native-algorithms';
import { type Execution } from '../algorithms/runs';
import { shownParameters } from '../algorithms/signature';
import {
  aboutStart,
  type AlgorithmHandlerParts,
  duckdbExecution,
  duckdbReply,
  falkordbExecution,
  replyWith,
  runHandlers,
} from './run-handlers';

type LibraryEntry = (typeof GRAPH_LIBRARY)[number];

const reply = <A>(body: A) => Promise.resolve(right({ body }));

/** Handlers of the algorithms an instance on DuckDB computes: its own, and those of the graph library. */
export const duckdbAlgorithmHandlers = (
  parts: AlgorithmHandlerParts,
): Handlers<typeof GRAPHDB_A_ALGORITHM_ENDPOINTS, string, 'UNAUTHORIZED'> => {
  const { now } = parts;
  const runs = runHandlers(parts, duckdbExecution);
  const status = ({ params }: { readonly params: { readonly execution_id: string } }) => {
    const found = runs.find(params.execution_id);
    return Promise.resolve(isLeft(found) ? found : right(duckdbReply(found.right, now())));
  };
  return {
    listAlgorithms: ({ query }) => {
      const shown = DUCKDB_ALGORITHMS.map(describeNative);
      return reply({ algorithms: shown.filter(({ category }) => (query.category ?? category) === category) });
    },
    getAlgorithm: ({ params }) =>
      replyWith(findNative(params.name), (found) => ({
        ...describeNative(found),
        long_description: found.algorithm.details,
      })),
    algorithmStatus: status,
    listExecutions: runs.list,
    cancelExecution: runs.cancel,
    startAlgorithm: async ({ params, body, identity }) =>
      replyWith(await runs.start(identity, findNative(params.name), (found) => duckdbRequest(found, body)), started),
    listGraphlibAlgorithms: ({ query }) => {
      const wanted = query.search?.toLowerCase() ?? '';
      const chosen = GRAPH_LIBRARY.filter(
        ({ name, aliases, category, description }) =>
          (query.category ?? category) === category &&
          [name, ...aliases, description].some((text) => text.toLowerCase().includes(wanted)),
      );
      const categories = [...new Set(GRAPH_LIBRARY.map(({ category }) => category))].sort();
      return reply({ algorithms: chosen.map(describeEntry), categories, total: chosen.length });
    },
    getGraphlibAlgorithm: ({ params }) => replyWith(findEntry('ALGORITHM_NOT_FOUND', params.name), describeInFull),
    graphlibStatus: status,
    startGraphlibAlgorithm: async ({ params, body, identity }) => {
      const found = findEntry('ALGORITHM_UNKNOWN', params.name);
      return replyWith(await runs.start(identity, found, (algorithm) => graphlibRequest(algorithm, body)), started);
    },
  };
};

const started = (execution: Execution) => ({
  execution_id: execution.executionId,
  algorithm: execution.request.name,
  status: 'running' as const,
  lock_acquired: true,
  started_at: execution.startedAt.toISOString(),
  ...aboutStart(execution),
});

const findNative = (name: string): Either<DomainError<'ALGORITHM_NOT_FOUND'>, DuckdbAlgorithm> => {
  const found = DUCKDB_ALGORITHMS.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return right(found);
  const names = DUCKDB_ALGORITHMS.map((algorithm) => algorithm.name);
  const [suggestion = null] = nearestNames(name, names);
  const elsewhere = findAlgorithm(name) === undefined ? '' : ` /graphlib/${name} is one of the graph library.`;
  const message = `Unknown native algorithm ${name}; available: ${names.join(', ')}.${elsewhere}`;
  return left(domainError('ALGORITHM_NOT_FOUND', message, { algorithm: name, suggestion }));
};

const findEntry = <Code extends 'ALGORITHM_NOT_FOUND' | 'ALGORITHM_UNKNOWN'>(code: Code, name: string) => {
  const entry = findAlgorithm(name);
  if (entry !== undefined) return right(entry);
  const names = GRAPH_LIBRARY.flatMap((known) => [known.name, ...known.aliases]);
  const suggestions = nearestNames(name, names);
  const [suggestion = null] = suggestions;
  const hint = suggestion === null ? 'GET /graphlib/algorithms lists all.' : `did you mean ${suggestions.join(', ')}?`;
  const message = `Unknown algorithm ${name} in the graph library; ${hint}`;
  return left(domainError<typeof code>(code, message, { algorithm: name, suggestion, suggestions }));
};

const describeNative = ({ name, algorithm, fields }: DuckdbAlgorithm) => ({
  name,
  type: 'native' as const,
  category: algorithm.category,
  description: algorithm.description,
  parameters: fields,
  returns: algorithm.returns === 'path' ? 'path' : 'property',
});

const describeEntry = ({ name, category, description, returns, parameters }: LibraryEntry) => ({
  name,
  category,
  description,
  returns,
  params: shownParameters(parameters),
});

const describeInFull = (entry: LibraryEntry) => ({
  ...describeEntry(entry),
  ...(entry.engine === 'kernel'
    ? {
        function_path: `kernels.${entry.name}`,
        documentation_url: `https://networkx.org/documentation/stable/search.html?q=${entry.name}`,
        extracted_from: 'signature',
      }
    : {
        function_path: entry.callable.path,
        documentation_url: `https://graphology.github.io/standard-library/${entry.callable.path.replace(/^graphology-([a-z-]+).*/, '$1')}.html`,
        extracted_from: entry.callable.declaredIn,
      }),
  aliases: entry.aliases,
  long_description: `${entry.description} ${entry.details}`,
  graph: entry.graph,
  supports_weights: entry.weights !== null,
  supports_write_back: entry.valueType !== null && entry.returns === 'node_values',
  most_nodes: entry.maxNodes,
  most_edges: entry.maxEdges,
  example: { method: 'POST', path: `/graphlib/${entry.name}`, body: exampleBody(entry) },
});

const exampleBody = ({ parameters, ends }: LibraryEntry) => ({
  ...(ends.startsWith('source') && { source: 'ada' }),
  ...(ends === 'source and target' && { target: 'bob' }),
  params: Object.fromEntries(
    Object.entries(parameters).map(([name, { fallback, type }]) => [
      name,
      fallback ?? (type.startsWith('array') ? [['ada'], ['bob']] : null),
    ]),
  ),
});

/** Handlers of the algorithms of an instance on FalkorDB. */
export const falkordbAlgorithmHandlers = (
  parts: AlgorithmHandlerParts,
): Handlers<typeof GRAPHDB_B_ALGORITHM_ENDPOINTS, string, 'UNAUTHORIZED'> => {
  const { now } = parts;
  const runs = runHandlers(parts, falkordbExecution);
  const viewOf = (execution: Execution) => falkordbExecution(execution, now());
  const started = (execution: Execution) => ({ ...viewOf(execution), ...aboutStart(execution) });
  const all = { algorithms: FALKORDB_ALGORITHMS.map(describe), total_count: FALKORDB_ALGORITHMS.length };
  return {
    listProcedures: () => Promise.resolve(right({ body: all })),
    getProcedure: ({ params }) => {
      const found = find(params.algorithm_name);
      const notFound = isLeft(found) ? left(domainError('ALGORITHM_NOT_FOUND', found.left.message)) : found;
      return replyWith(notFound, describe);
    },
    procedureStatus: ({ params }) => replyWith(runs.find(params.execution_id), viewOf),
    listProcedureExecutions: runs.list,
    cancelExecution: runs.cancel,
    startProcedure: async ({ params, body, identity }) => {
      const found = find(params.algorithm_name);
      return replyWith(await runs.start(identity, found, (algorithm) => falkordbRequest(algorithm, body)), started);
    },
  };
};

const find = (name: string): Either<DomainError<'QUERY_ERROR'>, FalkordbAlgorithm> => {
  const found = FALKORDB_ALGORITHMS.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return right(found);
  const available = FALKORDB_ALGORITHMS.map((algorithm) => algorithm.name);
  const message = `Unknown algorithm ${name}; available: ${available.join(', ')}.`;
  return left(domainError('QUERY_ERROR', message, { algorithm: name, available }));
};

const describe = (algorithm: FalkordbAlgorithm) => ({
  name: algorithm.name,
  display_name: algorithm.displayName,
  category: algorithm.category,
  description: algorithm.description,
  cypher_procedure: algorithm.cypherProcedure,
  supports_write_back: true,
  default_timeout_ms: algorithm.defaultTimeoutMs,
  parameters: shownParameters(algorithm.parameters),
});
