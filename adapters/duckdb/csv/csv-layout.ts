import * as t from 'io-ts';
import { sqlName, sqlString } from '../sql-text';
import { fitsType } from './fits-type';

/** How the text of a file is split. */
export const CsvDialect = t.readonly(
  t.strict({
    /** Empty: a file of one column. */
    delimiter: t.string,
    /** Empty: quotes are part of the values. */
    quote: t.string,
    hasHeader: t.boolean,
    /** An unquoted value that stands for null. */
    nullText: t.string,
  }),
);
export type CsvDialect = t.TypeOf<typeof CsvDialect>;

/** A column with a type into which every value goes without loss. */
export const CsvColumn = t.readonly(
  t.strict({
    name: t.string,
    type: t.string,
    /** The type is from the description of the file, so that other spellings of the same value fit as well. */
    isDeclared: t.boolean,
  }),
);
export type CsvColumn = t.TypeOf<typeof CsvColumn>;

/** What was decided over a whole file. Reading it by this is exact, or an error. */
export const CsvLayout = t.readonly(
  t.strict({
    dialect: CsvDialect,
    columns: t.readonlyArray(CsvColumn),
    /** Compared with the file when it has changed, because DuckDB skips the header unread. */
    firstRow: t.readonlyArray(t.union([t.string, t.null])),
  }),
);
export type CsvLayout = t.TypeOf<typeof CsvLayout>;

/** A file with CSV text, or a folder of such files, which are read as one. */
export interface CsvFile {
  readonly path: string;
  /** The file, or the files of the folder. */
  readonly parts: readonly string[];
  readonly compression: 'none' | 'gzip' | 'zstd';
  /** The separator that the ending of its name stands for. */
  readonly delimiter?: string;
}

/** The pattern that only this path matches: DuckDB reads every path as a pattern. */
export const patternOf = (path: string): string => path.replaceAll(/[*?[]/g, '[$&]');

/** Longer lines are an error; DuckDB reserves several times as much for each thread. */
export const MAX_LINE_BYTES = 8_000_000;

/** The call that reads a file as texts without any guess: `c0`, `c1`, … */
export const readTexts = (file: CsvFile, dialect: CsvDialect, columnCount: number, isStrict = true): string => {
  const columns = Array.from({ length: columnCount }, (_, index) => `c${index}: 'VARCHAR'`).join(', ');
  const options = [
    ['auto_detect', 'false'],
    ['compression', sqlString(file.compression)],
    ['delim', sqlString(dialect.delimiter)],
    ['quote', sqlString(dialect.quote)],
    ['escape', sqlString(dialect.quote)],
    ['comment', "''"],
    ['header', String(dialect.hasHeader)],
    ['nullstr', sqlString(dialect.nullText)],
    ['allow_quoted_nulls', 'false'],
    ['null_padding', 'false'],
    ['strict_mode', String(isStrict)],
    // In parallel DuckDB skips the last line when it is longer than its buffers.
    ['parallel', String(isStrict)],
    ['max_line_size', String(MAX_LINE_BYTES)],
    ['columns', `{${columns}}`],
  ];
  const paths = file.parts.map((part) => sqlString(patternOf(part))).join(', ');
  return `read_csv([${paths}], ${options.map(([name, value]) => `${name} = ${value}`).join(', ')})`;
};

/** The query that reads a file with the types of its layout; it fails at a value that a type would change. */
export const readTyped = (file: CsvFile, { dialect, columns }: CsvLayout): string => {
  const items = columns.map((column, index) => `${valueOf(file, column, `c${index}`)} AS ${sqlName(column.name)}`);
  return `SELECT ${items.join(', ')} FROM ${readTexts(file, dialect, columns.length)}`;
};

const valueOf = ({ path }: CsvFile, column: CsvColumn, text: string): string => {
  if (column.type === 'VARCHAR') return text;
  const before = sqlString(`the file ${path} no longer fits its types: the column ${column.name} has the value "`);
  const after = sqlString(`", which is not a ${column.type.toLowerCase()}; ${REFRESH}`);
  return `CASE WHEN ${text} IS NULL OR ${fitsType(text, column)} THEN TRY_CAST(${text} AS ${column.type})
    ELSE error(${before} || left(${text}, 100) || ${after}) END`;
};

/** What to do about a file that has changed. */
export const REFRESH = 'refresh the catalogs (rowgraph catalog refresh)';
