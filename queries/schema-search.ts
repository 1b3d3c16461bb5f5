import { type AllowList, searchKey } from '../domain/schema-cache';
import { type ReadDatabase, toNumber } from './kit/database';
import {
  allowedRows,
  type CachedColumn,
  type CachedTable,
  COLUMN_FIELDS,
  readLastRefresh,
  type RowOf,
  withTimestamp,
} from './schema-cache';

/** Names that begin with the key are a range of the index: from the key to the key with the last character behind it. */
const rangeOf = (prefix: string): readonly [string, string] => [searchKey(prefix), `${searchKey(prefix)}\u{10ffff}`];

/** Tables whose name begins with `prefix`, upper and lower case alike, by name, catalog and schema. */
export const searchTables = async (
  db: ReadDatabase,
  allowList: AllowList,
  prefix: string,
  limit: number,
): Promise<readonly CachedTable[]> => {
  const allowed = allowedRows(allowList, 'found', 'schema');
  const { rows } = await db.raw<{ rows: readonly RowOf<CachedTable>[] }>(
    `SELECT catalog_name, schema_name, table_name, table_type, column_count, cached_at
     FROM (
       SELECT * FROM schema_cache.tables AS found WHERE search_key >= ? AND search_key < ? AND ${allowed.sql}
       ORDER BY search_key, catalog_name, schema_name, table_name LIMIT ?
     ) AS t JOIN schema_cache.catalogs USING (catalog_name)
     ORDER BY search_key, catalog_name, schema_name, table_name`,
    [...rangeOf(prefix), ...allowed.bindings, limit],
  );
  return rows.map(withTimestamp);
};

/** Columns whose name begins with `prefix`, upper and lower case alike, by name, catalog, schema and table. */
export const searchColumns = async (
  db: ReadDatabase,
  allowList: AllowList,
  prefix: string,
  limit: number,
): Promise<readonly CachedColumn[]> => {
  const allowed = allowedRows(allowList, 'found', 'schema');
  const { rows } = await db.raw<{ rows: readonly RowOf<CachedColumn>[] }>(
    `SELECT ${COLUMN_FIELDS}
     FROM (
       SELECT * FROM schema_cache.columns AS found WHERE search_key >= ? AND search_key < ? AND ${allowed.sql}
       ORDER BY search_key, catalog_name, schema_name, table_name, ordinal_position LIMIT ?
     ) AS c JOIN schema_cache.catalogs USING (catalog_name)
     ORDER BY search_key, catalog_name, schema_name, table_name, ordinal_position`,
    [...rangeOf(prefix), ...allowed.bindings, limit],
  );
  return rows.map(withTimestamp);
};

export interface SchemaStats {
  readonly total_catalogs: number;
  readonly total_schemas: number;
  readonly total_tables: number;
  readonly total_columns: number;
  readonly last_refresh: string | null;
  readonly index_size_bytes: number;
}

/** What the cache holds, and the size of its indexes on disk. */
export const readSchemaStats = async (db: ReadDatabase, allowList: AllowList): Promise<SchemaStats> => {
  const [ofCatalog, ofSchema] = [allowedRows(allowList, 'c', 'catalog'), allowedRows(allowList, 't', 'schema')];
  const { rows } = await db.raw<{ rows: readonly Record<string, string>[] }>(
    `SELECT
       (SELECT count(*) FROM schema_cache.catalogs AS c WHERE ${ofCatalog.sql}) AS catalogs,
       count(DISTINCT (t.catalog_name, t.schema_name)) AS schemas,
       count(*) AS tables,
       coalesce(sum(t.column_count), 0) AS columns,
       (SELECT sum(pg_indexes_size(oid)) FROM pg_class
        WHERE relnamespace = 'schema_cache'::regnamespace AND relkind = 'r') AS index_bytes
     FROM schema_cache.tables AS t WHERE ${ofSchema.sql}`,
    [...ofCatalog.bindings, ...ofSchema.bindings],
  );
  const [row = {}] = rows;
  const number = (name: string): number => toNumber(row[name] ?? '0');
  return {
    total_catalogs: number('catalogs'),
    total_schemas: number('schemas'),
    total_tables: number('tables'),
    total_columns: number('columns'),
    last_refresh: await readLastRefresh(db),
    index_size_bytes: number('index_bytes'),
  };
};
