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
 * The schema cache as an allow-list shows it. The cache contains other rows only while another replica fills it by an
 * older list. Lists return everything by default, by name or position; their search is for any part of a name.
 */
export const schemaCache = (db: ReadDatabase, allowList: AllowList) => {
  const allowed = (rows: Knex.QueryBuilder, has: 'catalog' | 'schema'): Knex.QueryBuilder => {
    if (allowList.isUnrestricted) return rows;
    const equals = (column: string): string => `lower(${column} COLLATE "default") = ?`;
    return rows.where((any) => {
      for (const { catalog, schema } of allowList.places) {
        if (has === 'catalog' || schema === null) void any.orWhereRaw(equals('catalog_name'), [catalog]);
        else void any.orWhereRaw(`${equals('catalog_name')} AND ${equals('schema_name')}`, [catalog, schema]);
      }
    });
  };
  const keyOf = (column: string) => db.raw(`lower(${column} COLLATE "default") AS search_key`);

  const catalogRows = (): Knex.QueryBuilder => {
    const tables = db('schema_cache.tables').where('catalog_name', db.ref('c.catalog_name'));
    const schema_count = allowed(tables, 'schema').countDistinct('schema_name');
    const rows = allowed(db('schema_cache.catalogs AS c'), 'catalog');
    return db.from(rows.select('*', { schema_count }, keyOf('catalog_name')).as('rows'));
  };

  /** With the age of their catalog; without a place, those of all catalogs. */
  const rowsIn = (table: 'tables' | 'columns', place?: CachedPlace) => {
    const catalog = db('schema_cache.catalogs AS c').where('c.catalog_name', db.ref('t.catalog_name'));
    const rows = db(`schema_cache.${table} AS t`).select('*', { cached_at: catalog.select('cached_at') });
    return allowed(db.from(rows.as('rows')).where(columnsOf(place)), 'schema');
  };

  const schemaRows = (place: CachedPlace): Knex.QueryBuilder => {
    const schemas = rowsIn('tables', place).groupBy('catalog_name', 'schema_name', 'cached_at');
    const columns = ['catalog_name', 'schema_name', 'cached_at', keyOf('schema_name')];
    return db.from(schemas.select(columns).count({ table_count: '*' }).as('schemas'));
  };

  /** Names that begin with a prefix, ignoring case, are a range of the index. */
  const rowsFrom = (table: 'tables' | 'columns', prefix: string) =>
    rowsIn(table)
      .whereBetween('search_key', [searchKey(prefix), `${searchKey(prefix)}\u{10ffff}`])
      .orderBy(['search_key', 'catalog_name', 'schema_name', 'table_name']);

  return {
    /** The age of what is cached of a place; null when it is not cached. */
    findCachedAt: async (place: CachedPlace): Promise<string | null> => {
      const rows = place.schema === undefined ? catalogRows() : rowsIn('tables');
      const row = await rows.where(columnsOf(place)).first<{ cached_at: string } | undefined>('cached_at');
      return row?.cached_at ?? null;
    },

    listCatalogs: (filters?: ListQuery, page?: PageBounds) =>
      listRows(catalogRows(), CachedCatalog, 'catalog_name', filters, page),

    listSchemas: (catalog: CachedPlace, filters?: ListQuery, page?: PageBounds) =>
      listRows(schemaRows(catalog), CachedSchema, 'schema_name', filters, page),

    listTables: (schema: CachedPlace, filters?: ListQuery, page?: PageBounds) =>
      listRows(rowsIn('tables', schema), CachedTable, 'table_name', filters, page),

    listColumns: (table: CachedPlace, filters?: ListQuery, page?: PageBounds) =>
      listRows(rowsIn('columns', table), CachedColumn, 'ordinal_position', filters, page),

    /** Tables whose name begins with `prefix`, ignoring case, by name, catalog and schema. */
    searchTables: (prefix: string, page: PageBounds) => readPage(rowsFrom('tables', prefix), page, CachedTable),

    /** Columns whose name begins with `prefix`, ignoring case, by name, catalog, schema and table. */
    searchColumns: (prefix: string, page: PageBounds) =>
      readPage(rowsFrom('columns', prefix).orderBy('ordinal_position'), page, CachedColumn),

    /** The counts of the cache, and the size of its indexes on disk. */
    readStats: async (): Promise<SchemaStats> => {
      type State = Pick<SchemaStats, 'last_refresh' | 'last_failure'>;
      type Counts = Omit<SchemaStats, keyof State | 'total_catalogs'>;
      const counts = await rowsIn('tables').first<Counts>(db.raw(COUNTS));
      const total_catalogs = await countRows(catalogRows());
      const state = await db('schema_cache.state').first<State>('last_refresh', 'last_failure');
      return { total_catalogs, ...counts, ...state };
    },
  };
};

const COUNTS = `
  count(DISTINCT (catalog_name, schema_name)) AS total_schemas, count(*) AS total_tables,
  coalesce(sum(column_count), 0) AS total_columns,
  (SELECT sum(pg_indexes_size(oid))::bigint FROM pg_class
   WHERE relnamespace = 'schema_cache'::regnamespace AND relkind = 'r') AS index_size_bytes`;

const columnsOf = (place: CachedPlace | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(place ?? {}).map(([kind, name]) => [`${kind}_name`, name]));

const listRows = <P extends t.Props>(
  rows: Knex.QueryBuilder,
  view: View<P>,
  column: string,
  { search, sort_by, sort_order }: ListQuery = {},
  page = EVERY_ROW,
) => {
  filterList(rows, { search: search === undefined ? undefined : searchKey(search) }, ['search_key']);
  const order = sort_by === undefined ? { sort_by: column, sort_order: sort_order ?? 'asc' } : { sort_by, sort_order };
  return readPage(sorted(rows, order, [], column), page, view);
};

/** Number of catalogs that are not read in full, of all users. */
export const countIncompleteCatalogs = (db: ReadDatabase): Promise<number> =>
  countRows(db('schema_cache.catalogs').whereNotNull('problem'));

/** When the last refresh that ended began, null before the first one. */
export const readLastRefresh = async (db: ReadDatabase): Promise<string | null> =>
  (await db('schema_cache.state').first<{ last_refresh: string | null }>('last_refresh')).last_refresh;
