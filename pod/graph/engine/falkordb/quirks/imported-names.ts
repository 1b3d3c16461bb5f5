import { itself, projection } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { type Clause, type SubqueryClause } from '../../cypher/tree';
import { changeClauses } from '../../cypher/walk';

/** The engine does not support `CALL (a) { … }`: each part of the subquery begins with `WITH a` instead. */
export const importedNames: Quirk = {
  id: 'falkordb-imported-names',
  description: 'CALL (a) { … } is a syntax error.',
  shown: {
    query: 'WITH 1 AS a CALL (a) { RETURN a + 1 AS b } RETURN b',
    right: [[2]],
    wrong: 'error',
  },
  rewrite: (query) => changeClauses(query, (clause) => (clause.kind === 'call_query' ? importing(clause) : clause)),
};

const importing = (clause: SubqueryClause): Clause => {
  const { imports, query } = clause;
  if (imports === null) return clause;
  const names = projection(
    'with',
    itself(
      imports.map(({ text }) => text),
      clause,
    ),
    clause,
  );
  const parts = imports.length === 0 ? query.parts : query.parts.map((clauses) => [names, ...clauses]);
  return { ...clause, imports: null, query: { ...query, parts } };
};
