import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type GRAPHDB_B_ALGORITHM_ENDPOINTS } from '../../../adapters/contracts/graph-pod/procedure-endpoints';
import { type Handlers } from '../../../adapters/http/kit';
import { domainError, type DomainError } from '../../../domain/kernel/errors';
import { type ProcedureAlgorithm } from '../algorithms/algorithm';
import { falkordbRequest } from '../algorithms/algorithm-request';
import { FALKORDB_ALGORITHMS } from '../algorithms/falkordb-algorithms';
import { shownParameters } from '../algorithms/signature';
import { falkordbExecution } from './execution-views';
import { type AlgorithmHandlerParts, runHandlers } from './run-handlers';

const reply = <A>(body: A) => right({ body });

/** Handlers of the algorithms FalkorDB runs. */
export const falkordbAlgorithmHandlers = (
  parts: AlgorithmHandlerParts,
): Handlers<typeof GRAPHDB_B_ALGORITHM_ENDPOINTS, string> => {
  const { now } = parts;
  const runs = runHandlers(parts, falkordbExecution);
  const told = <E>(found: Either<E, Parameters<typeof falkordbExecution>[0]>) =>
    isLeft(found) ? found : reply(falkordbExecution(found.right, now()));
  return {
    listProcedures: async () =>
      reply({ algorithms: FALKORDB_ALGORITHMS.map(describe), total_count: FALKORDB_ALGORITHMS.length }),
    getProcedure: async ({ params }) => {
      const found = find(params.algorithm_name);
      return isLeft(found)
        ? left(domainError('ALGORITHM_NOT_FOUND', found.left.message))
        : reply(describe(found.right));
    },
    procedureStatus: async ({ params }) => told(runs.find(params.execution_id)),
    listProcedureExecutions: runs.list,
    cancelExecution: runs.cancel,
    startProcedure: async ({ params, body, identity }) =>
      told(await runs.start(identity, find(params.algorithm_name), (algorithm) => falkordbRequest(algorithm, body))),
  };
};

const find = (name: string): Either<DomainError<'QUERY_ERROR'>, ProcedureAlgorithm> => {
  const found = FALKORDB_ALGORITHMS.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return right(found);
  const available = FALKORDB_ALGORITHMS.map((algorithm) => algorithm.name);
  const message = `There is no algorithm ${name}; available: ${available.join(', ')}.`;
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
