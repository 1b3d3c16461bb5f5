import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type EngineColumn, type QueryEngineError } from '../../domain/ports/query-engine';
import { nested } from './prepared-query';
import { sqlName, sqlString } from './sql-text';

/**
 * The statement that writes the wanted columns of a query to one Parquet file. Columns are matched by their exact name,
 * else by their name without regard to case. Refused when one is missing or there twice.
 */
export const exportStatement = (
  sql: string,
  wanted: readonly string[],
  columns: readonly EngineColumn[],
  file: string,
): Either<QueryEngineError, string> => {
  const items: string[] = [];
  for (const name of wanted) {
    const column = findColumn(name, columns);
    if (isLeft(column)) return left({ kind: 'invalid_sql', message: column.left, position: null });
    items.push(`${exactInParquet(column.right)} AS ${sqlName(name)}`);
  }
  const select = `SELECT ${items.join(', ')} FROM ${nested(sql)} AS q`;
  return right(`COPY (${select}) TO ${sqlString(file)} (FORMAT parquet, COMPRESSION zstd)`);
};

const findColumn = (name: string, columns: readonly EngineColumn[]): Either<string, EngineColumn> => {
  const sameName = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  const [first, second] = sameName;
  const list = columns.map((column) => column.name).join(', ');
  if (first === undefined) return left(`column "${name}" is missing; the query returns: ${list}`);
  if (second === undefined) return right(first);
  return left(
    `column "${name}" is there ${sameName.length} times, name each one differently; the query returns: ${list}`,
  );
};

/** Parquet has no 128-bit integers, and DuckDB would round them (every `sum` of integers) to doubles. */
const exactInParquet = (column: EngineColumn): string =>
  /^u?hugeint$/.test(column.type) ? `CAST(q.${sqlName(column.name)} AS DECIMAL(38, 0))` : `q.${sqlName(column.name)}`;
