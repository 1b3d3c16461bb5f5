import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  type EngineInspector,
  type EngineTable,
  type EngineTableColumn,
  type QueryEngineError,
  type ReadTable,
} from '../../domain/ports/query-engine';
import { possibleTables } from '../../domain/sql/named-tables';
import { isFatalError, readFailure } from './duckdb-error';
import { sqlName } from './sql-text';
import { type SkippedFile } from './warehouse-files';
import { type WarehouseSessions } from './warehouse-sessions';

/** Lists catalogs, schemas and tables. Unknown names and empty schemas give empty lists. */
export type CatalogBrowser = Omit<EngineInspector, 'describe' | 'ping' | 'refresh'>;

/** Tables with all their columns are many rows, so they are read in pages. */
const TABLES_PER_PAGE = 500;
/** Maximum length of a sampled value. */
const MAX_SAMPLED = 500;

/** A Parquet file is a view in DuckDB; users see a table. */
const ALL_TABLES = `
  SELECT database_name AS catalog, schema_name AS schema, table_name AS name, 'TABLE' AS type
  FROM duckdb_tables() WHERE NOT internal
  UNION ALL
  SELECT database_name, schema_name, view_name, if(db.path IS NULL, 'TABLE', 'VIEW')
  FROM duckdb_views() AS v JOIN duckdb_databases() AS db USING (database_name) WHERE NOT v.internal`;

const SCHEMAS = `SELECT DISTINCT schema AS name FROM (${ALL_TABLES}) WHERE catalog = $1 ORDER BY name`;

const TABLES = `
  WITH page AS (
    SELECT name, type FROM (${ALL_TABLES}) WHERE catalog = $1 AND schema = $2 AND name > $3
    ORDER BY name LIMIT ${TABLES_PER_PAGE}
  )
  SELECT page.name AS "table", page.type AS "tableType", column_name AS name, lower(data_type) AS type,
    is_nullable AS nullable, column_index::INTEGER AS "ordinalPosition", column_default AS "defaultValue"
  FROM page JOIN duckdb_columns() AS c
    ON c.database_name = $1 AND c.schema_name = $2 AND c.table_name = page.name
  ORDER BY page.name, column_index`;

/** Names are compared as DuckDB compares them, without regard to case. */
const PLACES = `
  SELECT DISTINCT catalog, schema FROM (${ALL_TABLES})
  WHERE lower(name) = lower($1) AND (
    (lower(catalog) = lower($2) AND lower(schema) = lower($3)) OR
    (lower(catalog) = lower($4) AND lower(schema) = lower($5)))`;

const Named = t.array(t.strict({ name: t.string }));
const Places = t.array(t.strict({ catalog: t.string, schema: t.string }));
const TableColumns = t.array(
  t.strict({
    table: t.string,
    tableType: t.string,
    name: t.string,
    type: t.string,
    nullable: t.boolean,
    ordinalPosition: t.number,
    defaultValue: t.union([t.string, t.null]),
  }),
);

const Sampled = t.array(t.record(t.string, t.union([t.string, t.null])));

const DEFAULT_SCHEMA = 'main';

export const createCatalogBrowser = (warehouse: WarehouseSessions): CatalogBrowser => ({
  listCatalogs: async () => {
    const session = await warehouse.open(null);
    if (isLeft(session)) return session;
    const { catalogs, problems, files } = session.right;
    const { skipped } = files;
    session.right.release();
    const names = [...new Set([...catalogs, ...[...problems, ...skipped].map(({ catalog }) => catalog)])].sort();
    return right(
      names.map((name) => {
        const messages = problems.filter(({ catalog }) => catalog === name).map(({ message }) => message);
        const problem = messages.length === 0 ? null : messages.map(oneLine).join('\n');
        return { name, problem, skipped: skippedText(skipped.filter(({ catalog }) => catalog === name)) };
      }),
    );
  },
  listSchemas: async (catalog) => {
    const rows = await read(warehouse, Named, SCHEMAS, [catalog]);
    return isLeft(rows) ? rows : right(rows.right.map((row) => row.name));
  },
  listTables: async (catalog, schema, after) => {
    const rows = await read(warehouse, TableColumns, TABLES, [catalog, schema, after ?? '']);
    if (isLeft(rows)) return rows;
    const tables = new Map<string, EngineTable & { columns: EngineTableColumn[] }>();
    for (const { table, tableType, ...column } of rows.right) {
      const known = tables.get(table);
      if (known === undefined) tables.set(table, { name: table, type: tableType, columns: [column] });
      else known.columns.push(column);
    }
    return right([...tables.values()]);
  },
  sampleRows: (path, limit) => {
    const cut = `left(COLUMNS(*)::VARCHAR, ${MAX_SAMPLED})`;
    const sql = `SELECT ${cut} FROM ${path.map(sqlName).join('.')} LIMIT ${limit}`;
    return read(warehouse, Sampled, sql, [], sql);
  },
  tablesOf: async (sql) => {
    const tables: ReadTable[] = [];
    for (const path of possibleTables(sql)) {
      const places = await placesOf(warehouse, path);
      if (isLeft(places)) return places;
      tables.push(...places.right.map((place) => ({ ...place, path })));
    }
    return right(tables);
  },
});

const MAX_SKIPPED_NAMED = 20;

/** Each problem of a catalog is one line. */
const oneLine = (text: string): string => text.replace(/\s*\n\s*/g, ' ');

const skippedText = (skipped: readonly SkippedFile[]): string | null => {
  const named = skipped.slice(0, MAX_SKIPPED_NAMED).map(({ path, reason }) => `${path} is not read: ${reason}`);
  const rest = skipped.length - named.length;
  return skipped.length === 0
    ? null
    : [...named, ...(rest > 0 ? [`${rest} more are not read`] : [])].map(oneLine).join('\n');
};

const placesOf = async (
  warehouse: WarehouseSessions,
  path: readonly string[],
): Promise<Either<QueryEngineError, t.TypeOf<typeof Places>>> => {
  const [table = '', schema, catalog] = [...path].reverse();
  if (schema !== undefined && catalog !== undefined) return right([{ catalog, schema }]);
  const session = await warehouse.open(null);
  if (isLeft(session)) return session;
  session.right.release();
  const only = session.right.catalogs.length === 1 ? (session.right.catalogs[0] ?? '') : '';
  // `a.t` is a schema of the only catalog, or a catalog with its default schema.
  return read(warehouse, Places, PLACES, [table, only, schema ?? DEFAULT_SCHEMA, schema ?? '', DEFAULT_SCHEMA]);
};

const read = async <A>(
  warehouse: WarehouseSessions,
  codec: t.Decoder<unknown, A>,
  sql: string,
  values: readonly string[],
  query = '',
): Promise<Either<QueryEngineError, A>> => {
  const session = await warehouse.open(null, query);
  if (isLeft(session)) return session;
  let isBroken = false;
  try {
    const result = await session.right.connection.runAndReadAll(sql, [...values]);
    const rows = codec.decode(result.getRowObjectsJson());
    if (isLeft(rows)) throw new Error(`DuckDB's catalog has an unexpected form for: ${sql}`);
    return rows;
  } catch (error) {
    const failure = readFailure(error);
    isBroken = isFatalError(failure);
    return left({ kind: 'query_failed', message: failure.message, canRetry: isBroken });
  } finally {
    session.right.release(isBroken);
  }
};
