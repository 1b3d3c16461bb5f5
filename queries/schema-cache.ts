import type * as t from 'io-ts';
import { type Knex } from 'knex';
import { type AllowList, searchKey } from '../domain/schema-cache';
import { type ReadDatabase } from './kit/database';
import { countRows, filterList, type ListQuery, type PageBounds, readPage, sorted, type View } from './kit/list';
import { CachedCatalog, CachedColumn, CachedSchema, CachedTable, type SchemaStats } from './views/schema-cache';

/** A catalog, or a schema or table in it. */
export interface CachedPlace {
  readonly catalog: string;
  readonly schema?: string;
  readonly table?: string;
}

const EVERY_ROW: PageBounds = { offset: 0, limit: 2 ** 31 };

/**
 * The rows that an allow-list allows. The cache contains other rows only while another replica fills it by an older
 * list.
 */
const allowedRows = (rows: Knex.QueryBuilder, allowList: AllowList, has: 'catalog' | 'schema'): Knex.QueryBuilder => {
  if (allowList.isUnrestricted) return rows;
  const equals = (column: string): string => `lower(${column} COLLATE "default") = ?`;
  return rows.where((any) => {
    for (const { catalog, schema } of allowList.places) {
      if (has === 'catalog' || schema === null) void any.orWhereRaw(equals('catalog_name'), [catalog]);
      else void any.orWhereRaw(`${equals('catalog_name')} AND ${equals('schema_name')}`, [catalog, schema]);
    }
  });
};

const catalogRows = (db: ReadDatabase, allowList: AllowList): Knex.QueryBuilder => {
  const tables = db('schema_cache.tables').where('catalog_name', db.ref('c.catalog_name'));
  const rows = allowedRows(db('schema_cache.catalogs AS c'), allowList, 'catalog').select('*', {
    schema_count: allowedRows(tables, allowList, 'schema').countDistinct('schema_name'),
    search_key: db.raw('lower(catalog_name COLLATE "default")'),
  });
  return db.from(rows.as('rows'));
};

/** The rows of tables or columns in a place, with the age of their catalog; by default everywhere. */
const rowsIn = (db: ReadDatabase, allowList: AllowList, table: 'tables' | 'columns', place?: CachedPlace) => {
  const cached_at = db('schema_cache.catalogs AS c')
    .where('c.catalog_name', db.ref('t.catalog_name'))
    .select('cached_at');
  const rows = db(`schema_cache.${table} AS t`).select('*', { cached_at });
  return allowedRows(db.from(rows.as('rows')).where(columnsOf(place)), allowList, 'schema');
};

const columnsOf = (place: CachedPlace | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(place ?? {}).map(([kind, name]) => [`${kind}_name`, name]));

/** The age of what is cached of a place; null when it is not cached. */
export const findCachedAt = async (
  db: ReadDatabase,
  allowList: AllowList,
  place: CachedPlace,
): Promise<string | null> => {
  const rows = place.schema === undefined ? catalogRows(db, allowList) : rowsIn(db, allowList, 'tables');
  const row = await rows.where(columnsOf(place)).first<{ cached_at: string } | undefined>('cached_at');
  return row?.cached_at ?? null;
};

/** A page of rows, by `column` if the filters have no order; searches names. */
const listRows = <P extends t.Props>(
  rows: Knex.QueryBuilder,
  view: View<P>,
  column: string,
  { search, sort_by, sort_order }: ListQuery,
  page: PageBounds,
) => {
  filterList(rows, { search: search === undefined ? undefined : searchKey(search) }, ['search_key']);
  const order = sort_by === undefined ? { sort_by: column, sort_order: sort_order ?? 'asc' } : { sort_by, sort_order };
  return readPage(sorted(rows, order, [], column), page, view);
};

export const listCachedCatalogs = (db: ReadDatabase, allowList: AllowList, filters: ListQuery = {}, page = EVERY_ROW) =>
  listRows(catalogRows(db, allowList), CachedCatalog, 'catalog_name', filters, page);

/** The schemas of a catalog. */
export const listCachedSchemas = (
  db: ReadDatabase,
  allowList: AllowList,
  catalog: CachedPlace,
  filters: ListQuery = {},
  page = EVERY_ROW,
) => {
  const schemas = rowsIn(db, allowList, 'tables', catalog)
    .groupBy('catalog_name', 'schema_name', 'cached_at')
    .select('catalog_name', 'schema_name', 'cached_at', db.raw('lower(schema_name COLLATE "default") AS search_key'))
    .count({ table_count: '*' });
  return listRows(db.from(schemas.as('schemas')), CachedSchema, 'schema_name', filters, page);
};

/** The tables of a schema. */
export const listCachedTables = (
  db: ReadDatabase,
  allowList: AllowList,
  schema: CachedPlace,
  filters: ListQuery = {},
  page = EVERY_ROW,
) => listRows(rowsIn(db, allowList, 'tables', schema), CachedTable, 'table_name', filters, page);

/** The columns of a table. */
export const listCachedColumns = (
  db: ReadDatabase,
  allowList: AllowList,
  table: CachedPlace,
  filters: ListQuery = {},
  page = EVERY_ROW,
) => listRows(rowsIn(db, allowList, 'columns', table), CachedColumn, 'ordinal_position', filters, page);

/** The rows whose names begin with a prefix, ignoring case, are a range of the index. */
const rowsFrom = (db: ReadDatabase, allowList: AllowList, table: 'tables' | 'columns', prefix: string) =>
  rowsIn(db, allowList, table)
    .whereBetween('search_key', [searchKey(prefix), `${searchKey(prefix)}\u{10ffff}`])
    .orderBy(['search_key', 'catalog_name', 'schema_name', 'table_name']);

/** Tables whose name begins with `prefix`, ignoring case, by name, catalog and schema. */
export const searchTables = (db: ReadDatabase, allowList: AllowList, prefix: string, page: PageBounds) =>
  readPage(rowsFrom(db, allowList, 'tables', prefix), page, CachedTable);

/** Columns whose name begins with `prefix`, ignoring case, by name, catalog, schema and table. */
export const searchColumns = (db: ReadDatabase, allowList: AllowList, prefix: string, page: PageBounds) =>
  readPage(rowsFrom(db, allowList, 'columns', prefix).orderBy('ordinal_position'), page, CachedColumn);

/** Number of catalogs that are not read in full, of all users. */
export const countIncompleteCatalogs = (db: ReadDatabase): Promise<number> =>
  countRows(db('schema_cache.catalogs').whereNotNull('problem'));

/** When the last refresh that ended began, null before the first one. */
export const readLastRefresh = async (db: ReadDatabase): Promise<string | null> =>
  (await db('schema_cache.state').first<{ last_refresh: string | null }>('last_refresh')).last_refresh;

/** The counts of the cache, and the size of its indexes on disk. */
export const readSchemaStats = async (db: ReadDatabase, allowList: AllowList): Promise<SchemaStats> => {
  const counts = await rowsIn(db, allowList, 'tables').first<Omit<SchemaStats, 'total_catalogs' | 'last_refresh'>>(
    db.raw(`count(DISTINCT (catalog_name, schema_name)) AS total_schemas, count(*) AS total_tables,
      coalesce(sum(column_count), 0) AS total_columns,
      (SELECT sum(pg_indexes_size(oid))::bigint FROM pg_class
       WHERE relnamespace = 'schema_cache'::regnamespace AND relkind = 'r') AS index_size_bytes`),
  );
  const total_catalogs = await countRows(catalogRows(db, allowList));
  return { total_catalogs, ...counts, last_refresh: await readLastRefresh(db) };
};
