import { type ProjectionClause, type Query } from './tree';

/** The RETURN that names the columns of a result: that of the first part of a UNION. */
const resultClause = ({ parts: [first = []] }: Query): ProjectionClause | undefined => {
  const last = first.at(-1);
  return last?.kind === 'return' ? last : undefined;
};

/**
 * The titles of a result's columns, as openCypher has them: an alias or a variable is its name, any other expression is
 * its text as the user wrote it. `names`: the engine's names, which a `*` keeps.
 */
export const columnTitles = (text: string, query: Query, names: readonly string[]): readonly string[] => {
  const items = resultClause(query)?.items ?? [];
  const stars = items.filter(({ value }) => value.kind === 'star').length;
  const starWidth = names.length - (items.length - stars);
  if (stars > 1 || starWidth < 0 || (stars === 0 && starWidth > 0)) return names;
  let column = 0;
  return items.flatMap(({ value, alias, start, end }) => {
    const own = names.slice(column, column + (value.kind === 'star' ? starWidth : 1));
    column += own.length;
    if (value.kind === 'star') return own;
    if (alias !== null) return [alias.text];
    return [value.kind === 'variable' ? value.name : text.slice(start, end)];
  });
};
