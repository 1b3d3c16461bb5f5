import { type DuckDBPreparedStatement, type DuckDBType, StatementType } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type EngineColumn, type QueryEngineError } from '../../domain/ports/query-engine';
import { preparationError, readFailure } from './duckdb-error';
import { catalogHint, type Session } from './warehouse-sessions';

/** A result column with the type that `type` spells in lower case. */
export interface PreparedColumn extends EngineColumn {
  readonly duckdbType: DuckDBType;
}

/**
 * Checks a query with DuckDB and returns its result columns, without running it. Accepts one statement that is a query,
 * has no parameters and can stand in parentheses, which `SHOW`-like rewrites of `PRAGMA` cannot.
 */
export const describeQuery = async (
  session: Session,
  sql: string,
): Promise<Either<QueryEngineError, readonly PreparedColumn[]>> => {
  const refuse = (message: string): Either<QueryEngineError, never> =>
    left({ kind: 'invalid_sql', message, position: null });
  try {
    const statements = await session.connection.extractStatements(sql);
    if (statements.count !== 1) return refuse(`expected one query, found ${statements.count} statements`);
    const prepared = await statements.prepare(0);
    const columns = columnsOf(prepared);
    const { statementType, parameterCount } = prepared;
    prepared.destroySync();
    if (statementType !== StatementType.SELECT) return refuse('only a query that reads is allowed');
    if (parameterCount > 0) return refuse('the query has parameters ($1, ?); write their values into the text');
    const nested = await prepareNested(session, sql);
    return isLeft(nested) ? refuse(nested.left) : right(columns);
  } catch (error) {
    const failure = readFailure(error);
    return left(preparationError({ ...failure, message: messageFor(session, failure.message, sql) }, sql));
  }
};

/** DuckDB's message, with the list of catalogs, or without names that the query does not contain. */
export const messageFor = (session: Session, message: string, sql: string): string => {
  if (!session.hints) return message.replaceAll(SUGGESTION, '').trim();
  return /^(Table with name|Catalog) .* does not exist/.test(message) ? message + catalogHint(session, sql) : message;
};

/** DuckDB suggests similar names for unknown ones, and longer names for ambiguous ones. */
const SUGGESTION = /\s*(Did you mean|- use a fully qualified path like) [^\n]*/g;

/** A query as a subquery. The line break ends a trailing comment of the query. */
export const nested = (sql: string): string => `(\n${sql}\n)`;

const prepareNested = async (session: Session, sql: string): Promise<Either<string, void>> => {
  try {
    (await session.connection.prepare(`SELECT * FROM ${nested(sql)} AS q`)).destroySync();
    return right(undefined);
  } catch (error) {
    return left(`the query cannot be used as a subquery: ${messageFor(session, readFailure(error).message, sql)}`);
  }
};

const columnsOf = (prepared: DuckDBPreparedStatement): readonly PreparedColumn[] =>
  Array.from({ length: prepared.columnCount }, (_, index) => {
    const duckdbType = prepared.columnType(index);
    return { name: prepared.columnName(index), type: duckdbType.toString().toLowerCase(), duckdbType };
  });
