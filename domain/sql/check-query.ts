import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { mapRight } from '../kernel/either';
import { domainError } from '../kernel/errors';
import { type QueryEngineError } from '../ports/query-engine';
import { findRefusal } from './find-refusal';
import { type Refusal } from './token-cursor';
import { type Dialect, DUCKDB, type Token, tokenize, TRINO } from './tokenize';

/** Why a text is not a valid query. Line and column are 1-based, the column counts code points. */
export interface QueryRefusal {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

const MAX_LENGTH = 100_000;

/**
 * Accepts a text of 1 to 100,000 characters that is one read-only query (SELECT, WITH, VALUES, TABLE, also in
 * parentheses) and reads tables only: no files, addresses, settings or catalogs of the engine. Returns it without
 * trailing semicolons. The engine checks the existence of its tables and most of its syntax.
 *
 * Engines do not agree on where strings and comments end, so a text must be valid in the dialects of both DuckDB and
 * Trino, or valid in one and unreadable in the other.
 */
export const checkQuery = (sql: string): Either<QueryRefusal, string> => {
  const refuse = ({ message, start }: Refusal): Either<QueryRefusal, never> =>
    left({ message, ...lineAndColumn(sql, start) });

  const length = sql.length > MAX_LENGTH ? Array.from(sql).length : sql.length;
  if (length > MAX_LENGTH)
    return refuse({ message: `the query has ${length} characters; the maximum is ${MAX_LENGTH}`, start: 0 });

  const [asDuckdb, asTrino] = [readAs(sql, DUCKDB), readAs(sql, TRINO)];
  if (isLeft(asDuckdb)) return refuse(asDuckdb.left);
  const { refusal } = asDuckdb.right;
  if (refusal !== null && refusal.isUnreadable !== true) return refuse(refusal);
  const otherRefusal = isLeft(asTrino) ? null : asTrino.right.refusal;
  if (otherRefusal !== null && otherRefusal.isUnreadable !== true) return refuse(otherRefusal);
  // A text that one engine cannot read may be a query for the other.
  if (refusal !== null && (isLeft(asTrino) || otherRefusal !== null)) return refuse(refusal);
  const { end } = refusal !== null && !isLeft(asTrino) ? asTrino.right : asDuckdb.right;
  // For the other engine the text that was cut off may contain an opening or closing quote.
  return end === undefined ? right(sql) : checkQuery(sql.slice(0, end));
};

interface Reading {
  readonly refusal: Refusal | null;
  /** Position of the trailing semicolons; undefined without any. */
  readonly end: number | undefined;
}

const readAs = (sql: string, dialect: Dialect): Either<Refusal, Reading> =>
  mapRight(tokenize(sql, dialect), (tokens) => {
    const statement = withoutSemicolons(tokens);
    return { refusal: findRefusal(statement), end: tokens[statement.length]?.start };
  });

const withoutSemicolons = (tokens: readonly Token[]): readonly Token[] =>
  tokens.slice(0, tokens.findLastIndex((token) => token.text !== ';' || token.kind !== 'symbol') + 1);

const lineAndColumn = (sql: string, start: number): { line: number; column: number } => {
  const lines = sql.slice(0, start).split(/\r\n|\r|\n/);
  return { line: lines.length, column: Array.from(lines.at(-1) ?? '').length + 1 };
};

/** The error for an engine that is unreachable or fails. `what` is one clause without a full stop. */
export const refusalOfEngine = (error: QueryEngineError, what: string) =>
  error.kind === 'unavailable'
    ? domainError('SERVICE_UNAVAILABLE', `The query engine could not be reached. ${what}: ${error.message}. Try again.`)
    : domainError('QUERYENGINE_ERROR', `The query engine failed. ${what}: ${error.message}.`);
