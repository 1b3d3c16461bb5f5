import type * as t from 'io-ts';
import { type Knex } from 'knex';

export interface PageBounds {
  readonly offset: number;
  readonly limit: number;
}

/** The filters and orders of all lists, as named in the API. Newest first by default. */
export interface ListQuery {
  readonly search?: string | undefined;
  readonly created_after?: Date | undefined;
  readonly created_before?: Date | undefined;
  readonly sort_by?: string | undefined;
  readonly sort_order?: 'asc' | 'desc' | undefined;
}

export interface ResourceQuery extends ListQuery {
  readonly owner?: string | undefined;
  readonly status?: string | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  readonly total: number;
}

/** Owner, status, text in name or description, and time of creation. */
export const filterResources = (query: Knex.QueryBuilder, filters: ResourceQuery): void => {
  if (filters.owner !== undefined) query.where('owner_username', filters.owner);
  if (filters.status !== undefined) query.where('status', filters.status);
  filterList(query, filters, ['name', 'description']);
};

/** Text in one of the columns (`%` and `_` are ordinary characters), and time of creation. */
export const filterList = (
  query: Knex.QueryBuilder,
  { search, created_after: createdAfter, created_before: createdBefore }: ListQuery,
  searched: readonly string[],
  createdAt = 'created_at',
): void => {
  if (createdAfter !== undefined) query.where(createdAt, '>=', createdAfter);
  if (createdBefore !== undefined) query.where(createdAt, '<=', createdBefore);
  if (search === undefined) return;
  const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  query.where((either) => searched.forEach((column) => void either.orWhereILike(column, pattern)));
};

/**
 * Ties are broken by `tie`. Rows without a value of one of the `nullable` columns come last; this order would not match
 * the indexes of other columns.
 */
export const sorted = (
  query: Knex.QueryBuilder,
  { sort_by: column = 'created_at', sort_order: order = 'desc' }: Pick<ListQuery, 'sort_by' | 'sort_order'>,
  nullable: readonly string[] = [],
  tie = 'id',
): Knex.QueryBuilder =>
  query.orderBy([
    { column, order, ...(nullable.includes(column) ? { nulls: 'last' } : {}) },
    { column: tie, order },
  ]);

/**
 * One page of the results of a sorted query, as a view, and the number of rows of `counted`. `expressions` compute the
 * fields without a column.
 */
export const readPage = async <P extends t.Props>(
  query: Knex.QueryBuilder,
  { offset, limit }: PageBounds,
  view: View<P>,
  others?: OtherColumns<P>,
  expressions: readonly Knex.Raw[] = [],
  counted = query,
): Promise<Page<t.TypeOf<View<P>>>> => {
  const counting = counted.clone().clearSelect().clearOrder();
  const columns = { ...columnsOf(view, others), [TOTAL]: counting.clone().count('*') };
  const reading = query
    .clone()
    .select(columns, ...expressions)
    .offset(offset)
    .limit(limit);
  const rows = await (reading as Promise<(t.TypeOf<View<P>> & Counted)[]>);
  const total = rows[0]?.total_count ?? (counted === query && offset === 0 ? 0 : await countRows(counted));
  for (const row of rows) delete row.total_count;
  return { items: rows, total };
};

export const countRows = async (query: Knex.QueryBuilder): Promise<number> => {
  const [row] = await query
    .clone()
    .clearSelect()
    .clearOrder()
    .count<Counted[]>({ [TOTAL]: '*' });
  return row?.total_count ?? 0;
};

/** The column with the total number of rows; its name must differ from all fields. */
const TOTAL = 'total_count';
interface Counted {
  total_count?: number;
}

/** The codec of a resource in responses: an object of known fields. */
export type View<P extends t.Props> = t.ExactC<t.TypeC<P>>;

/** Fields whose column has another name; null: the field is computed from others. */
export type OtherColumns<P extends t.Props> = { readonly [K in keyof P]?: string | null };

/** The columns of a view, by field. */
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
