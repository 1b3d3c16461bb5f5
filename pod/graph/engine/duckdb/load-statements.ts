import { readParquet } from '../../duckdb/duckdb-session';
import { type GraphProperty, type GraphSchema } from '../graph-schema';
import { edgeTable, firstId, nodeTable, propertyColumn, reverseTable, ROW_MASK, storedExpression } from './storage';

/** The statements that fill one table from Parquet files; the first one creates the table whose rows are counted. */
export interface TableLoad {
  readonly table: string;
  readonly statements: readonly string[];
}

export const nodeLoad = ({ nodeTables }: GraphSchema, label: string, files: readonly string[]): TableLoad => {
  const index = nodeTables.findIndex((each) => each.label === label);
  const definition = nodeTables[index];
  if (definition === undefined) throw new Error(`Unknown label ${label}.`);
  const properties = [definition.primaryKey, ...definition.properties];
  const table = nodeTable(index);
  const rows = `SELECT ${stored(properties, 0).join(', ')} FROM ${columnsOf(files, properties.length)} ORDER BY 1`;
  return { table, statements: [createNumbered(table, index, rows)] };
};

/** Ends of edges are keys in the files and ids in the table. */
export const edgeLoad = (
  { nodeTables, edgeTables }: GraphSchema,
  type: string,
  files: readonly string[],
): TableLoad => {
  const index = edgeTables.findIndex((each) => each.type === type);
  const definition = edgeTables[index];
  if (definition === undefined) throw new Error(`Unknown edge type ${type}.`);
  const joined = (end: string, label: string, column: string): string => {
    const at = nodeTables.findIndex((each) => each.label === label);
    const key = nodeTables[at]?.primaryKey;
    if (key === undefined) throw new Error(`Unknown label ${label}.`);
    return `JOIN ${nodeTable(at)} AS ${end} ON ${end}.p0 = ${storedExpression(column, key.type)}`;
  };
  const { properties, fromNode, toNode } = definition;
  const rows =
    `SELECT a._id AS _from, b._id AS _to${stored(properties, 2)
      .map((column) => `, ${column}`)
      .join('')} ` +
    `FROM ${columnsOf(files, properties.length + 2)} ` +
    `${joined('a', fromNode, 'c0')} ${joined('b', toNode, 'c1')} ORDER BY ${BOTH_ENDS}`;
  const [table, reverse] = [edgeTable(index), reverseTable(index)];
  return {
    table,
    statements: [
      createNumbered(table, index, rows),
      `CREATE OR REPLACE TABLE ${reverse} AS SELECT _to, _from, _id FROM ${table} ORDER BY _to, _from, _id`,
    ],
  };
};

/** The row numbers of both ends in one integer: DuckDB sorts it faster than two, and fails from 2^31 rows on. */
const BOTH_ENDS = `((_from & ${ROW_MASK}) << 31) + (_to & ${ROW_MASK})`;

/** Numbers sorted rows in their order: without a window order the rows are numbered as they come, and stay so. */
const createNumbered = (table: string, index: number, rows: string): string =>
  `CREATE OR REPLACE TABLE ${table} AS SELECT ${firstId(index)} + row_number() OVER () - 1 AS _id, * FROM (${rows})`;

/** The files as a table with the columns `c0`, `c1`, …: exported names may differ in case only. */
const columnsOf = (files: readonly string[], count: number): string =>
  `${readParquet(files)} AS t(${Array.from({ length: count }, (_, column) => `c${column}`).join(', ')})`;

const stored = (properties: readonly GraphProperty[], firstColumn: number): readonly string[] =>
  properties.map(
    ({ type }, index) => `${storedExpression(`c${index + firstColumn}`, type)} AS ${propertyColumn(index)}`,
  );
