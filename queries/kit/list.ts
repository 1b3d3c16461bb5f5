import { type Knex } from 'knex';
import { countRows } from './count';
import { type ReadDatabase } from './database';

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
    const pattern = containing(search);
    query.where((either) => {
      void either.whereILike('name', pattern).orWhereILike('description', pattern);
    });
  }
};

/** The pattern for texts with this text in them. */
export const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

/** The rows of one page of a filtered query; ties are broken by id. The sort column is never null. */
export const pageOf = (
  query: Knex.QueryBuilder,
  { offset, limit, sortBy, sortOrder }: ListOptions,
): Knex.QueryBuilder =>
  query
    .clone()
    .orderBy([
      { column: sortBy, order: sortOrder },
      { column: 'id', order: sortOrder },
    ])
    .offset(offset)
    .limit(limit);

/** One page of a filtered query over the tables of these read models, and the number of all matches. */
export const readPage = async <T>(
  db: ReadDatabase,
  readModels: readonly string[],
  query: Knex.QueryBuilder,
  options: ListOptions,
  columns: Readonly<Record<string, string>>,
): Promise<Page<T>> => {
  const [total, items] = await Promise.all([
    countRows(db, readModels, query),
    pageOf(query, options).select(columns) as Promise<readonly T[]>,
  ]);
  return { items, total };
};
