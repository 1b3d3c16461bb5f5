import type * as t from 'io-ts';
import { type Knex } from 'knex';

export interface PageBounds {
  readonly offset: number;
  readonly limit: number;
}

/** Paging and sorting, with the defaults applied. */
export interface ListOptions extends PageBounds {
  readonly sortBy: string;
  readonly sortOrder: 'asc' | 'desc';
  /** Rows without the value that is sorted by come last. Indexes of other columns are not in that order. */
  readonly isNullable?: boolean;
}

/** Filters resources have in common. */
export interface ResourceFilters {
  readonly owner?: string | undefined;
  readonly search?: string | undefined;
  readonly createdAfter?: Date | undefined;
  readonly createdBefore?: Date | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Owner, text in name or description (`%` and `_` are ordinary characters), and time of creation. */
export const filterResources = (query: Knex.QueryBuilder, filters: ResourceFilters): void => {
  const { owner, search, createdAfter, createdBefore } = filters;
  if (owner !== undefined) query.where('owner_username', owner);
  if (createdAfter !== undefined) query.where('created_at', '>=', createdAfter);
  if (createdBefore !== undefined) query.where('created_at', '<=', createdBefore);
  if (search !== undefined) {
    const pattern = containing(search);
    query.where((either) => {
      void either.whereILike('name', pattern).orWhereILike('description', pattern);
    });
  }
};

/** The pattern for texts with this text in them. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** Ties are broken by id. */
export const sorted = (
  query: Knex.QueryBuilder,
  { sortBy, sortOrder, isNullable = false }: Omit<ListOptions, keyof PageBounds>,
): Knex.QueryBuilder =>
  query.orderBy([
    { column: sortBy, order: sortOrder, ...(isNullable ? { nulls: 'last' } : {}) },
    { column: 'id', order: sortOrder },
  ]);

export const newestFirst = (query: Knex.QueryBuilder): Knex.QueryBuilder =>
  sorted(query, { sortBy: 'created_at', sortOrder: 'desc' });

/** One page of what a sorted query finds, as a view, and how much that is in all. */
export const readPage = async <P extends t.Props>(
  query: Knex.QueryBuilder,
  { offset, limit }: PageBounds,
  view: View<P>,
  others?: OtherColumns<P>,
): Promise<Page<t.TypeOf<View<P>>>> => {
  const counting = query.clone().clearSelect().clearOrder();
  const columns = { ...columnsOf(view, others), [TOTAL]: counting.clone().count('*') };
  const reading = query.clone().select(columns).offset(offset).limit(limit);
  const rows = await (reading as Promise<(t.TypeOf<View<P>> & Counted)[]>);
  // A page beyond the end has no row that tells how many there are.
  const [counted]: readonly Counted[] =
    rows.length > 0 || offset === 0 ? rows : await counting.count<Counted[]>({ [TOTAL]: '*' });
  const total = counted?.total_count ?? 0;
  for (const row of rows) delete row.total_count;
  return { items: rows, total };
};

/** The column of a page that tells how many rows there are in all; no field of an answer is called so. */
const TOTAL = 'total_count';
interface Counted {
  total_count?: number;
}

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
