import { createReadStream } from 'node:fs';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type BodyPieces } from '../../../adapters/http/kit';
import { type DomainError, domainError, type ErrorCode } from '../../../domain/kernel/errors';
import { type AlgorithmRequest } from '../algorithms/algorithm-request';
import { type AlgorithmService } from '../algorithms/algorithm-service';
import { type Execution, type ExecutionEnd, type ExecutionStatus, statusOf } from '../algorithms/runs';
import { type AuthorizeCaller, type CallerRefusal } from './authorize-caller';

export interface AlgorithmHandlerParts {
  readonly algorithms: AlgorithmService;
  readonly authorize: AuthorizeCaller;
  readonly now: () => Date;
}

type StartRefusal = DomainError<'VALIDATION_FAILED' | 'RESOURCE_LOCKED' | 'SERVICE_UNAVAILABLE'>;

interface ListedRuns {
  readonly query: { readonly limit?: number; readonly status_filter?: ExecutionStatus };
}

/** Returns the `view` of the found run, or the error. */
export const replyWith = <E, A, B>(found: Either<E, A>, view: (found: A) => B) =>
  Promise.resolve(isLeft(found) ? found : right({ body: view(found.right) }));

/** Handlers of runs for both kinds of instances; `view` shows a run in the format of the kind. */
export const runHandlers = <V>(
  { algorithms, authorize, now }: AlgorithmHandlerParts,
  view: (execution: Execution, now: Date) => V,
) => ({
  find: (executionId: string) => {
    const execution = algorithms.runs.find(executionId);
    if (execution !== undefined) return right(execution);
    const message = `Unknown execution ${executionId}; the pod keeps the last hundred since its start.`;
    return left(domainError('EXECUTION_NOT_FOUND', message, { execution_id: executionId }));
  },
  list: ({ query }: ListedRuns) => {
    const { limit = 20, status_filter: wanted } = query;
    const chosen = algorithms.runs.list().filter((one) => wanted === undefined || statusOf(one) === wanted);
    const executions = chosen.slice(0, limit).map((execution) => view(execution, now()));
    return Promise.resolve(right({ body: { executions, total_count: chosen.length } }));
  },
  /** Cancels a run for an authorized caller. */
  cancel: async ({
    params,
    identity,
  }: {
    readonly params: { readonly execution_id: string };
    readonly identity: string;
  }) => {
    const username = await authorize(identity);
    if (isLeft(username)) return username;
    const cancelled = await algorithms.runs.cancel(params.execution_id);
    return isLeft(cancelled)
      ? cancelled
      : right({ body: { status: 'cancelled' as const, execution_id: params.execution_id } });
  },
  /** Starts an algorithm for an authorized caller. */
  start: async <A, Code extends ErrorCode>(
    caller: string,
    found: Either<DomainError<Code>, A>,
    requestOf: (algorithm: A) => Either<DomainError<'VALIDATION_FAILED'>, AlgorithmRequest>,
  ): Promise<Either<DomainError<Code> | CallerRefusal | StartRefusal, Execution>> => {
    if (isLeft(found)) return found;
    const username = await authorize(caller);
    if (isLeft(username)) return username;
    const request = requestOf(found.right);
    return isLeft(request) ? request : await algorithms.start(request.right, username.right);
  },
});

/** A run in the format of instances on DuckDB. */
export const duckdbExecution = (execution: Execution, now: Date) => {
  const { request, startedAt, progress, timings, end } = execution;
  const seconds = ((end?.at ?? now).getTime() - startedAt.getTime()) / 1000;
  return {
    ...commonFields(execution),
    algorithm: request.name,
    algorithm_type: request.type,
    ...(Object.keys(timings).length > 0 && { timings }),
    ...(end === null ? { elapsed_seconds: seconds, progress } : { duration_seconds: seconds }),
    ...(end?.status === 'failed' && { error: end.error }),
    ...(end?.status === 'completed' &&
      end.result.kind === 'property' && {
        result: { property_name: request.propertyName ?? '', nodes_updated: end.result.nodesUpdated },
      }),
  };
};

/** A run in the format of instances on FalkorDB. */
export const falkordbExecution = (execution: Execution, now: Date) => {
  const { request, username, startedAt, end } = execution;
  const ms = (end?.at ?? now).getTime() - startedAt.getTime();
  return {
    ...commonFields(execution),
    algorithm_name: request.name,
    algorithm_type: 'native' as const,
    user_id: username,
    result_property: request.propertyName,
    write_back: request.writeBack,
    ...(end === null ? { elapsed_ms: ms } : { duration_ms: ms }),
    ...(end?.status === 'failed' && { error_message: end.error }),
    ...(end?.status === 'completed' && {
      nodes_updated: end.result.kind === 'property' ? end.result.nodesUpdated : 0,
    }),
  };
};

/** Additional fields of the response to a start. */
export const aboutStart = ({ warnings, estimatedSeconds }: Execution) => ({
  ...(estimatedSeconds !== null && { estimated_seconds: estimatedSeconds }),
  ...(warnings.length > 0 && { warnings }),
});

const aboutIterations = ({ convergence }: Execution) =>
  convergence !== null && {
    iterations: convergence.iterations,
    ...(Number.isFinite(convergence.lastChange) && { last_change: convergence.lastChange }),
  };

const commonFields = (execution: Execution) => ({
  execution_id: execution.executionId,
  status: statusOf(execution),
  started_at: execution.startedAt.toISOString(),
  user_name: execution.username,
  ...(execution.warnings.length > 0 && { warnings: execution.warnings }),
  ...aboutIterations(execution),
  ...endTime(execution),
});

const endTime = ({ end }: Execution): Partial<Record<`${ExecutionEnd['status']}_at`, string>> =>
  end === null ? {} : { [`${end.status}_at`]: end.at.toISOString() };

/** A result in a file is streamed, since it may have a value per node. */
export const duckdbReply = (execution: Execution, now: Date) => {
  const body = duckdbExecution(execution, now);
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
