import { type ListQuery, type Page, type PageBounds } from './list';

/**
 * One page of rows in memory, in their given order by default, by a column in descending order. `searched`: the
 * searchable texts of a row; `createdAt`: its creation time, or null.
 */
export const pageOfRows = <R extends object>(
  rows: readonly R[],
  { search, created_after: after, created_before: before, sort_by, sort_order }: ListQuery,
  { offset, limit }: PageBounds,
  of: { readonly searched: (row: R) => readonly string[]; readonly createdAt?: (row: R) => string },
): Page<R> => {
  const isWanted = (row: R): boolean => {
    const at = of.createdAt === undefined ? null : new Date(of.createdAt(row));
    if (at !== null && ((after !== undefined && at < after) || (before !== undefined && at > before))) return false;
    const wanted = search?.toLowerCase() ?? '';
    return of.searched(row).some((text) => text.toLowerCase().includes(wanted));
  };
  const found = rows.filter(isWanted);
  const order = sort_order ?? (sort_by === undefined ? 'asc' : 'desc');
  const ordered =
    sort_by === undefined ? found : found.toSorted((a, b) => compare(valueOf(a, sort_by), valueOf(b, sort_by)));
  const inOrder = order === 'desc' ? ordered.toReversed() : ordered;
  return { items: inOrder.slice(offset, offset + limit), total: found.length };
};

const valueOf = (row: object, column: string): unknown => new Map<string, unknown>(Object.entries(row)).get(column);

/** Compares numbers numerically, everything else as text. */
const compare = (a: unknown, b: unknown): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
};
