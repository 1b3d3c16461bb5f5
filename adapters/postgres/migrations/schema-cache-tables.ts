/**
 * Schema `schema_cache`: the cached contents of the query engine's catalogs. They are not derived from events, so
 * rebuilds do not change them. All rows of a catalog have the age of the catalog. `search_key` is the name in lower
 * case; its bytes are compared, so that a prefix is a range of the index and results come in the index's order.
 */
export const schemaCacheTables = `
CREATE SCHEMA schema_cache;
CREATE TABLE schema_cache.catalogs (
  catalog_name text COLLATE "C" PRIMARY KEY,
  cached_at timestamptz NOT NULL,
  -- Why it could not be read in full when it was read last.
  problem text
);
CREATE TABLE schema_cache.tables (
  catalog_name text COLLATE "C" NOT NULL,
  schema_name text COLLATE "C" NOT NULL,
  table_name text COLLATE "C" NOT NULL,
  table_type text NOT NULL,
  column_count integer NOT NULL,
  search_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (catalog_name, schema_name, table_name)
);
CREATE INDEX tables_by_name ON schema_cache.tables (search_key, catalog_name, schema_name, table_name);
CREATE TABLE schema_cache.columns (
  catalog_name text COLLATE "C" NOT NULL,
  schema_name text COLLATE "C" NOT NULL,
  table_name text COLLATE "C" NOT NULL,
  ordinal_position integer NOT NULL,
  column_name text COLLATE "C" NOT NULL,
  data_type text NOT NULL,
  is_nullable boolean NOT NULL,
  column_default text,
  search_key text COLLATE "C" NOT NULL,
  PRIMARY KEY (catalog_name, schema_name, table_name, ordinal_position)
);
CREATE INDEX columns_by_name
  ON schema_cache.columns (search_key, catalog_name, schema_name, table_name, ordinal_position);
-- One row. The allow-list is the one the cache was filled for.
CREATE TABLE schema_cache.state (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  last_refresh timestamptz,
  allow_list jsonb
);
INSERT INTO schema_cache.state DEFAULT VALUES;
-- Where a refresh collects a catalog before it replaces what is cached of it.
CREATE UNLOGGED TABLE schema_cache.staged_tables (
  run uuid NOT NULL,
  staged_at timestamptz NOT NULL DEFAULT now(),
  schema_name text COLLATE "C" NOT NULL,
  table_name text COLLATE "C" NOT NULL,
  table_type text NOT NULL,
  search_key text COLLATE "C" NOT NULL,
  columns jsonb NOT NULL
);
CREATE INDEX staged_tables_by_run ON schema_cache.staged_tables (run);
`;
