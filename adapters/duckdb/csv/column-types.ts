import { type DuckDBConnection } from '@duckdb/node-api';
import { sqlString } from '../sql-text';
import { fitsType } from './fits-type';
import { type Row, rowsOf } from './rows-of';

/** Rows from which the types are chosen that are tried on more rows, and at last on the whole file. */
const SAMPLED_ROWS = [20, 2_000];
const COLUMNS_AT_ONCE = 64;

/** The types, the narrowest first, that the values of a column in the first rows fit. */
export const typesToTry = async (
  connection: DuckDBConnection,
  texts: string,
  columnCount: number,
): Promise<readonly (readonly string[])[]> => {
  const indexes = Array.from({ length: columnCount }, (_, index) => index);
  const scaleIn = (rows: string) =>
    sumsOf(connection, rows, indexes, (index) => [
      `any_value(strlen(c${index}) - instr(c${index}, '.'))::DOUBLE AS s${index}`,
    ]);
  let scale = await scaleIn(`(FROM ${texts} LIMIT ${SAMPLED_ROWS[0]})`);
  if (Object.values(scale).includes(null)) scale = await scaleIn(texts);
  let tried: readonly (readonly string[])[] = indexes.map((index) => {
    const digits = Number(scale[`s${index}`]);
    const decimals = digits > 0 && digits < 15 ? [`DECIMAL(15, ${digits})`, `DECIMAL(38, ${digits})`] : [];
    return ['BOOLEAN', 'BIGINT', 'DOUBLE', ...decimals, 'DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMPTZ'];
  });
  for (const rows of SAMPLED_ROWS) {
    const sample = `(FROM ${texts} LIMIT ${rows})`;
    const before = tried;
    const sums = await sumsOf(connection, sample, indexes, (index) => misfitsOf(before, index));
    tried = indexes.map((index) => fittingTypes(before, index, sums));
  }
  return tried;
};

/**
 * The number of values of a column, and of those that do not fit each of its types. A condition per aggregate (FILTER)
 * would take gigabytes for hundreds of columns.
 */
export const misfitsOf = (tried: readonly (readonly string[])[], index: number): readonly string[] => [
  `count(c${index})::DOUBLE AS v${index}`,
  ...(tried[index] ?? []).map((type, n) => {
    const fits = fitsType(`c${index}`, { type, isDeclared: false });
    return `count_if(c${index} IS NOT NULL AND NOT ${fits})::DOUBLE AS m${index}_${n}`;
  }),
];

/** Aggregates of each column, some columns at a time: the time that DuckDB takes to plan grows with their square. */
export const sumsOf = async (
  connection: DuckDBConnection,
  rows: string,
  indexes: readonly number[],
  aggregatesOf: (index: number) => readonly string[],
): Promise<Row> => {
  const sums: Record<string, unknown> = {};
  for (let first = 0; first < indexes.length; first += COLUMNS_AT_ONCE) {
    const aggregates = indexes.slice(first, first + COLUMNS_AT_ONCE).flatMap(aggregatesOf);
    Object.assign(sums, ...(await rowsOf(connection, `SELECT ${aggregates.join(', ')} FROM ${rows}`)));
  }
  return sums;
};

export const fittingTypes = (tried: readonly (readonly string[])[], index: number, sums: Row): readonly string[] =>
  (tried[index] ?? []).filter((_, n) => sums[`m${index}_${n}`] === 0);

/** Whether the values of the first row fit the types of the other rows. */
export const fitEach = async (
  connection: DuckDBConnection,
  values: readonly (string | null)[],
  types: readonly string[],
): Promise<readonly boolean[]> => {
  const conditions = values.map((value, index) =>
    value === null ? 'true' : fitsType(sqlString(value), { type: types[index] ?? 'VARCHAR', isDeclared: false }),
  );
  const [row = {}] = await rowsOf(connection, `SELECT ${conditions.map((one, n) => `${one} AS f${n}`).join(', ')}`);
  return Object.values(row).map((fit) => fit === true);
};
