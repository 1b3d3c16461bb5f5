import { isLeft, left, right } from 'fp-ts/Either';
import { type Handlers } from '../../../adapters/http/kit';
import { domainError, type ErrorCode } from '../../../domain/kernel/errors';
import { catalogueOfProcedure, findProcedure, PROCEDURES, startProcedure } from '../algorithms/procedures';
import { type Execution, statusOf } from '../algorithms/executions';
import { type GRAPHDB_B_ALGORITHM_ENDPOINTS } from '../../../adapters/contracts/graph-pod/procedure-endpoints';
import { type EngineProcedures } from '../engine/engine-procedures';
import { type Instance } from '../instance';
import { type AlgorithmHandlerParts, cancel, unknownExecution } from './algorithm-handlers';

export interface ProcedureHandlerParts extends Omit<AlgorithmHandlerParts, 'algorithms'> {
  readonly instance: Instance;
  readonly procedures: EngineProcedures;
}

const reply = <A>(body: A) => Promise.resolve(right({ body }));

/** Handlers of FalkorDB's algorithms. */
export const createProcedureHandlers = (
  parts: ProcedureHandlerParts,
): Handlers<typeof GRAPHDB_B_ALGORITHM_ENDPOINTS, string, ErrorCode> => {
  const { executions, authorize, now } = parts;
  return {
    listProcedures: () => reply({ algorithms: PROCEDURES.map(catalogueOfProcedure), total_count: PROCEDURES.length }),
    getProcedure: ({ params }) => {
      const found = findProcedure(params.algorithm_name);
      return isLeft(found)
        ? Promise.resolve(left(domainError('ALGORITHM_NOT_FOUND', found.left.message)))
        : reply(catalogueOfProcedure(found.right));
    },
    procedureStatus: ({ params }) => {
      const execution = executions.find(params.execution_id);
      return execution === undefined
        ? Promise.resolve(left(unknownExecution(params.execution_id)))
        : reply(procedureExecution(execution, now()));
    },
    listProcedureExecutions: ({ query }) => {
      const chosen = executions
        .list()
        .filter((execution) => (query.status_filter ?? statusOf(execution)) === statusOf(execution));
      const shown = chosen.slice(0, query.limit ?? 20).map((execution) => procedureExecution(execution, now()));
      return reply({ executions: shown, total_count: chosen.length });
    },
    cancelExecution: ({ params, identity }) => cancel(params.execution_id, identity, parts),
    startProcedure: async ({ params, body, identity }) => {
      const procedure = findProcedure(params.algorithm_name);
      if (isLeft(procedure)) return procedure;
      const username = await authorize(identity);
      if (isLeft(username)) return username;
      const started = startProcedure(procedure.right, body, username.right, parts);
      return isLeft(started) ? started : right({ body: procedureExecution(started.right, now()) });
    },
  };
};

const procedureExecution = (execution: Execution, now: Date) => {
  const { executionId, algorithm, username, startedAt, propertyName, writeBack, end } = execution;
  const common = {
    execution_id: executionId,
    algorithm_name: algorithm,
    algorithm_type: 'native' as const,
    status: statusOf(execution),
    started_at: startedAt.toISOString(),
    user_id: username,
    user_name: username,
    result_property: propertyName,
    write_back: writeBack,
  };
  const elapsed = (until: Date): number => until.getTime() - startedAt.getTime();
  if (end === null) return { ...common, elapsed_ms: elapsed(now) };
  const ended = { ...common, duration_ms: elapsed(end.at) };
  const at = end.at.toISOString();
  if (end.status === 'failed') return { ...ended, failed_at: at, error_message: end.error };
  if (end.status === 'cancelled') return { ...ended, cancelled_at: at };
  return { ...ended, completed_at: at, nodes_updated: end.result.kind === 'property' ? end.result.nodesUpdated : 0 };
};
