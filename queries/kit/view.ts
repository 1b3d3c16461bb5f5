import type * as t from 'io-ts';

/** What a resource looks like to those who ask: an object of known fields. */
export type View<P extends t.Props> = t.ExactC<t.TypeC<P>>;

/**
 * The columns a view is selected from, by its fields. A field has the column of its name in `table`, unless `others` names
 * another one; null: it is no column but made of others.
 */
export const columnsOf = <P extends t.Props>(
  view: View<P>,
  others: { readonly [K in keyof P]?: string | null } = {},
  table?: string,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(view.type.props).flatMap((field) => {
      const column = field in others ? others[field] : table === undefined ? field : `${table}.${field}`;
      return column == null ? [] : [[field, column]];
    }),
  );
