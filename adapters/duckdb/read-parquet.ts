import { relative, sep } from 'node:path';
import { type DuckDBConnection } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { patternOf } from './csv/csv-layout';
import { fitsType } from './csv/fits-type';
import { sqlName, sqlString } from './sql-text';
import { type TableFile } from './warehouse-files';

/** Types of partition keys, tried in this order; text fits always. */
const KEY_TYPES = ['BIGINT', 'DATE', 'TIMESTAMP'];

/** By path, what reading all rows of files with different types found; `problem` null: nothing. */
export type ParquetChecks = Map<string, { readonly version: string; readonly problem: string | null }>;

/**
 * The query that reads Parquet files, by the folders they are in. Partitions may differ in their columns; a missing one
 * is null. Left: a name is used twice, so that one of the columns would be hidden. Rejects when a file is unreadable.
 */
export const readParquet = async (
  connection: DuckDBConnection,
  table: TableFile,
  checks: ParquetChecks,
): Promise<Either<string, string>> => {
  const list = `[${table.files.map((file) => sqlString(patternOf(file))).join(', ')}]`;
  const keys = keysOf(table);
  const files = await columnsOfFiles(connection, list, table.path);
  if (isLeft(files)) return files;
  const problem = problemOfNames(files.right, table.path, [...keys.keys()]);
  if (problem !== null) return left(problem);
  const plain = `FROM read_parquet(${list}${table.files.length > 1 ? ', union_by_name = true' : ''})`;
  const { path, version } = table;
  const known = checks.get(path);
  const checked =
    known?.version === version ? known : { version, problem: await changedValue(connection, files.right, plain) };
  checks.set(path, checked);
  if (checked.problem !== null) return left(checked.problem);
  if (table.format === 'parquet') return right(plain);
  const types = await Promise.all(
    [...keys].map(async ([key, values]) => `${sqlString(key)}: ${await typeOf(connection, values)}`),
  );
  const hive = `hive_partitioning = true, hive_types_autocast = false, hive_types = {${types.join(', ')}}`;
  const reader = `read_parquet(${list}, ${hive}, union_by_name = true, filename = ${sqlString(FILE_COLUMN)})`;
  const replaced = [...keys].flatMap(([key, values]) => nullTexts(table.path, key, values));
  const columns = replaced.length === 0 ? '' : ` REPLACE (${replaced.join(', ')})`;
  return right(`SELECT * EXCLUDE (${sqlName(FILE_COLUMN)})${columns} FROM ${reader}`);
};

/** The column with the path of the file. */
const FILE_COLUMN = '/file';

/** The values of each partition key, as they are in the names of folders. */
const keysOf = ({ format, path, files }: TableFile): ReadonlyMap<string, ReadonlySet<string>> => {
  const keys = new Map<string, Set<string>>();
  for (const part of format === 'hive' ? files.flatMap((file) => relative(path, file).split(sep).slice(0, -1)) : []) {
    const [key = ''] = part.split('=', 1);
    keys.set(key, (keys.get(key) ?? new Set()).add(part.slice(key.length + 1)));
  }
  return keys;
};

const isNullText = (value: string): boolean => decoded(value).toUpperCase() === 'NULL';

const decoded = (value: string): string => {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
};

const NULL_FOLDER = '__HIVE_DEFAULT_PARTITION__';

const typeOf = async (connection: DuckDBConnection, values: ReadonlySet<string>): Promise<string> => {
  const texts = [...values].filter((value) => value !== NULL_FOLDER).map((value) => `(${sqlString(decoded(value))})`);
  if (texts.length === 0) return 'VARCHAR';
  const fits = KEY_TYPES.map((type, n) => `bool_and(${fitsType('v', { type, isDeclared: false })}) AS f${n}`);
  const rows = await connection.runAndReadAll(`SELECT ${fits.join(', ')} FROM (VALUES ${texts.join(', ')}) AS t(v)`);
  return KEY_TYPES.find((_, n) => rows.getRowObjectsJS()[0]?.[`f${n}`] === true) ?? 'VARCHAR';
};

/** DuckDB reads a folder that is named with the text NULL as null, which only Hive's default partition is. */
const nullTexts = (path: string, key: string, values: ReadonlySet<string>): readonly string[] => {
  const cases = [...values].filter(isNullText).map((value) => {
    const below = `substr(${sqlName(FILE_COLUMN)}, ${Array.from(path).length + 1})`;
    return `WHEN contains(${below}, ${sqlString(`/${key}=${value}/`)}) THEN ${sqlString(decoded(value))}`;
  });
  return cases.length === 0 ? [] : [`CASE ${cases.join(' ')} ELSE ${sqlName(key)} END AS ${sqlName(key)}`];
};

const Nullable = t.union([t.string, t.null]);
const SchemaRows = t.array(
  t.strict({
    ...{ file_name: t.string, name: t.string, num_children: Nullable },
    ...{ duckdb_type: Nullable, precision: Nullable },
  }),
);

