import { type AllowList } from '../domain/schema-cache';
import { type ReadDatabase, toNumber, toTimestamp } from './kit/database';

export interface CachedCatalog {
  readonly catalog_name: string;
  readonly schema_count: number;
  readonly cached_at: string;
}

export interface CachedSchema {
  readonly catalog_name: string;
  readonly schema_name: string;
  readonly table_count: number;
  readonly cached_at: string;
}

export interface CachedTable {
  readonly catalog_name: string;
  readonly schema_name: string;
  readonly table_name: string;
  readonly table_type: string;
  readonly column_count: number;
  readonly cached_at: string;
}

export interface CachedColumn {
  readonly catalog_name: string;
  readonly schema_name: string;
  readonly table_name: string;
  readonly column_name: string;
  readonly data_type: string;
  readonly is_nullable: boolean;
  readonly ordinal_position: number;
  readonly column_default: string | null;
  readonly cached_at: string;
}

/** A row of the database: times and counts as it sends them. */
export type RowOf<T> = { readonly [K in keyof T]: K extends 'cached_at' ? Date : T[K] };

export const withTimestamp = <T extends { readonly cached_at: Date }>(row: T): T & { readonly cached_at: string } => ({
  ...row,
  cached_at: toTimestamp(row.cached_at),
});

interface Condition {
  readonly sql: string;
  readonly bindings: readonly string[];
}

/**
 * What an allow-list lets through, of rows of `alias`. The cache holds nothing else, unless another replica still fills
 * it by an older list.
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
  const { rows } = await db.raw<{ rows: readonly (RowOf<CachedCatalog> & { readonly schema_count: string })[] }>(
    `SELECT c.catalog_name, count(DISTINCT t.schema_name) AS schema_count, c.cached_at
     FROM schema_cache.catalogs AS c
     LEFT JOIN schema_cache.tables AS t ON t.catalog_name = c.catalog_name AND ${ofSchema.sql}
     WHERE ${ofCatalog.sql} GROUP BY c.catalog_name ORDER BY c.catalog_name`,
    [...ofSchema.bindings, ...ofCatalog.bindings],
  );
  return rows.map((row) => ({ ...withTimestamp(row), schema_count: toNumber(row.schema_count) }));
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
  const schemas = rows.flatMap(({ schema_name, table_count, ...row }) =>
    schema_name === null ? [] : [{ ...withTimestamp(row), schema_name, table_count: toNumber(table_count) }],
  );
  return { schemas, cached_at: toTimestamp(first.cached_at) };
};

interface SchemaRow {
  readonly catalog_name: string;
  readonly schema_name: string | null;
  readonly table_count: string;
  readonly cached_at: Date;
}

/** The tables of a schema, ordered by name; null when the schema is not cached. */
export const listCachedTables = async (
  db: ReadDatabase,
  allowList: AllowList,
  catalog: string,
  schema: string,
): Promise<readonly CachedTable[] | null> => {
  if (!allowList.allowsSchema(catalog, schema)) return null;
  const { rows } = await db.raw<{ rows: readonly RowOf<CachedTable>[] }>(
    `SELECT catalog_name, schema_name, table_name, table_type, column_count, cached_at
     FROM schema_cache.tables JOIN schema_cache.catalogs USING (catalog_name)
     WHERE catalog_name = ? AND schema_name = ? ORDER BY table_name`,
    [catalog, schema],
  );
  return rows.length === 0 ? null : rows.map(withTimestamp);
};

/** The columns of a table in their order; null when the table is not cached. */
export const listCachedColumns = async (
  db: ReadDatabase,
  allowList: AllowList,
  [catalog, schema, table]: readonly [catalog: string, schema: string, table: string],
): Promise<readonly CachedColumn[] | null> => {
  if (!allowList.allowsSchema(catalog, schema)) return null;
  const { rows } = await db.raw<{ rows: readonly RowOf<CachedColumn>[] }>(
    `SELECT ${COLUMN_FIELDS} FROM schema_cache.columns JOIN schema_cache.catalogs USING (catalog_name)
     WHERE catalog_name = ? AND schema_name = ? AND table_name = ? ORDER BY ordinal_position`,
    [catalog, schema, table],
  );
  return rows.length === 0 ? null : rows.map(withTimestamp);
};

export const COLUMN_FIELDS =
  'catalog_name, schema_name, table_name, column_name, data_type, is_nullable, ordinal_position, column_default, cached_at';

/** When a refresh last ended, null before the first one. */
export const readLastRefresh = async (db: ReadDatabase): Promise<string | null> => {
  const { rows } = await db.raw<{ rows: readonly { readonly last_refresh: Date | null }[] }>(
    'SELECT last_refresh FROM schema_cache.state',
  );
  return rows[0]?.last_refresh?.toISOString() ?? null;
};
