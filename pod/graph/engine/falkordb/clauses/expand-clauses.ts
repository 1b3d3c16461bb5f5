import { type Names, namesAfter } from '../../cypher/names-after';
import { type Clause, type Query, type SubqueryClause } from '../../cypher/tree';

type Expand = (clause: Clause, before: Names, after: Names) => readonly Clause[];

/**
 * Replaces each clause of a query by clauses, those of `CALL { … }` first; `expand` receives the names before and after
 * the clause. `names`: those before the query; `imports`: whether only a WITH at the beginning of a part can use them.
 */
export const expandClauses = (query: Query, expand: Expand, names: Names = [], imports = false): Query => ({
  ...query,
  parts: query.parts.map((clauses) => {
    let known = imports && clauses[0]?.kind !== 'with' ? [] : names;
    return clauses.flatMap((clause) => {
      const before = known;
      known = namesAfter(clause, before);
      return expand(clause.kind === 'call_query' ? inside(clause, before, expand) : clause, before, known);
    });
  }),
});

const inside = ({ query, ...clause }: SubqueryClause, before: Names, expand: Expand): Clause => {
  const names = clause.imports?.map(({ text }) => text) ?? before;
  return { ...clause, query: expandClauses(query, expand, names, clause.imports === null) };
};
