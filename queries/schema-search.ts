import { type AllowList, searchKey } from '../domain/schema-cache';
import { type ReadDatabase } from './kit/database';
import { type Page, type PageBounds } from './kit/list';
import { allowedRows, COLUMN_FIELDS, readLastRefresh, TABLE_FIELDS } from './schema-cache';
import { type CachedColumn, type CachedTable, type SchemaStats } from './views/schema-cache';

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
