import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError, type DomainError, type ErrorCode } from '../../../domain/kernel/errors';
import { type AlgorithmRequest } from '../algorithms/algorithm-request';
import { type AlgorithmService } from '../algorithms/algorithm-service';
import { type Execution, type ExecutionStatus, statusOf } from '../algorithms/runs';
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

/** Answers what was found as `view` shows it, or why it was not. */
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
