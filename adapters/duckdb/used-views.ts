import { type DuckDBConnection } from '@duckdb/node-api';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { possibleTables } from '../../domain/sql/named-tables';
import { readFailure } from './duckdb-error';
import { sqlName } from './sql-text';

/** Views of database files by the parts of a name, as DuckDB compares them. */
const VIEWS = `
  SELECT database_name AS catalog, schema_name AS schema, view_name AS name
  FROM duckdb_views() AS v JOIN duckdb_databases() AS db USING (database_name)
  WHERE NOT v.internal AND db.path IS NOT NULL AND lower(view_name) = lower($1) AND (
    (lower(database_name) = lower($2) AND lower(schema_name) = lower($3)) OR
    (lower(database_name) = lower($4) AND lower(schema_name) = lower($5)))`;

const Views = t.array(t.strict({ catalog: t.string, schema: t.string, name: t.string }));
type View = t.TypeOf<typeof Views>[number];

/**
 * The catalog that has to be the default, because a view that a query reads has names without a catalog: DuckDB looks
 * for them in the schema of the view, then in the default catalog, and not in `main` of the view's own. Null: any.
 * Left: a view is invalid, or would find tables of another catalog. The default catalog of the connection is not set.
 */
export const catalogOfViews = async (
  connection: DuckDBConnection,
  sql: string,
  defaultCatalog: string | null,
  hints: boolean,
): Promise<Either<QueryEngineError, string | null>> => {
  let needed: string | null = null;
  for (const path of possibleTables(sql)) {
    for (const view of await viewsOf(connection, path, defaultCatalog)) {
      if ((await problemOf(connection, view)) === null) continue;
      const name = `${view.catalog}.${view.schema}.${view.name}`;
      await connection.run(`USE ${sqlName(view.catalog)}`);
      const problem = await problemOf(connection, view);
      await connection.run('USE memory');
      if (problem !== null) return invalid(`the view ${name} cannot be read${hints ? `: ${problem}` : ''}`);
      const other = [defaultCatalog, needed].find((catalog) => catalog !== null && catalog !== view.catalog);
      if (other !== undefined)
        return invalid(
          `the view ${name} has names without a catalog, which would be those of the catalog ${other}; run the query with the catalog ${view.catalog}, or create the view with full names`,
        );
      needed = view.catalog;
    }
  }
  return right(needed);
};

const invalid = (message: string): Either<QueryEngineError, never> =>
  left({ kind: 'invalid_sql', message, position: null });

const viewsOf = async (
  connection: DuckDBConnection,
  path: readonly string[],
  defaultCatalog: string | null,
): Promise<readonly View[]> => {
  const [name = '', schema, catalog] = [...path].reverse();
  const values =
    catalog === undefined
      ? [name, defaultCatalog ?? '', schema ?? 'main', schema ?? '', 'main']
      : [name, catalog, schema ?? '', '', ''];
  const rows = Views.decode((await connection.runAndReadAll(VIEWS, values)).getRowObjectsJson());
  return rows._tag === 'Right' ? rows.right : [];
};

const problemOf = async (connection: DuckDBConnection, { catalog, schema, name }: View): Promise<string | null> => {
  try {
    (await connection.prepare(`FROM ${[catalog, schema, name].map(sqlName).join('.')}`)).destroySync();
    return null;
  } catch (error) {
    return readFailure(error).message;
  }
};
