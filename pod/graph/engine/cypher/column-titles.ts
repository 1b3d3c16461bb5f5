import { name } from './build';
import { type Name, type ProjectionClause, type ProjectionItem, type Query } from './tree';

/** The RETURN that names the columns of a result: the one in the first part of a UNION. */
const resultClause = ({ parts: [first = []] }: Query): ProjectionClause | undefined => {
  const last = first.at(-1);
  return last?.kind === 'return' ? last : undefined;
};

/**
 * The titles of a result's items, as in openCypher: the alias or the name of a variable, otherwise the text of the
 * expression as written. Null for a `*`.
 */
export const itemTitles = (text: string, query: Query): readonly (string | null)[] =>
  (resultClause(query)?.items ?? []).map((item) => (item.value.kind === 'star' ? null : titleOf(item, text)));

/** The name of an item: its alias or the name of a variable; undefined for any other expression. */
export const itemName = ({ value, alias }: ProjectionItem): string | undefined =>
  alias?.text ?? (value.kind === 'variable' ? value.name : undefined);

/** The title of an item, which is also the name of its column. */
export const titleOf = (item: ProjectionItem, text: string): string =>
  itemName(item) ?? text.slice(item.start, item.end);

/** The titles of a result's columns; `names`: the engine's, for the results of a procedure that are not listed. */
export const columnTitles = (text: string, query: Query, names: readonly string[]): readonly string[] => {
  const titles = itemTitles(text, query);
  return titles.length === names.length ? titles.map((title, at) => title ?? names[at] ?? '') : names;
};

/**
 * An item with its title as its alias: the columns of all parts of a UNION need the same names, even if one is changed.
 */
export const withTitle = (item: ProjectionItem, text: string): ProjectionItem & { readonly alias: Name } => {
  const { value, alias } = item;
  const title = value.kind === 'variable' ? value.name : text.slice(value.start, value.end).replaceAll('`', "'");
  return { ...item, alias: alias ?? name(title, item) };
};
