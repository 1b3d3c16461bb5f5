import { type Either, isLeft, left } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type QueryBody, TRUNCATED_WARNING } from '../../../adapters/contracts/graph-pod/endpoints';
import { type ExportFormat } from '../../../adapters/contracts/graph-pod/export-formats';
import { type FieldsOf } from '../../../domain/kernel/codecs';
import { mapLeft, mapRight } from '../../../domain/kernel/either';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { excerptAt, type TextPlace } from '../../../domain/kernel/excerpt';
import { type ExportedRows } from '../engine/export/exported-rows';
import {
  type GraphAnswer,
  type GraphEngine,
  type GraphQuery,
  type QueryClient,
  type QueryFailure,
} from '../engine/graph-engine';

type Rejection = 'GRAPHDB_A_ERROR' | 'GRAPHDB_B_ERROR';
type Refused = DomainError<Rejection | 'QUERY_TIMEOUT' | 'SERVICE_UNAVAILABLE'>;

const DEFAULT_TIMEOUT_MS = 60_000;
const RETRY_AFTER_SECONDS = 2;
const LESS_MEMORY = 'Return less at a time, aggregate earlier, or give the instance more memory.';

type Body = FieldsOf<(typeof QueryBody)['props']>;

export interface QueryParts {
  readonly engine: GraphEngine;
  readonly statistics: QueryStatistics;
  readonly log: Logger;
}

/** Runs a query and returns its result as written by `write`, with `notes` among its warnings. */
export const createQueryHandler =
  <A>(parts: QueryParts, write: (answer: GraphAnswer, executionTimeMs: number) => A) =>
  async (body: Body, client: QueryClient, notes: readonly string[] = []): Promise<Either<Refused, A>> => {
    const startedAt = performance.now();
    const answer = await counted(parts, body, (query) => parts.engine.query(query, client));
    return mapRight(answer, (found) => write(withWarnings(found, notes), Math.round(performance.now() - startedAt)));
  };

const withWarnings = (answer: GraphAnswer, notes: readonly string[]): GraphAnswer => {
  const warnings = [...(answer.warnings ?? []), ...(answer.truncated ? [TRUNCATED_WARNING] : []), ...notes];
  return warnings.length === 0 ? answer : { ...answer, warnings };
};

interface Export {
  readonly rows: ExportedRows;
  readonly warnings: readonly string[];
}

/** Runs a query and returns all its rows. */
export const createExportHandler =
  (parts: QueryParts) =>
  async (body: Body, format: ExportFormat, client: QueryClient): Promise<Either<Refused, Export>> => {
    const { engine } = parts;
    const execute = (query: GraphQuery) => engine.exportRows(query, format, client);
    const answer = await counted(parts, body, execute, ({ ended }) => ended);
    return mapRight(answer, (rows) => ({ rows, warnings: engine.warningsOf(body.query) }));
  };

/** Runs a query if it is accepted; it counts as running until `untilEnd` resolves. */
const counted = async <A>(
  parts: QueryParts,
  body: Body,
  execute: (query: GraphQuery) => Promise<Either<QueryFailure, A>>,
  untilEnd: (answer: A) => Promise<void> = () => Promise.resolve(),
): Promise<Either<Refused, A>> => {
  const { query: text, parameters = {}, timeout_ms: timeoutMs = DEFAULT_TIMEOUT_MS, uniqueness } = body;
  const { engine, statistics } = parts;
  const { refusal } = engine.analyse(text);
  if (refusal !== null) return left(rejected(parts, refusal.message, text, refusal.position));
  const startedAt = performance.now();
  const ended = statistics.begin();
  const answer = await execute({ text, parameters, timeoutMs, walks: uniqueness === 'none' });
  const end = (): void => ended(performance.now() - startedAt);
  if (isLeft(answer)) end();
  else void untilEnd(answer.right).then(end);
  return mapLeft(answer, (failure) => queryError(parts, text, failure));
};

