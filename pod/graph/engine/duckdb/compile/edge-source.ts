import { edgeTable, reverseTable } from '../storage';
import { type EdgeUse } from './pattern-parts';

/** Rows of edges, with the columns of their ends as seen from the left of a step. */
export interface EdgeSource {
  readonly sql: string;
  readonly left: string;
  readonly right: string;
  /** The table, if the rows have the properties of the edges. */
  readonly table: number | null;
}

/**
 * The edges of a step. Tables are sorted by the start or by the end of the edges: `from` says which side of the step
 * is read first. A loop is one row, although it fits in both directions.
 */
export const edgeSource = (uses: readonly EdgeUse[], from: 'left' | 'right'): EdgeSource => {
  const [only] = uses;
  if (only !== undefined && uses.length === 1) {
    const { table, reversed } = only;
    const byStart = (from === 'left') !== reversed;
    const [left, right] = reversed ? ['_to', '_from'] : ['_from', '_to'];
    return { sql: byStart ? edgeTable(table) : reverseTable(table), left, right, table: byStart ? table : null };
  }
  const rows = uses.map(({ table, reversed }) => {
    const byStart = (from === 'left') !== reversed;
    const ends = reversed ? '_to AS a, _from AS b' : '_from AS a, _to AS b';
    const isTwice = reversed && uses.some((use) => use.table === table && !use.reversed);
    return `SELECT _id, ${ends} FROM ${byStart ? edgeTable(table) : reverseTable(table)}${isTwice ? ' WHERE _from <> _to' : ''}`;
  });
  const nothing =
    'SELECT CAST(NULL AS BIGINT) AS _id, CAST(NULL AS BIGINT) AS a, CAST(NULL AS BIGINT) AS b WHERE false';
  return { sql: `(${rows.length === 0 ? nothing : rows.join(' UNION ALL ')})`, left: 'a', right: 'b', table: null };
};
