import * as t from 'io-ts';
import { nullable } from '../../domain/kernel/codecs';

export const CachedCatalog = t.strict({
  catalog_name: t.string,
  schema_count: t.number,
  cached_at: t.string,
  /** Why the last read of it, or of a part, failed (the earlier content is kept), and which files are not tables. */
  problem: nullable(t.string),
});

export const CachedSchema = t.strict({
  catalog_name: t.string,
  schema_name: t.string,
  table_count: t.number,
  cached_at: t.string,
});

export const CachedTable = t.strict({
  catalog_name: t.string,
  schema_name: t.string,
  table_name: t.string,
  table_type: t.string,
  column_count: t.number,
  cached_at: t.string,
});

export const CachedColumn = t.strict({
  catalog_name: t.string,
  schema_name: t.string,
  table_name: t.string,
  column_name: t.string,
  data_type: t.string,
  is_nullable: t.boolean,
  ordinal_position: t.number,
  column_default: nullable(t.string),
  cached_at: t.string,
});

export const SchemaStats = t.strict({
  total_catalogs: t.number,
  total_schemas: t.number,
  total_tables: t.number,
  total_columns: t.number,
  /** When the last refresh that ended began. */
  last_refresh: nullable(t.string),
  /** Why the last refresh could not list the catalogs, and when it began; null if it could. */
  last_failure: nullable(t.strict({ started_at: t.string, message: t.string })),
  index_size_bytes: t.number,
});
export type SchemaStats = t.TypeOf<typeof SchemaStats>;
