import { type Knex } from 'knex';

/** Paging and sorting every list takes, with its defaults applied. */
export interface ListOptions {
  readonly offset: number;
  readonly limit: number;
  readonly sortBy: string;
  readonly sortOrder: 'asc' | 'desc';
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
    const pattern = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    query.where((either) => {
      void either.whereILike('name', pattern).orWhereILike('description', pattern);
    });
  }
};

/** One page of a filtered query and the number of all matches; ties are broken by id. */
export const readPage = async <R, T>(
  query: Knex.QueryBuilder,
  { offset, limit, sortBy, sortOrder }: ListOptions,
  toItem: (row: R) => T,
): Promise<Page<T>> => {
  const counted = await query.clone().count<{ total: string }[]>({ total: '*' });
  const rows: unknown = await query
    .clone()
    .select('*')
    .orderBy([
      { column: sortBy, order: sortOrder, nulls: 'last' },
      { column: 'id', order: sortOrder },
    ])
    .offset(offset)
    .limit(limit);
  return { items: (rows as readonly R[]).map(toItem), total: Number(counted[0]?.total ?? 0) };
};