interface FileColumn {
  readonly name: string;
  /** Null for nested columns. */
  readonly type: string | null;
}

/** The columns of each file, by its path. */
type ColumnsOfFiles = ReadonlyMap<string, readonly FileColumn[]>;

/** Left: a column has a type that DuckDB reads as other values. */
const columnsOfFiles = async (
  connection: DuckDBConnection,
  list: string,
  path: string,
): Promise<Either<string, ColumnsOfFiles>> => {
  const result = await connection.runAndReadAll(
    `SELECT file_name, name, num_children, duckdb_type, precision FROM parquet_schema(${list})`,
  );
  const rows = SchemaRows.decode(result.getRowObjectsJson());
  if (isLeft(rows)) throw new Error(`parquet_schema has an unexpected form for ${path}`);
  const long = rows.right.find(({ precision }) => Number(precision) > MAX_DIGITS);
  if (long === undefined) return right(topLevelColumns(rows.right));
  return left(
    `the column ${long.name} of the file ${long.file_name} is a decimal of ${long.precision} digits, of which the query engine reads at most ${MAX_DIGITS}; write it as text, or with fewer digits`,
  );
};

const MAX_DIGITS = 38;

/** Why a name is ambiguous: DuckDB compares names without regard to case, and hides columns behind keys. */
const problemOfNames = (files: ColumnsOfFiles, path: string, keys: readonly string[]): string | null => {
  const keyOfName = new Map(keys.map((key) => [key.toLowerCase(), key]));
  if (keyOfName.size < keys.length) return `the partition keys of ${path} differ only in case; rename one`;
  for (const [file, columns] of files) {
    const nameOfLower = new Map<string, string>();
    for (const { name } of columns) {
      const [key, other] = [keyOfName.get(name.toLowerCase()), nameOfLower.get(name.toLowerCase())];
      if (key !== undefined)
        return `the partition key ${key} of ${path} is also a column of the file ${file}; rename one`;
      if (other !== undefined)
        return `the columns ${other} and ${name} of the file ${file} are the same name in SQL; rename one`;
      nameOfLower.set(name.toLowerCase(), name);
    }
  }
  return null;
};

const Described = t.array(t.strict({ column_name: t.string, column_type: t.string }));

/** Types that DuckDB rounds other numbers to, where files differ. */
const ROUNDED = /FLOAT|DOUBLE|DECIMAL/;

/** The first value that the common type of its column in all files would change. */
const changedValue = async (
  connection: DuckDBConnection,
  files: ColumnsOfFiles,
  plain: string,
): Promise<string | null> => {
  const typesOf = new Map<string, Set<string | null>>();
  for (const { name, type } of [...files.values()].flat()) {
    const lower = name.toLowerCase();
    typesOf.set(lower, (typesOf.get(lower) ?? new Set()).add(type));
  }
  if ([...typesOf.values()].every(({ size }) => size === 1)) return null;
  const described = Described.decode((await connection.runAndReadAll(`DESCRIBE ${plain}`)).getRowObjectsJson());
  if (isLeft(described)) throw new Error(`DESCRIBE has an unexpected form for ${plain}`);
  const common = new Map(described.right.map((column) => [column.column_name.toLowerCase(), column.column_type]));
  for (const [file, columns] of files) {
    for (const { name, type } of columns) {
      const to = common.get(name.toLowerCase());
      if (type === null || to === undefined || type === to || !ROUNDED.test(to)) continue;
      const [v, rounded] = [sqlName(name), `TRY_CAST(${sqlName(name)} AS ${to})`];
      const differs = `${v} IS NOT NULL AND TRY_CAST(${rounded} AS ${type}) IS DISTINCT FROM ${v}`;
      const from = `read_parquet(${sqlString(patternOf(file))}, hive_partitioning = false)`;
      const rows = await connection.runAndReadAll(`SELECT ${v}::VARCHAR FROM ${from} WHERE ${differs} LIMIT 1`);
      const [value] = rows.getRowsJson().flat();
      if (typeof value === 'string')
        return `the column ${name} is ${type.toLowerCase()} in the file ${file}, and ${to.toLowerCase()} in the table with the other files, which would change its value ${value}; write all files with one type`;
    }
  }
  return null;
};

/** The columns of each file. The schema lists each field before its own fields, the root first. */
const topLevelColumns = (rows: t.TypeOf<typeof SchemaRows>): ColumnsOfFiles => {
  const columns = new Map<string, FileColumn[]>();
  /** Number of fields that are left at each level. */
  let open: number[] = [];
  for (const { file_name: file, name, num_children: children, duckdb_type: type } of rows) {
    while (open.at(-1) === 0) open.pop();
    if (!columns.has(file)) {
      columns.set(file, []);
      open = [];
    } else {
      if (open.length === 1) columns.get(file)?.push({ name, type });
      open.push((open.pop() ?? 1) - 1);
    }
    if (children !== null && Number(children) > 0) open.push(Number(children));
  }
  return columns;
};
