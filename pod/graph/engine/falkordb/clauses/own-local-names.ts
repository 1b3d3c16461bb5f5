import { type Query } from '../../cypher/tree';
import { changeExpressions, clausesIn, expressionsIn, localNames, withNewNames } from '../../cypher/walk';
import { namesAfter } from './expand-clauses';

/**
 * Makes the names for the items of lists unique. Otherwise the engine overwrites values of rows; depending on its
 * memory this crashes the server, for example with `UNWIND [1] AS x WITH x, 5 AS z RETURN [y IN [4, reduce(s = 0, x IN
 * [9] | s + x)] WHERE y > x | y] AS l, x, z`.
 */
export const withOwnLocalNames = (query: Query, newName: () => string): Query => {
  const locals = [...expressionsIn(query)].flatMap((value) => ('list' in value ? localNames(value) : []));
  if (locals.length === 0) return query;
  const used = new Set([...clausesIn(query)].flatMap((clause) => namesAfter(clause, [])));
  const repeated = new Set(locals.filter((text, at) => used.has(text) || locals.indexOf(text) !== at));
  return changeExpressions(query, (value) =>
    'list' in value && localNames(value).some((text) => repeated.has(text)) ? withNewNames(value, newName) : value,
  );
};
