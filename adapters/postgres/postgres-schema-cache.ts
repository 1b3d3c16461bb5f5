import { type Either, isLeft, right } from 'fp-ts/Either';
import { type Pool, type PoolClient } from 'pg';
import { type EngineTable } from '../../domain/ports/query-engine';
import { type CachedCounts, type CatalogReading, type SchemaCache } from '../../domain/ports/schema-cache';
import { type AllowList, searchKey } from '../../domain/schema-cache';
import { inTransaction } from '../../projections/projection-tables';

/** Lock that serializes the refreshes of several replicas. Any unused number. */
const CACHE_LOCK = 7_240_113;
const ABANDONED_AFTER = '1 day';

const STAGE = `
  INSERT INTO schema_cache.staged_tables (run, schema_name, table_name, table_type, search_key, columns)
  SELECT $1, $2, name, type, key, columns
  FROM jsonb_to_recordset($3::jsonb) AS page(name text, type text, key text, columns jsonb)`;

/** The read tables as rows of the cache, in the order of its columns. */
const STAGED = {
  tables: `
    SELECT $2, schema_name, table_name, table_type, jsonb_array_length(columns), search_key
    FROM schema_cache.staged_tables WHERE run = $1`,
  columns: `
    SELECT $2, schema_name, table_name, "ordinalPosition", name, type, nullable, "defaultValue", key
    FROM schema_cache.staged_tables CROSS JOIN LATERAL jsonb_to_recordset(columns) AS
      staged("ordinalPosition" integer, name text, type text, nullable boolean, "defaultValue" text, key text)
    WHERE run = $1`,
};
type Table = keyof typeof STAGED;

/**
 * Cached rows that differ from the read ones: of the whole catalog if it was read completely ($3), otherwise of the
 * read tables.
 */
const deleteChanged = (table: Table): string => `
  DELETE FROM schema_cache.${table} AS t WHERE catalog_name = $2
    AND NOT EXISTS (SELECT FROM (${STAGED[table]}) AS staged WHERE ROW(staged.*)::schema_cache.${table} = t)
    AND ($3 OR EXISTS (
      SELECT FROM schema_cache.staged_tables AS s
      WHERE s.run = $1 AND s.schema_name = t.schema_name AND s.table_name = t.table_name))`;

const insertMissing = (table: Table): string =>
  `INSERT INTO schema_cache.${table} ${STAGED[table]} ON CONFLICT DO NOTHING`;

/** A partly read catalog keeps its age. */
const MERGE_CATALOG = `
  INSERT INTO schema_cache.catalogs AS c (catalog_name, cached_at, problem) VALUES ($1, $2, $3)
  ON CONFLICT (catalog_name) DO UPDATE SET problem = excluded.problem,
    cached_at = CASE WHEN $4 THEN excluded.cached_at ELSE c.cached_at END`;

/** The cache in PostgreSQL. `pool`: connections without a time limit, because a large catalog takes long. */
export const createPostgresSchemaCache = (pool: Pool, newRunId: () => string): SchemaCache => ({
  replaceCatalog: async (reading, pages) => {
    const run = newRunId();
    const counts = { tables: 0, columns: 0 };
    try {
      for await (const page of pages) {
        if (isLeft(page)) {
          const { catalog, readAt } = reading;
          await change(pool, (client) => client.query(MERGE_CATALOG, [catalog, readAt, page.left.message, false]));
          return page;
        }
        const { schema, tables } = page.right;
        await pool.query(STAGE, [run, schema, JSON.stringify(tables.map(withKeys))]);
        counts.tables += tables.length;
        counts.columns += tables.reduce((sum, { columns }) => sum + columns.length, 0);
      }
      await change(pool, (client) => merge(client, run, reading));
      return right(counts) satisfies Either<never, CachedCounts>;
    } finally {
      await pool.query('DELETE FROM schema_cache.staged_tables WHERE run = $1', [run]);
    }
  },

  finishRefresh: (catalogs, startedAt) =>
    change(pool, async (client) => {
      const { rowCount } = await client.query('DELETE FROM schema_cache.catalogs WHERE catalog_name <> ALL ($1)', [
        catalogs,
      ]);
      for (const table of ['tables', 'columns']) {
        await client.query(`DELETE FROM schema_cache.${table} WHERE catalog_name <> ALL ($1)`, [catalogs]);
      }
      await client.query('UPDATE schema_cache.state SET last_refresh = $1, last_failure = NULL', [startedAt]);
      const abandoned = `staged_at < now() - interval '${ABANDONED_AFTER}'`;
      await client.query(`DELETE FROM schema_cache.staged_tables WHERE ${abandoned}`);
      return rowCount ?? 0;
    }),

  failRefresh: (message, startedAt) =>
    change(pool, async (client) => {
      await client.query('UPDATE schema_cache.catalogs SET problem = $1', [message]);
      const failure = { started_at: startedAt.toISOString(), message };
      await client.query('UPDATE schema_cache.state SET last_failure = $1', [failure]);
    }),

  adoptAllowList: (allowList) =>
    change(pool, async (client) => {
      const list = JSON.stringify(allowList.isUnrestricted ? null : allowList.places);
      const { rowCount } = await client.query(
        'UPDATE schema_cache.state SET allow_list = $1 WHERE allow_list IS DISTINCT FROM $1::jsonb',
        [list],
      );
      if ((rowCount ?? 0) > 0) await forgetForbidden(client, allowList);
      return (rowCount ?? 0) > 0;
    }),
});

const withKeys = (table: EngineTable): object => ({
  ...table,
  key: searchKey(table.name),
  columns: table.columns.map((column) => ({ ...column, key: searchKey(column.name) })),
});

const merge = async (client: PoolClient, run: string, { catalog, readAt, problem, isComplete }: CatalogReading) => {
  await client.query('ANALYZE schema_cache.staged_tables');
  for (const table of ['tables', 'columns'] as const) {
    await client.query(deleteChanged(table), [run, catalog, isComplete]);
    await client.query(insertMissing(table), [run, catalog]);
  }
  await client.query(MERGE_CATALOG, [catalog, readAt, problem, isComplete]);
};

const forgetForbidden = async (client: PoolClient, allowList: AllowList): Promise<void> => {
  const { rows } = await client.query<{ catalog_name: string; schema_name: string | null }>(
    'SELECT DISTINCT catalog_name, schema_name FROM schema_cache.catalogs LEFT JOIN schema_cache.tables USING (catalog_name)',
  );
  for (const { catalog_name: catalog, schema_name: schema } of rows) {
    if (!allowList.allowsCatalog(catalog)) {
      await client.query('DELETE FROM schema_cache.catalogs WHERE catalog_name = $1', [catalog]);
    }
    if (schema === null || allowList.allowsSchema(catalog, schema)) continue;
    for (const table of ['tables', 'columns']) {
      const where = 'catalog_name = $1 AND schema_name = $2';
      await client.query(`DELETE FROM schema_cache.${table} WHERE ${where}`, [catalog, schema]);
    }
  }
};

/** One transaction on the cache, under its lock. */
const change = <A>(pool: Pool, work: (client: PoolClient) => Promise<A>): Promise<A> =>
  inTransaction(pool, async (client) => {
    await client.query('SET LOCAL lock_timeout = 0');
    await client.query('SELECT pg_advisory_xact_lock($1)', [CACHE_LOCK]);
    return work(client);
  });
