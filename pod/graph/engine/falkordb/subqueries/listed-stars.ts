import { variable } from '../../cypher/build';
import { scopesOf, UNLISTED } from '../../cypher/scopes';
import { type ProjectionClause, type Query } from '../../cypher/tree';
import { changeClauses } from '../../cypher/walk';

/** A query with names in place of each `*`, which would include those that cures add. The engine sorts them. */
export const withListedStars = (query: Query): Query =>
  changeClauses(query, (clause, asked) => {
    if (clause.kind !== 'with' && clause.kind !== 'return') return clause;
    return clause.items.some(isStar) ? listed(clause, [...(scopesOf(query).before.get(asked)?.keys() ?? [])]) : clause;
  });

const isStar = ({ value }: ProjectionClause['items'][number]): boolean => value.kind === 'star' && value.of === null;

const listed = (clause: ProjectionClause, names: readonly string[]): ProjectionClause => {
  // A procedure without YIELD makes no names in this engine.
  const sorted = names
    .filter((text) => text !== UNLISTED)
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const items = clause.items.flatMap((item) =>
    isStar(item) ? sorted.map((text) => ({ ...item, value: variable(text, item) })) : [item],
  );
  return { ...clause, items };
};
