import { type AllowList, searchKey } from '../domain/schema-cache';
import { type ReadDatabase } from './kit/database';
import { type Page, type PageBounds } from './kit/list';
import { allowedRows, COLUMN_FIELDS, readLastRefresh } from './schema-cache';
import { type CachedColumn, type CachedTable, type SchemaStats } from './views/schema-cache';

/** Names that begin with the key are a range of the index: from the key to the key with the last character behind it. */
const rangeOf = (prefix: string): readonly [string, string] => [searchKey(prefix), `${searchKey(prefix)}\u{10ffff}`];

const countFound = async (
  db: ReadDatabase,
  table: 'tables' | 'columns',
  allowed: string,
  bindings: readonly string[],
): Promise<number> => {
  const { rows } = await db.raw<{ rows: readonly [{ readonly total: number }] }>(
    `SELECT count(*) AS total FROM schema_cache.${table} AS found
     WHERE search_key >= ? AND search_key < ? AND ${allowed}`,
    [...bindings],
  );
  return rows[0].total;
};

/** Tables whose name begins with `prefix`, upper and lower case alike, by name, catalog and schema. */
export const searchTables = async (
  db: ReadDatabase,
  allowList: AllowList,
  prefix: string,
  { offset, limit }: PageBounds,
): Promise<Page<CachedTable>> => {
  const allowed = allowedRows(allowList, 'found', 'schema');
  const found = [...rangeOf(prefix), ...allowed.bindings];
  const { rows } = await db.raw<{ rows: readonly CachedTable[] }>(
    `SELECT catalog_name, schema_name, table_name, table_type, column_count, cached_at
     FROM (
       SELECT * FROM schema_cache.tables AS found WHERE search_key >= ? AND search_key < ? AND ${allowed.sql}
       ORDER BY search_key, catalog_name, schema_name, table_name LIMIT ? OFFSET ?
     ) AS t JOIN schema_cache.catalogs USING (catalog_name)
     ORDER BY search_key, catalog_name, schema_name, table_name`,
    [...found, limit, offset],
  );
  return { items: rows, total: await countFound(db, 'tables', allowed.sql, found) };
};

/** Columns whose name begins with `prefix`, upper and lower case alike, by name, catalog, schema and table. */
export const searchColumns = async (
  db: ReadDatabase,
  allowList: AllowList,
  prefix: string,
  { offset, limit }: PageBounds,
): Promise<Page<CachedColumn>> => {
  const allowed = allowedRows(allowList, 'found', 'schema');
  const found = [...rangeOf(prefix), ...allowed.bindings];
  const { rows } = await db.raw<{ rows: readonly CachedColumn[] }>(
    `SELECT ${COLUMN_FIELDS}
     FROM (
       SELECT * FROM schema_cache.columns AS found WHERE search_key >= ? AND search_key < ? AND ${allowed.sql}
       ORDER BY search_key, catalog_name, schema_name, table_name, ordinal_position LIMIT ? OFFSET ?
     ) AS c JOIN schema_cache.catalogs USING (catalog_name)
     ORDER BY search_key, catalog_name, schema_name, table_name, ordinal_position`,
    [...found, limit, offset],
  );
  return { items: rows, total: await countFound(db, 'columns', allowed.sql, found) };
};

/** What the cache holds, and the size of its indexes on disk. */
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
