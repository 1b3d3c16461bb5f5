import { createReadStream } from 'node:fs';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type BodyPieces, type Handlers } from '../../../adapters/http/kit';
import { domainError, type DomainError, type ErrorCode } from '../../../domain/kernel/errors';
import { catalogue, type CatalogueEntry, findEntry, nearestNames, shownParameters } from '../algorithms/catalogue';
import { type AlgorithmService } from '../algorithms/algorithm-service';
import { type Execution, type Executions, type RunTimings, statusOf } from '../algorithms/executions';
import { entryOf, NATIVE_ALGORITHMS, nativeParameters, nativeRequest, type NativeAlgorithm } from '../algorithms/native-algorithms'; // prettier-ignore
import { graphlibRequest, type RunRequest } from '../algorithms/run-request';
import { type Runs } from '../algorithms/runs';
import { type GRAPHDB_A_ALGORITHM_ENDPOINTS } from '../../../adapters/contracts/graph-pod/algorithm-endpoints';
import { type AuthorizeCaller } from './authorize-caller';

export interface AlgorithmHandlerParts {
  readonly algorithms: AlgorithmService;
  readonly runs: Runs;
  readonly executions: Executions;
  readonly authorize: AuthorizeCaller;
  readonly now: () => Date;
}

const reply = <A>(body: A) => Promise.resolve(right({ body }));

/** Handlers of kind A's algorithms. */
export const createAlgorithmHandlers = (
  parts: AlgorithmHandlerParts,
): Handlers<typeof GRAPHDB_A_ALGORITHM_ENDPOINTS, string, ErrorCode> => {
  const { algorithms, runs, executions, authorize, now } = parts;

  const start = async (
    caller: string,
    found: Either<DomainError, { readonly name: string; readonly request: () => Either<DomainError, RunRequest> }>,
  ) => {
    if (isLeft(found)) return found;
    const username = await authorize(caller);
    if (isLeft(username)) return username;
    const request = found.right.request();
    if (isLeft(request)) return request;
    const started = algorithms.start(request.right, found.right.name, username.right);
    if (isLeft(started)) return started;
    return right({
      body: {
        execution_id: started.right.executionId,
        algorithm: started.right.algorithm,
        status: 'running' as const,
        lock_acquired: true,
        started_at: started.right.startedAt.toISOString(),
      },
    });
  };

  const status = (executionId: string) => {
    const execution = executions.find(executionId);
    return Promise.resolve(
      execution === undefined ? left(unknownExecution(executionId)) : right(replyOf(execution, now())),
    );
  };

  return {
    listAlgorithms: ({ query }) => {
      const shown = NATIVE_ALGORITHMS.map(describeNative);
      return reply({ algorithms: shown.filter(({ category }) => (query.category ?? category) === category) });
    },
    getAlgorithm: ({ params }) => {
      const found = findNative(params.name);
      return isLeft(found)
        ? Promise.resolve(found)
        : reply({ ...describeNative(found.right), long_description: entryOf(found.right).details });
    },
    algorithmStatus: ({ params }) => status(params.execution_id),
    listExecutions: ({ query }) => {
      const all = executions.list();
      const chosen = all.filter((execution) => (query.status_filter ?? statusOf(execution)) === statusOf(execution));
      const shown = chosen.slice(0, query.limit ?? 20).map((execution) => executionStatus(execution, now()));
      return reply({ executions: shown, total_count: chosen.length });
    },
    cancelExecution: ({ params, identity }) => cancel(params.execution_id, identity, { runs, authorize }),
    startAlgorithm: ({ params, body, identity }) => {
      const found = findNative(params.name);
      const request = (algorithm: NativeAlgorithm) => ({
        name: algorithm.name,
        request: () => nativeRequest(algorithm, body),
      });
      return start(identity, isLeft(found) ? found : right(request(found.right)));
    },
    listGraphlibAlgorithms: ({ query }) => {
      const wanted = query.search?.toLowerCase() ?? '';
      const chosen = catalogue().filter(
        ({ name, aliases, category, description }) =>
          (query.category ?? category) === category &&
          [name, ...aliases, description].some((words) => words.toLowerCase().includes(wanted)),
      );
      const categories = [...new Set(catalogue().map(({ category }) => category))].sort();
      return reply({ algorithms: chosen.map(describeEntry), categories, total: chosen.length });
    },
    getGraphlibAlgorithm: ({ params }) => {
      const entry = findEntry(params.name);
      return entry === null
        ? Promise.resolve(left(unknownAlgorithm('ALGORITHM_NOT_FOUND', params.name)))
        : reply(describeInFull(entry));
    },
    graphlibStatus: ({ params }) => status(params.execution_id),
    startGraphlibAlgorithm: ({ params, body, identity }) => {
      const entry = findEntry(params.name);
      return start(
        identity,
        entry === null
          ? left(unknownAlgorithm('ALGORITHM_UNKNOWN', params.name))
          : right({ name: entry.name, request: () => graphlibRequest(entry, body) }),
      );
    },
  };
};

/** Ends a run for somebody who may. */
export const cancel = async (
  executionId: string,
  caller: string,
  { runs, authorize }: Pick<AlgorithmHandlerParts, 'runs' | 'authorize'>,
) => {
  const username = await authorize(caller);
  if (isLeft(username)) return username;
  const cancelled = await runs.cancel(executionId);
  return isLeft(cancelled) ? cancelled : right({ body: { status: 'cancelled' as const, execution_id: executionId } });
};

