import { name, variable } from './build';
import { type Scope, scopesOf, UNLISTED } from './scopes';
import { type ProjectionClause, type Query } from './tree';
import { changeClauses } from './walk';

/** How an engine orders the names of `*`; FalkorDB sorts them. */
export type StarOrder = 'as introduced' | 'sorted';

/** A query with names in place of each `*`, which would include those that cures add. */
export const withListedStars = (query: Query, order: StarOrder): Query =>
  changeClauses(query, (clause, asked) => {
    if (clause.kind !== 'with' && clause.kind !== 'return') return clause;
    return clause.items.some(isStar) ? listed(clause, scopesOf(query).before.get(asked) ?? new Map(), order) : clause;
  });

const isStar = ({ value }: ProjectionClause['items'][number]): boolean => value.kind === 'star' && value.of === null;

const listed = (clause: ProjectionClause, scope: Scope, order: StarOrder): ProjectionClause => {
  // A procedure without YIELD makes no names in FalkorDB.
  const names = [...scope].filter(([text]) => text !== UNLISTED);
  if (order === 'sorted') names.sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const items = clause.items.flatMap((item) =>
    isStar(item)
      ? names.map(([text, meaning]) => ({
          ...item,
          value: variable(text, item),
          // Kuzu asks for it.
          alias: meaning === 'path' && order === 'as introduced' ? name(text, item) : null,
        }))
      : [item],
  );
  return { ...clause, items };
};
