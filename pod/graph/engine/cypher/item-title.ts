import { name } from './build';
import { type Name, type ProjectionItem } from './tree';

/**
 * An item with its title as its alias: the columns of all parts of a UNION need the same names, even if one is changed.
 */
export const withTitle = (item: ProjectionItem, text: string): ProjectionItem & { readonly alias: Name } => {
  const { value, alias } = item;
  const title = value.kind === 'variable' ? value.name : text.slice(value.start, value.end).replaceAll('`', "'");
  return { ...item, alias: alias ?? name(title, item) };
};