const queryError = (parts: QueryParts, text: string, failure: QueryFailure): Refused => {
  switch (failure.kind) {
    case 'rejected':
      if (failure.unexplained !== undefined) parts.log.warn(failure.unexplained, 'the graph database refused a query');
      return rejected(parts, failure.message, text, failure.position);
    case 'timeout': {
      const message = `The query took longer than its timeout of ${failure.timeoutMs} ms; raise timeout_ms or return less.`;
      return domainError('QUERY_TIMEOUT', message, { timeout_ms: failure.timeoutMs });
    }
    case 'memory':
      return rejected(parts, tooMuchMemory(failure), text, null);
    case 'crashed': {
      const message = `The graph database ended while the query ran (${failure.message}) and is being started again; send the query again.`;
      return domainError('SERVICE_UNAVAILABLE', message, { retry_after_seconds: RETRY_AFTER_SECONDS });
    }
    case 'fatal': {
      const message = `This query ends the graph database: it ended twice while only this query ran (${failure.message}). Write the query in another way.`;
      return rejected(parts, message, text, null);
    }
    case 'abandoned':
      return domainError('SERVICE_UNAVAILABLE', 'The client closed its connection before the answer was complete.');
  }
};

const tooMuchMemory = ({ limits }: Extract<QueryFailure, { readonly kind: 'memory' }>): string => {
  const mebibytes = (bytes: number): string => `${Math.floor(bytes / 2 ** 20)} MiB`;
  const limit =
    limits === undefined
      ? ''
      : ` (${mebibytes(limits.memoryBytes)}, and ${mebibytes(limits.spillBytes)} of files for what does not fit into it)`;
  return `The query needs more memory than the instance allows for queries${limit}. ${LESS_MEMORY}`;
};

const rejected = (
  { engine: { kind } }: QueryParts,
  message: string,
  text: string,
  position: TextPlace | null,
): DomainError<Rejection> => {
  const excerpt = position === null ? null : excerptAt(text, position);
  const code = kind === 'graphdb_a' ? 'GRAPHDB_A_ERROR' : 'GRAPHDB_B_ERROR';
  return domainError(code, message, { position, excerpt, message });
};

/** The answer of `/query`. */
export const answerText = (answer: GraphAnswer, executionTimeMs: number): string =>
  `{"columns":${JSON.stringify(answer.columns)},"column_types":${JSON.stringify(answer.columnTypes)},` +
  `"rows":${answer.rowsJson},"row_count":${answer.rowCount},"execution_time_ms":${executionTimeMs},` +
  `"truncated":${answer.truncated}` +
  `${answer.warnings === undefined ? '' : `,"warnings":${JSON.stringify(answer.warnings)}`}}`;

/** Counts finished and running queries for the metrics. */
export class QueryStatistics {
  running = 0;
  lastActivityAt: Date;
  private startedCount = 0;
  private count = 0;
  private totalMs = 0;

  constructor(
    private readonly now: () => Date,
    private readonly onActivity: () => void,
  ) {
    this.lastActivityAt = now();
  }

  /** Records the start of a query; call the result with the duration when it has ended. */
  begin(): (durationMs: number) => void {
    this.running++;
    this.startedCount++;
    this.touch();
    return (durationMs) => {
      this.running--;
      this.count++;
      this.totalMs += durationMs;
      this.touch();
    };
  }

  /** Measures while no query is running; null if one is running or starts meanwhile. */
  async whileIdle<A>(measure: () => Promise<A>): Promise<A | null> {
    if (this.running > 0) return null;
    const { startedCount } = this;
    const measured = await measure();
    return this.startedCount === startedCount ? measured : null;
  }

  /** Records the use of the instance by a query or an algorithm. */
  touch(): void {
    this.lastActivityAt = this.now();
    this.onActivity();
  }

  /** The statistics since the last call. */
  take(): { readonly count: number; readonly averageMs: number } {
    const { count, totalMs } = this;
    this.count = 0;
    this.totalMs = 0;
    return { count, averageMs: count === 0 ? 0 : totalMs / count };
  }
}
