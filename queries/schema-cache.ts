import { type AllowList, searchKey } from '../domain/schema-cache';
import { type ReadDatabase } from './kit/database';
import { type Page, type PageBounds } from './kit/list';
import {
  type CachedCatalog,
  type CachedColumn,
  type CachedSchema,
  type CachedTable,
  type SchemaStats,
} from './views/schema-cache';

interface Condition {
  readonly sql: string;
  readonly bindings: readonly string[];
}

/**
 * The condition for rows of `alias` that an allow-list allows. The cache contains other rows only while another replica
 * fills it by an older list.
 */
export const allowedRows = (allowList: AllowList, alias: string, has: 'catalog' | 'schema'): Condition => {
  if (allowList.isUnrestricted) return { sql: 'true', bindings: [] };
  const equals = (column: string): string => `lower(${alias}.${column} COLLATE "default") = ?`;
  const conditions = allowList.places.map(({ catalog, schema }) =>
    has === 'catalog' || schema === null
      ? { sql: equals('catalog_name'), bindings: [catalog] }
      : { sql: `(${equals('catalog_name')} AND ${equals('schema_name')})`, bindings: [catalog, schema] },
  );
  return {
    sql: `(${conditions.map(({ sql }) => sql).join(' OR ')})`,
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
};

/** Ordered by name. */
export const listCachedCatalogs = async (db: ReadDatabase, allowList: AllowList): Promise<readonly CachedCatalog[]> => {
  const [ofCatalog, ofSchema] = [allowedRows(allowList, 'c', 'catalog'), allowedRows(allowList, 't', 'schema')];
  const { rows } = await db.raw<{ rows: readonly CachedCatalog[] }>(
    `SELECT c.catalog_name, count(DISTINCT t.schema_name) AS schema_count, c.cached_at, c.problem
     FROM schema_cache.catalogs AS c
     LEFT JOIN schema_cache.tables AS t ON t.catalog_name = c.catalog_name AND ${ofSchema.sql}
     WHERE ${ofCatalog.sql} GROUP BY c.catalog_name ORDER BY c.catalog_name`,
    [...ofSchema.bindings, ...ofCatalog.bindings],
  );
  return rows;
};

/** Number of catalogs that are not read in full, of all users. */
export const countIncompleteCatalogs = async (db: ReadDatabase): Promise<number> => {
  const { rows } = await db.raw<{ rows: readonly [{ readonly incomplete: number }] }>(
    'SELECT count(*) AS incomplete FROM schema_cache.catalogs WHERE problem IS NOT NULL',
  );
  return rows[0].incomplete;
};

/** The schemas of a catalog, ordered by name, with the catalog's age; null when the catalog is not cached. */
export const listCachedSchemas = async (
  db: ReadDatabase,
  allowList: AllowList,
  catalog: string,
): Promise<{ readonly schemas: readonly CachedSchema[]; readonly cached_at: string } | null> => {
  if (!allowList.allowsCatalog(catalog)) return null;
  const ofSchema = allowedRows(allowList, 't', 'schema');
  const { rows } = await db.raw<{ rows: readonly SchemaRow[] }>(
    `SELECT c.catalog_name, t.schema_name, count(t.table_name) AS table_count, c.cached_at
     FROM schema_cache.catalogs AS c
     LEFT JOIN schema_cache.tables AS t ON t.catalog_name = c.catalog_name AND ${ofSchema.sql}
     WHERE c.catalog_name = ? GROUP BY c.catalog_name, t.schema_name ORDER BY t.schema_name`,
    [...ofSchema.bindings, catalog],
  );
  const [first] = rows;
  if (first === undefined) return null;
  const schemas = rows.flatMap(({ schema_name, ...row }) => (schema_name === null ? [] : [{ ...row, schema_name }]));
  return { schemas, cached_at: first.cached_at };
};

type SchemaRow = Omit<CachedSchema, 'schema_name'> & { readonly schema_name: string | null };

/** The tables of a schema, ordered by name; null when the schema is not cached. */
export const listCachedTables = async (
  db: ReadDatabase,
  allowList: AllowList,
  catalog: string,
  schema: string,
): Promise<readonly CachedTable[] | null> => {
  if (!allowList.allowsSchema(catalog, schema)) return null;
  const { rows } = await db.raw<{ rows: readonly CachedTable[] }>(
    `SELECT ${TABLE_FIELDS} FROM schema_cache.tables JOIN schema_cache.catalogs USING (catalog_name)
     WHERE catalog_name = ? AND schema_name = ? ORDER BY table_name`,
    [catalog, schema],
  );
  return rows.length === 0 ? null : rows;
};

/** The columns of a table in their order; null when the table is not cached. */
export const listCachedColumns = async (
  db: ReadDatabase,
  allowList: AllowList,
  [catalog, schema, table]: readonly [catalog: string, schema: string, table: string],
): Promise<readonly CachedColumn[] | null> => {
  if (!allowList.allowsSchema(catalog, schema)) return null;
  const { rows } = await db.raw<{ rows: readonly CachedColumn[] }>(
    `SELECT ${COLUMN_FIELDS} FROM schema_cache.columns JOIN schema_cache.catalogs USING (catalog_name)
     WHERE catalog_name = ? AND schema_name = ? AND table_name = ? ORDER BY ordinal_position`,
    [catalog, schema, table],
  );
  return rows.length === 0 ? null : rows;
};

export const TABLE_FIELDS = 'catalog_name, schema_name, table_name, table_type, column_count, cached_at';
export const COLUMN_FIELDS =
  'catalog_name, schema_name, table_name, column_name, data_type, is_nullable, ordinal_position, column_default, cached_at';

/** When the last refresh that ended began, null before the first one. */
export const readLastRefresh = async (db: ReadDatabase): Promise<string | null> => {
  const { rows } = await db.raw<{ rows: readonly { readonly last_refresh: string | null }[] }>(
    'SELECT last_refresh FROM schema_cache.state',
  );
  return rows[0]?.last_refresh ?? null;
};

/** Names that begin with the key are a range of the index: from the key to the key followed by the last character. */
const rangeOf = (prefix: string): readonly [string, string] => [searchKey(prefix), `${searchKey(prefix)}\u{10ffff}`];

const search = async <R>(
  db: ReadDatabase,
  allowList: AllowList,
  table: 'tables' | 'columns',
  fields: string,
  prefix: string,
  { offset, limit }: PageBounds,
): Promise<Page<R>> => {
  const allowed = allowedRows(allowList, 'found', 'schema');
  const found = `schema_cache.${table} AS found WHERE search_key >= ? AND search_key < ? AND ${allowed.sql}`;
  const bindings = [...rangeOf(prefix), ...allowed.bindings];
  const order = `search_key, catalog_name, schema_name, table_name${table === 'columns' ? ', ordinal_position' : ''}`;
  const { rows } = await db.raw<{ rows: readonly R[] }>(
    `SELECT ${fields} FROM (SELECT * FROM ${found} ORDER BY ${order} LIMIT ? OFFSET ?) AS page
     JOIN schema_cache.catalogs USING (catalog_name) ORDER BY ${order}`,
    [...bindings, limit, offset],
  );
  const counted = await db.raw<{ rows: readonly [{ readonly total: number }] }>(
    `SELECT count(*) AS total FROM ${found}`,
    bindings,
  );
  return { items: rows, total: counted.rows[0].total };
};

/** Tables whose name begins with `prefix`, ignoring case, by name, catalog and schema. */
export const searchTables = (db: ReadDatabase, allowList: AllowList, prefix: string, page: PageBounds) =>
  search<CachedTable>(db, allowList, 'tables', TABLE_FIELDS, prefix, page);

/** Columns whose name begins with `prefix`, ignoring case, by name, catalog, schema and table. */
export const searchColumns = (db: ReadDatabase, allowList: AllowList, prefix: string, page: PageBounds) =>
  search<CachedColumn>(db, allowList, 'columns', COLUMN_FIELDS, prefix, page);

/** The counts of the cache, and the size of its indexes on disk. */
export const readSchemaStats = async (db: ReadDatabase, allowList: AllowList): Promise<SchemaStats> => {
  const [ofCatalog, ofSchema] = [allowedRows(allowList, 'c', 'catalog'), allowedRows(allowList, 't', 'schema')];
  const { rows } = await db.raw<{ rows: readonly [Omit<SchemaStats, 'last_refresh'>] }>(
    `SELECT
       (SELECT count(*) FROM schema_cache.catalogs AS c WHERE ${ofCatalog.sql}) AS total_catalogs,
       count(DISTINCT (t.catalog_name, t.schema_name)) AS total_schemas,
       count(*) AS total_tables,
       coalesce(sum(t.column_count), 0) AS total_columns,
       (SELECT sum(pg_indexes_size(oid))::bigint FROM pg_class
        WHERE relnamespace = 'schema_cache'::regnamespace AND relkind = 'r') AS index_size_bytes
     FROM schema_cache.tables AS t WHERE ${ofSchema.sql}`,
    [...ofCatalog.bindings, ...ofSchema.bindings],
  );
  const { index_size_bytes, ...counts } = rows[0];
  return { ...counts, last_refresh: await readLastRefresh(db), index_size_bytes };
};
