import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError, type DomainError } from '../../../domain/kernel/errors';
import { type FieldsOf } from '../../../domain/kernel/codecs';
import { type QueryBody } from '../../../adapters/contracts/graph-pod/endpoints';
import { type GraphAnswer, type GraphEngine, type QueryFailure } from '../engine/graph-engine';
import { type TextPosition } from '../engine/query/cypher-tokens';
import { type QueryStatistics } from './query-statistics';

type Rejection = 'GRAPHDB_A_ERROR' | 'GRAPHDB_B_ERROR';

const DEFAULT_TIMEOUT_MS = 60_000;

/** Runs a query and answers the JSON text `write` makes of what came out. */
export const createQueryHandler = (
  engine: GraphEngine,
  statistics: QueryStatistics,
  write: (answer: GraphAnswer, executionTimeMs: number) => string,
) => {
  const rejected = (message: string, position: TextPosition | null): DomainError<Rejection> =>
    domainError(engine.kind === 'graphdb_a' ? 'GRAPHDB_A_ERROR' : 'GRAPHDB_B_ERROR', message, { position, message });

  const queryError = (failure: QueryFailure): DomainError<Rejection | 'QUERY_TIMEOUT'> => {
    if (failure.kind !== 'timeout') {
      return rejected(failure.message, failure.kind === 'rejected' ? failure.position : null);
    }
    const message = `The query took longer than its timeout of ${failure.timeoutMs} ms; raise timeout_ms or ask for less.`;
    return domainError('QUERY_TIMEOUT', message, { timeout_ms: failure.timeoutMs });
  };

  return async (
    body: FieldsOf<(typeof QueryBody)['props']>,
  ): Promise<Either<DomainError<Rejection | 'QUERY_TIMEOUT'>, string>> => {
    const { refusal } = engine.analyse(body.query);
    if (refusal !== null) return left(rejected(refusal.message, refusal.position));
    const startedAt = performance.now();
    const ended = statistics.begin();
    const timeoutMs = body.timeout_ms ?? DEFAULT_TIMEOUT_MS;
    const answer = await engine.query({ text: body.query, parameters: body.parameters ?? {}, timeoutMs });
    ended(performance.now() - startedAt);
    return isLeft(answer)
      ? left(queryError(answer.left))
      : right(write(answer.right, Math.round(performance.now() - startedAt)));
  };
};

/** The answer of `/query`. */
export const answerText = (answer: GraphAnswer, executionTimeMs: number): string =>
  `{"columns":${JSON.stringify(answer.columns)},"column_types":${JSON.stringify(answer.columnTypes)},` +
  `"rows":${answer.rowsJson},"row_count":${answer.rowCount},"execution_time_ms":${executionTimeMs},` +
  `"truncated":${answer.truncated}` +
  `${answer.warnings === undefined ? '' : `,"warnings":${JSON.stringify(answer.warnings)}`}}`;
