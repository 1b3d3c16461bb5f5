import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type GRAPHDB_B_ALGORITHM_ENDPOINTS } from '../../../adapters/contracts/graph-pod/procedure-endpoints';
import { type Handlers } from '../../../adapters/http/kit';
import { domainError, type DomainError } from '../../../domain/kernel/errors';
import { type ProcedureAlgorithm } from '../algorithms/algorithm';
import { falkordbRequest } from '../algorithms/algorithm-request';
import { type Execution } from '../algorithms/execution';
import { FALKORDB_ALGORITHMS } from '../algorithms/falkordb-algorithms';
import { shownParameters } from '../algorithms/signature';
import { aboutStart, falkordbExecution } from './execution-views';
import { type AlgorithmHandlerParts, replyWith, runHandlers } from './run-handlers';

/** Handlers of the algorithms FalkorDB runs. */
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

const find = (name: string): Either<DomainError<'QUERY_ERROR'>, ProcedureAlgorithm> => {
  const found = FALKORDB_ALGORITHMS.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return right(found);
  const available = FALKORDB_ALGORITHMS.map((algorithm) => algorithm.name);
  const message = `Unknown algorithm ${name}; available: ${available.join(', ')}.`;
  return left(domainError('QUERY_ERROR', message, { algorithm: name, available }));
};

const describe = (algorithm: ProcedureAlgorithm) => ({
  name: algorithm.name,
  display_name: algorithm.displayName,
  category: algorithm.category,
  description: algorithm.description,
  cypher_procedure: algorithm.cypherProcedure,
  supports_write_back: true,
  default_timeout_ms: algorithm.defaultTimeoutMs,
  parameters: shownParameters(algorithm.parameters),
});