export const unknownExecution = (executionId: string): DomainError =>
  domainError(
    'EXECUTION_NOT_FOUND',
    `There is no execution ${executionId}; the pod knows the last hundred since it started.`,
    {
      execution_id: executionId,
    },
  );

const findNative = (name: string): Either<DomainError, NativeAlgorithm> => {
  const found = NATIVE_ALGORITHMS.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return right(found);
  const names = NATIVE_ALGORITHMS.map((algorithm) => algorithm.name);
  const [suggestion = null] = nearestNames(name, names);
  const elsewhere = findEntry(name) === null ? '' : ` /graphlib/${name} is one of the graph library.`;
  const message = `There is no native algorithm ${name}; there are: ${names.join(', ')}.${elsewhere}`;
  return left(domainError('ALGORITHM_NOT_FOUND', message, { algorithm: name, suggestion }));
};

const unknownAlgorithm = (code: 'ALGORITHM_NOT_FOUND' | 'ALGORITHM_UNKNOWN', name: string): DomainError => {
  const suggestions = nearestNames(
    name,
    catalogue().flatMap((entry) => [entry.name, ...entry.aliases]),
  );
  const [suggestion = null] = suggestions;
  const hint = suggestion === null ? 'GET /graphlib/algorithms lists all' : `did you mean ${suggestions.join(', ')}?`;
  return domainError(code, `There is no algorithm ${name} in the graph library; ${hint}.`.replace('?.', '?'), {
    algorithm: name,
    suggestion,
    suggestions,
  });
};

const describeNative = (algorithm: NativeAlgorithm) => {
  const { category, description } = entryOf(algorithm);
  return {
    name: algorithm.name,
    type: 'native' as const,
    category,
    description,
    parameters: nativeParameters(algorithm),
    returns: algorithm.path ? 'path' : 'property',
  };
};

const describeEntry = ({ name, category, description, returns, parameters }: CatalogueEntry) => ({
  name,
  category,
  description,
  returns,
  params: shownParameters(parameters),
});

const describeInFull = (entry: CatalogueEntry) => ({
  ...describeEntry(entry),
  aliases: entry.aliases,
  long_description: `${entry.description} ${entry.details}`,
  function_path: entry.functionPath,
  documentation_url: entry.documentationUrl,
  extracted_from: entry.extractedFrom,
  graph: entry.graph,
  supports_weights: entry.weighted,
  supports_write_back: entry.valueType !== null && entry.returns === 'node_values',
  most_nodes: entry.mostNodes,
  most_edges: entry.mostEdges,
  example: { method: 'POST', path: `/graphlib/${entry.name}`, body: exampleBody(entry) },
});

const exampleBody = ({ parameters, ends }: CatalogueEntry): Record<string, unknown> => ({
  ...(ends.startsWith('source') ? { source: 'ada' } : {}),
  ...(ends === 'source and target' ? { target: 'bob' } : {}),
  params: Object.fromEntries(
    Object.entries(parameters).map(([name, { fallback, type }]) => [
      name,
      fallback ?? (type.startsWith('array') ? [['ada'], ['bob']] : null),
    ]),
  ),
});

const executionStatus = (execution: Execution, now: Date) => {
  const { executionId, algorithm, type, username, startedAt, propertyName, progress, timings, end } = execution;
  const common = {
    execution_id: executionId,
    algorithm,
    algorithm_type: type,
    started_at: startedAt.toISOString(),
    user_name: username,
    ...(Object.keys(timings).length === 0 ? {} : { timings: shownTimings(timings) }),
  };
  const seconds = (until: Date): number => (until.getTime() - startedAt.getTime()) / 1000;
  if (end === null) return { ...common, status: 'running' as const, elapsed_seconds: seconds(now), progress };
  const ended = { ...common, status: end.status, duration_seconds: seconds(end.at) };
  const at = end.at.toISOString();
  if (end.status === 'failed') return { ...ended, failed_at: at, error: end.error };
  if (end.status === 'cancelled') return { ...ended, cancelled_at: at };
  if (end.result.kind === 'file') return { ...ended, completed_at: at };
  return {
    ...ended,
    completed_at: at,
    result: { property_name: propertyName ?? '', nodes_updated: end.result.nodesUpdated },
  };
};

const shownTimings = (timings: Partial<RunTimings>) => ({
  graph_seconds: timings.graphSeconds,
  graph_memory_bytes: timings.graphMemoryBytes,
  compute_seconds: timings.computeSeconds,
  output_seconds: timings.outputSeconds,
  store_seconds: timings.storeSeconds,
});

/** Of a status whose result is kept in a file, the file goes out as it is read: it may have a value per node. */
const replyOf = (execution: Execution, now: Date) => {
  const body = executionStatus(execution, now);
  const { end } = execution;
  if (end?.status !== 'completed' || end.result.kind !== 'file') return { body };
  return { body, bodyPieces: withResult(JSON.stringify(body), end.result.file) };
};

async function* withResult(body: string, file: string): BodyPieces {
  yield `${body.slice(0, -1)},"result":`;
  yield* createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Uint8Array>;
  yield '}';
}

const PIECE_BYTES = 256 * 1024;
