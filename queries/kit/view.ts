import type * as t from 'io-ts';

/** What a resource looks like to those who ask: an object of known fields. */
export type View<P extends t.Props> = t.ExactC<t.TypeC<P>>;

/** Fields that have another column than that of their name; null: the field is made of others. */
export type OtherColumns<P extends t.Props> = { readonly [K in keyof P]?: string | null };

/** The columns a view is selected from, by its fields. */
export const columnsOf = <P extends t.Props>(
  view: View<P>,
  others: OtherColumns<P> = {},
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.keys(view.type.props).flatMap((field) => {
      const column = field in others ? others[field] : field;
      return column == null ? [] : [[field, column]];
    }),
  );
