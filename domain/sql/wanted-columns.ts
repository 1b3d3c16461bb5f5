import { type Either, left, right } from 'fp-ts/Either';
import { type EngineColumn } from '../ports/query-engine';

/**
 * Finds a column of a query's result by its case-insensitive name; also returns its position. Left: it is missing or
 * ambiguous.
 */
export const findWantedColumn = <C extends EngineColumn>(
  name: string,
  columns: readonly C[],
): Either<string, { readonly column: C; readonly index: number }> => {
  const found = columns
    .map((column, index) => ({ column, index }))
    .filter(({ column }) => column.name.toLowerCase() === name.toLowerCase());
  const [first, second] = found;
  const list = columns.map((column) => column.name).join(', ');
  if (first === undefined) return left(`column "${name}" is missing; the query returns: ${list}`);
  if (second === undefined) return right(first);
  return left(`column "${name}" exists ${found.length} times; rename the others; the query returns: ${list}`);
};
