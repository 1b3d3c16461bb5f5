import { type Names, namesAfter } from '../../cypher/names-after';
import { type Clause, type Query, type SubqueryClause } from '../../cypher/tree';

type Expand = (clause: Clause, before: Names, after: Names) => readonly Clause[];

/**
 * Replaces each clause of a query by clauses, those of `CALL { … }` first; `expand` receives the names before and after
 * the clause. `names`: those before the query.
 */
export const expandClauses = (query: Query, expand: Expand, names: Names = []): Query => ({
  ...query,
  parts: query.parts.map((clauses) => {
    let known = names;
    return clauses.flatMap((clause) => {
      const before = known;
      known = namesAfter(clause, before);
      return expand(clause.kind === 'call_query' ? inside(clause, before, expand) : clause, before, known);
    });
  }),
});

const inside = (clause: SubqueryClause, before: Names, expand: Expand): Clause => {
  const { imports, query } = clause;
  const [first] = query.parts[0] ?? [];
  // Without imports, only a WITH at the beginning can use outer names.
  const names = imports?.map(({ text }) => text) ?? (first?.kind === 'with' ? before : []);
  return { ...clause, query: expandClauses(query, expand, names) };
};
