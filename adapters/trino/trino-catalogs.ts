import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { parseJson } from '../../domain/kernel/codecs';
import {
  type EngineInspector,
  type EngineTable,
  type EngineTableColumn,
  type QueryEngineError,
  type ReadTable,
} from '../../domain/ports/query-engine';
import { possibleTables } from '../../domain/sql/named-tables';
import { sqlName, sqlString } from '../duckdb/sql-text';
import { type StatementOptions, type TrinoClient } from './trino-client';

type Catalogs = Pick<EngineInspector, 'listCatalogs' | 'listSchemas' | 'listTables' | 'tablesOf'>;

/** Tables with all their columns are many rows, so they are read in pages. */
const TABLES_PER_PAGE = 500;

const Names = t.readonlyArray(t.tuple([t.string]));
const Columns = t.readonlyArray(
  t.tuple([t.string, t.string, t.union([t.string, t.null]), t.union([t.string, t.null]), t.union([t.string, t.null])]),
);
const Places = t.readonlyArray(t.tuple([t.string, t.string]));
const InputTables = t.type({
  inputTableColumnInfos: t.readonlyArray(
    t.type({
      table: t.type({ catalog: t.string, schemaTable: t.type({ schema: t.string, table: t.string }) }),
    }),
  ),
});

/** The tables of a Trino server. `defaults` is what unqualified names refer to. */
export const createTrinoCatalogs = (client: TrinoClient, defaults: Defaults): Catalogs => {
  const read: Read = (rows, sql) => client.rows(rows, sql, defaults);
  return {
    listCatalogs: async () => {
      const names = await read(
        Names,
        `SELECT catalog_name FROM system.metadata.catalogs WHERE catalog_name <> 'system' ORDER BY 1`,
      );
      return isLeft(names) ? names : right(names.right.map(([name]) => ({ name, problem: null, skipped: null })));
    },

    listSchemas: async (catalog) => {
      const names = await read(
        Names,
        `SELECT schema_name FROM ${sqlName(catalog)}.information_schema.schemata
         WHERE schema_name <> 'information_schema' ORDER BY 1`,
      );
      // Only the name of the catalog can be unknown.
      if (isLeft(names)) return names.left.kind === 'invalid_sql' ? right([]) : names;
      return right(names.right.map(([name]) => name));
    },

    listTables: async (catalog, schema, after) => {
      const rows = await read(Columns, tablesQuery(catalog, schema, after ?? ''));
      return isLeft(rows) ? rows : right(tablesFrom(rows.right));
    },

    tablesOf: async (sql) => {
      const tables: ReadTable[] = [];
      for (const path of possibleTables(sql)) {
        const places = await placesOf(read, defaults, path);
        if (isLeft(places)) return places;
        tables.push(...places.right.map(([catalog, schema]) => ({ catalog, schema, path })));
      }
      const planned = await tablesOfPlan(read, sql);
      if (isLeft(planned)) return planned;
      const isNamed = (one: ReadTable): boolean => tables.some((other) => keyOf(other) === keyOf(one));
      return right([...tables, ...planned.right.filter((one) => !isNamed(one))]);
    },
  };
};

/** The rows of a statement, decoded. */
type Read = <A>(rows: t.Decoder<unknown, A>, sql: string) => Promise<Either<QueryEngineError, A>>;
type Defaults = Pick<StatementOptions, 'catalog' | 'schema'>;

const placesOf = async (
  read: Read,
  defaults: Defaults,
  path: readonly string[],
): Promise<Either<QueryEngineError, t.TypeOf<typeof Places>>> => {
  const [table = '', schema = defaults.schema, catalog] = [...path].reverse();
  if (catalog !== undefined) return right(schema === null ? [] : [[catalog, schema]]);
  if (defaults.catalog === null || schema === null) return right([]);
  return read(
    Places,
    `SELECT table_catalog, table_schema FROM ${sqlName(defaults.catalog)}.information_schema.tables
     WHERE table_schema = lower(${sqlString(schema)}) AND table_name = lower(${sqlString(table)})`,
  );
};

/** The tables in the plan: including tables behind views, without those that the optimizer has removed. */
const tablesOfPlan = async (read: Read, sql: string): Promise<Either<QueryEngineError, readonly ReadTable[]>> => {
  const plan = await read(Names, `EXPLAIN (TYPE IO, FORMAT JSON)\n${sql}`);
  // An invalid query does not read tables.
  if (isLeft(plan)) return plan.left.kind === 'invalid_sql' ? right([]) : plan;
  const inputs = InputTables.decode(parseJson(plan.right[0]?.[0] ?? ''));
  if (isLeft(inputs)) {
    return left({ kind: 'query_failed', message: 'the plan of the query has an unknown form', canRetry: false });
  }
  return right(
    inputs.right.inputTableColumnInfos.map(({ table: { catalog, schemaTable } }) => ({
      ...{ catalog, schema: schemaTable.schema, path: [schemaTable.table] },
    })),
  );
};

const keyOf = ({ catalog, schema, path }: ReadTable): string =>
  JSON.stringify([catalog, schema, path.at(-1)]).toLowerCase();

const tablesQuery = (catalog: string, schema: string, after: string): string => {
  const from = `${sqlName(catalog)}.information_schema`;
  return `
    WITH page AS (
      SELECT table_name, table_type FROM ${from}.tables
      WHERE table_schema = ${sqlString(schema)} AND table_name > ${sqlString(after)}
      ORDER BY table_name LIMIT ${TABLES_PER_PAGE}
    ), of_schema AS (SELECT * FROM ${from}.columns WHERE table_schema = ${sqlString(schema)})
    SELECT page.table_name, if(table_type = 'VIEW', 'VIEW', 'TABLE'), column_name, data_type, is_nullable
    FROM page LEFT JOIN of_schema ON of_schema.table_name = page.table_name
    ORDER BY page.table_name, ordinal_position`;
};

const tablesFrom = (rows: t.TypeOf<typeof Columns>): readonly EngineTable[] => {
  const tables = new Map<string, EngineTable & { columns: EngineTableColumn[] }>();
  for (const [name, type, column, dataType, isNullable] of rows) {
    const table = tables.get(name) ?? { name, type, columns: [] };
    tables.set(name, table);
    // A table that the connector cannot read has no columns.
    if (column === null || dataType === null) continue;
    const known = { name: column, type: plainType(dataType), nullable: isNullable === 'YES', defaultValue: null };
    table.columns.push({ ...known, ordinalPosition: table.columns.length + 1 });
  }
  return [...tables.values()];
};

/** Trino writes some types with a space in the parentheses: `decimal(10, 2)`. */
export const plainType = (type: string): string => type.toLowerCase().replaceAll(/(\d), (?=\d)/g, '$1,');
