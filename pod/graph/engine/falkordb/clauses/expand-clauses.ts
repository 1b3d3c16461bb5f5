import { itemName } from '../../cypher/column-titles';
import { namesOfPaths } from '../../cypher/steps';
import { type Clause, type Query, type SubqueryClause } from '../../cypher/tree';

export type Names = readonly string[];

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

/** The names after a clause. */
export const namesAfter = (clause: Clause, before: Names): Names => {
  switch (clause.kind) {
    case 'match':
      return added(before, namesOfPaths(clause.paths));
    case 'unwind':
      return added(before, [clause.name.text]);
    case 'call_procedure':
      return added(
        before,
        (clause.yields ?? []).map((yielded) => (yielded.alias ?? yielded.name).text),
      );
    case 'call_query': {
      const last = clause.query.parts[0]?.at(-1);
      return last === undefined ? before : [...before, ...namesAfter(last, [])];
    }
    case 'with':
    case 'return':
      return clause.items.flatMap((item) => itemName(item) ?? []);
  }
};

const added = (before: Names, names: Names): Names => [...new Set([...before, ...names])];
