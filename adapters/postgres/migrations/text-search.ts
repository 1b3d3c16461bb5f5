/**
 * `es.index_text(table, column)` indexes a column of the current schema for `ILIKE '%text%'`. It needs the extension
 * `pg_trgm`, which PostgreSQL ships and owners of a database may create; without it, searches scan the whole table and
 * stay correct.
 */
export const textSearch = `
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS pg_trgm;
EXCEPTION WHEN OTHERS THEN
  RAISE NOTICE 'pg_trgm is not there, searches read whole tables: %', SQLERRM;
END $$;

CREATE FUNCTION es.index_text(table_name text, column_name text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  home name := (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
                WHERE e.extname = 'pg_trgm');
BEGIN
  IF home IS NOT NULL THEN
    EXECUTE format('CREATE INDEX ON %I USING gin (%I %I.gin_trgm_ops)', table_name, column_name, home);
  END IF;
END $$;
`;
