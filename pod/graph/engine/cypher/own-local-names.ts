import { freshNames } from './build';
import { scopesOf } from './scopes';
import { type Query } from './tree';
import { changeExpressions, expressionsIn, localNames, withNewNames } from './walk';

/**
 * A query in which names of list items differ from those of clauses, so that cures can replace values by names and
 * names by values everywhere. Equal names stay equal, as values of a query are compared by their text.
 */
export const withOwnLocalNames = (query: Query, text: string): Query => {
  const locals = new Set(expressionsIn(query).flatMap(localNames));
  if (locals.size === 0) return query;
  const known = new Set([...scopesOf(query).after.values()].flatMap((scope) => [...scope.keys()]));
  const newName = freshNames(text, '_i');
  const renamed = new Map([...locals].filter((name) => known.has(name)).map((name) => [name, newName()]));
  if (renamed.size === 0) return query;
  return changeExpressions(query, (value) =>
    'list' in value ? withNewNames(value, (name) => renamed.get(name) ?? name) : value,
  );
};
