import { list, number, unwind } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type UnwindClause } from '../../cypher/tree';

/**
 * The engine crashes while it plans a WHERE that filters constants, unless a MATCH, UNWIND or CALL precedes it. Each
 * such part of a UNION gets one row at its start, which its first WITH removes again.
 */
export const filteredConstants: Quirk = {
  id: 'kuzu-filtered-constants',
  description: 'WITH … WHERE on constants ends the engine.',
  shown: { query: 'WITH 1 AS x WHERE x = 1 RETURN x', right: [[1]], wrong: 'crash' },
  rewrite: (query, { newName }) => {
    if (!query.parts.some(filtersConstants)) return query;
    const row = newName();
    const parts = query.parts.map((clauses) => {
      const [first] = clauses;
      return first !== undefined && filtersConstants(clauses) ? [oneRow(row, first), ...clauses] : clauses;
    });
    return { ...query, parts };
  },
};

const filtersConstants = (clauses: readonly Clause[]): boolean => {
  const rows = clauses.findIndex(({ kind }) => kind !== 'with' && kind !== 'return');
  const constant = rows < 0 ? clauses : clauses.slice(0, rows);
  return constant.some((clause) => clause.kind === 'with' && clause.where !== null);
};

const oneRow = (row: string, { start }: Clause): UnwindClause => {
  const place = { start, end: start };
  return unwind(list([number('1', place)], place), row, place);
};
