import { variable } from './build';
import { type Scope } from './expression-types';
import { ALL_NAMES, UNLISTED } from './scope';
import { checkedScopes } from './scopes';
import { type ProjectionClause, type Query } from './tree';
import { changeClauses, isProjection } from './walk';

/**
 * A query with names instead of each `*`, also of `CALL (*)`, in alphabetical order: cures may add names, and the parts
 * of a UNION need the same columns in the same order. Throws a `QueryFault` if names cannot be resolved.
 */
export const withListedStars = (query: Query): Query => {
  const { before } = checkedScopes(query);
  return changeClauses(query, (clause, original) => {
    const scope = before.get(original);
    if (clause.kind === 'call_query' && clause.imports?.[0]?.text === ALL_NAMES) {
      const [all] = clause.imports;
      return { ...clause, imports: [...(scope?.keys() ?? [])].map((text) => ({ ...all, text })) };
    }
    if (!isProjection(clause) || scope === undefined || scope.has(UNLISTED) || !clause.items.some(isStar))
      return clause;
    return { ...clause, items: clause.items.flatMap((item) => (isStar(item) ? namesAt(item, scope) : [item])) };
  });
};

type Item = ProjectionClause['items'][number];

const isStar = ({ value }: Item): boolean => value.kind === 'star';

const namesAt = (item: Item, scope: Scope): readonly Item[] =>
  [...scope.keys()].sort().map((text) => ({ ...item, value: variable(text, item), alias: null }));
