import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type EngineTable, type EngineTableColumn, type QueryEngineError } from '../../domain/ports/query-engine';
import { readFailure } from './duckdb-error';
import { type WarehouseSessions } from './warehouse-sessions';

/** The part of the query engine that lists what there is. Unknown names and empty schemas have nothing below them. */
export interface CatalogBrowser {
  listCatalogs(): Promise<Either<QueryEngineError, readonly string[]>>;
  listSchemas(catalog: string): Promise<Either<QueryEngineError, readonly string[]>>;
  listTables(catalog: string, schema: string): Promise<Either<QueryEngineError, readonly EngineTable[]>>;
  listColumns(
    catalog: string,
    schema: string,
    table: string,
  ): Promise<Either<QueryEngineError, readonly EngineTableColumn[]>>;
}

const SCHEMAS = `
  SELECT schema_name AS name FROM duckdb_tables() WHERE database_name = $1 AND NOT internal
  UNION
  SELECT schema_name FROM duckdb_views() WHERE database_name = $1 AND NOT internal
  ORDER BY name`;

/** A Parquet file is a view in DuckDB and a table to everybody else. */
const TABLES = `
  SELECT table_name AS name, 'TABLE' AS type FROM duckdb_tables()
  WHERE database_name = $1 AND schema_name = $2 AND NOT internal
  UNION ALL
  SELECT view_name, if(db.path IS NULL, 'TABLE', 'VIEW') FROM duckdb_views() AS v
  JOIN duckdb_databases() AS db USING (database_name)
  WHERE database_name = $1 AND schema_name = $2 AND NOT v.internal
  ORDER BY name`;

const COLUMNS = `
  SELECT column_name AS name, lower(data_type) AS type, is_nullable AS nullable,
    column_index::INTEGER AS "ordinalPosition", column_default AS "defaultValue"
  FROM duckdb_columns()
  WHERE database_name = $1 AND schema_name = $2 AND table_name = $3 ORDER BY column_index`;

const Named = t.array(t.strict({ name: t.string }));
const Tables = t.array(t.strict({ name: t.string, type: t.string }));
const Columns = t.array(
  t.strict({
    name: t.string,
    type: t.string,
    nullable: t.boolean,
    ordinalPosition: t.number,
    defaultValue: t.union([t.string, t.null]),
  }),
);

export const createCatalogBrowser = (warehouse: WarehouseSessions): CatalogBrowser => {
  const read = async <A>(
    codec: t.Decoder<unknown, A>,
    sql: string,
    values: readonly string[],
  ): Promise<Either<QueryEngineError, A>> => {
    const session = await warehouse.open(null);
    if (isLeft(session)) return session;
    try {
      const result = await session.right.connection.runAndReadAll(sql, [...values]);
      const rows = codec.decode(result.getRowObjectsJson());
      if (isLeft(rows)) throw new Error(`DuckDB's catalog has another shape than expected by: ${sql}`);
      return rows;
    } catch (error) {
      return left({ kind: 'query_failed', message: readFailure(error).message });
    } finally {
      session.right.release();
    }
  };

  return {
    listCatalogs: async () => {
      const session = await warehouse.open(null);
      if (isLeft(session)) return session;
      session.right.release();
      return right(session.right.catalogs);
    },
    listSchemas: async (catalog) => {
      const rows = await read(Named, SCHEMAS, [catalog]);
      return isLeft(rows) ? rows : right(rows.right.map((row) => row.name));
    },
    listTables: (catalog, schema) => read(Tables, TABLES, [catalog, schema]),
    listColumns: (catalog, schema, table) => read(Columns, COLUMNS, [catalog, schema, table]),
  };
};
