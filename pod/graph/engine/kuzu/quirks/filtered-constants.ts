import { aggregatesIn } from '../../cypher/aggregates';
import { list, number, unwind } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type UnwindClause } from '../../cypher/tree';
import { clausesIn, expressionsIn } from '../../cypher/walk';

/**
 * The engine crashes while it plans a WHERE that filters constants, unless a MATCH, UNWIND or CALL precedes it. Each
 * such part of a UNION gets one row at its start, which its first WITH removes again.
 */
export const filteredConstants: Quirk = {
  id: 'kuzu-filtered-constants',
  description: 'WITH … WHERE on constants crashes the engine.',
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

/** The next clauses see all rows. For such a query the pod computes the clauses. */
export const reducedConstants: Quirk = {
  id: 'kuzu-reduced-constants',
  description: 'DISTINCT, SKIP and LIMIT have no effect in a WITH of constants.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N) WITH DISTINCT 1 AS x RETURN count(x)',
    right: [[1]],
    wrong: [[2]],
  },
  rewrite: (query) => {
    for (const clause of clausesIn(query)) {
      if (clause.kind !== 'with' || clause.orderBy.length > 0) continue;
      if (!clause.distinct && clause.skip === null && clause.limit === null) continue;
      const isConstant = [...expressionsIn(clause.items)].every(({ kind }) => !/^(variable|star|subquery)$/.test(kind));
      if (!isConstant || clause.items.some(({ value }) => aggregatesIn(value).length > 0)) continue;
      throw new QueryFault('DISTINCT, SKIP and LIMIT are not possible where a WITH has constants only.', clause.start);
    }
    return query;
  },
};
