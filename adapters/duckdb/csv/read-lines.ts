import { type DuckDBConnection } from '@duckdb/node-api';
import { sqlString } from '../sql-text';
import { type CsvDialect, type CsvFile, readTexts } from './csv-layout';
import { rowsOf } from './rows-of';

/** Lines of which the first row can consist. */
const FIRST_LINES = 100;
/** The separators of values, and their names. */
export const DELIMITERS: ReadonlyMap<string, string> = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'bar'],
]);
/** Characters of a line in a message. */
export const MAX_SHOWN = 60;

/** What the lines of a file have before they are split into values. */
export interface RawText {
  /** The first row; empty when there is none. */
  readonly first: string;
  /** Some lines behind it. */
  readonly others: readonly string[];
  readonly lineCount: number;
  /** Bytes of the longest line. */
  readonly longest: number;
  /** Bytes without quotes and line ends. */
  readonly bytes: number;
  readonly hasQuotes: boolean;
  /** Two quotes have only spaces between them, in some line. */
  readonly hasSpacedQuotes: boolean;
}

/** Reads each line as one value, by a separator that no text has. */
const WHOLE_LINES: CsvDialect = { delimiter: '\u001c\u001d\u001e\u001f', quote: '', hasHeader: false, nullText: '' };

export const readLines = async (connection: DuckDBConnection, file: CsvFile, quote: string): Promise<RawText> => {
  const lines = readTexts(file, WHOLE_LINES, 1, false);
  const withoutQuotes = quote === '' ? 'c0' : `replace(c0, ${sqlString(quote)}, '')`;
  const [sums = {}] = await rowsOf(
    connection,
    `SELECT count(*)::DOUBLE AS lines, max(strlen(c0))::DOUBLE AS longest, sum(strlen(c0))::DOUBLE AS total, sum(strlen(${withoutQuotes}))::DOUBLE AS bytes,
      count_if(regexp_matches(c0, ${sqlString(`${literal(quote)} +${literal(quote)}`)})) > 0 AS spaced FROM ${lines}`,
  );
  const head = await rowsOf(connection, `FROM ${lines} WHERE c0 IS NOT NULL LIMIT ${FIRST_LINES}`);
  let first = '';
  let length = 0;
  for (const { c0 } of head) {
    length += 1;
    first += (first === '' ? '' : '\n') + String(c0);
    if (quote === '' || first.split(quote).length % 2 === 1) break;
  }
  const others = head.slice(length).map(({ c0 }) => String(c0));
  const { bytes, total, spaced } = sums;
  const [hasQuotes, hasSpacedQuotes] = [bytes !== total, quote !== '' && spaced === true];
  const [lineCount, longest] = [Number(sums['lines']), Number(sums['longest'])];
  return { first, others, lineCount, longest, bytes: Number(bytes), hasQuotes, hasSpacedQuotes };
};

/** The pattern of a text. */
const literal = (text: string): string => text.replaceAll(/[^\w\s]/g, '\\$&');

/** The first line with a value such as `"x" "y"`, which DuckDB reads without the quotes between. Rejects if lines are missing. */
export const tornLine = async (
  connection: DuckDBConnection,
  file: CsvFile,
  { delimiter, quote }: CsvDialect,
  lineCount: number,
): Promise<string | null> => {
  const [q, end] = [literal(quote), delimiter === '' ? '$' : `(?:${literal(delimiter)}|$)`];
  const values = new RegExp(`(?:${q}[^${q}]*(?:${q}${q}[^${q}]*)*(${q}|$)( +${q})?)?[^]*?${end}`, 'g');
  const lines = await connection.stream(`FROM ${readTexts(file, WHOLE_LINES, 1, false)}`);
  let isOpen = false;
  let read = 0;
  for (let chunk = await lines.fetchChunk(); chunk !== null && chunk.rowCount > 0; chunk = await lines.fetchChunk())
    for (const text of chunk.getColumnValues(0)) {
      read += 1;
      const line = typeof text === 'string' ? text : '';
      if (!line.includes(quote)) continue;
      // A line within a quoted value is read as if the value began with it.
      const found: readonly RegExpMatchArray[] = [...`${isOpen ? quote : ''}${line}`.matchAll(values)];
      if (found.some(([, , torn]) => torn !== undefined)) return line.slice(0, MAX_SHOWN);
      isOpen = found.some(([, closing]) => closing === '');
    }
  // A stream simply ends at an error.
  if (read !== lineCount) throw new Error(`only ${read} of its ${lineCount} lines were read; try again`);
  return null;
};

export const columnCountOf = (line: string, delimiter: string, quote: string): number => {
  const unquoted = quote === '' ? [line] : line.split(quote).filter((_, index) => index % 2 === 0);
  return unquoted.reduce((count, part) => count + part.split(delimiter).length - 1, 1);
};

/** The separator that splits at least two lines, and all alike; null if none does. */
export const splitOf = (lines: readonly string[], quote: string) => {
  if (lines.length < 2) return null;
  const splits = [...DELIMITERS.keys()].map((delimiter) => ({
    delimiter,
    count: columnCountOf(lines[0] ?? '', delimiter, quote),
  }));
  const isEvery = ({ delimiter, count }: { readonly delimiter: string; readonly count: number }): boolean =>
    count > 1 && lines.every((line) => columnCountOf(line, delimiter, quote) === count);
  return splits.find(isEvery) ?? null;
};

/** The first row of a file, which may be its header. */
export const readFirstRow = async (
  connection: DuckDBConnection,
  file: CsvFile,
  dialect: CsvDialect,
  columnCount: number,
  isStrict = true,
): Promise<readonly (string | null)[]> => {
  const [row = {}] = await rowsOf(
    connection,
    `FROM ${readTexts(file, { ...dialect, hasHeader: false }, columnCount, isStrict)} LIMIT 1`,
  );
  return Object.values(row).map((value) => (typeof value === 'string' ? value : null));
};

/** The first file that begins with an empty line, which DuckDB would take for its header. */
export const partWithEmptyStart = async (connection: DuckDBConnection, file: CsvFile): Promise<string | null> => {
  for (const part of file.parts) {
    const [line] = await readFirstRow(connection, { ...file, parts: [part] }, WHOLE_LINES, 1, false);
    if (line === null) return part;
  }
  return null;
};

export const isSameRow = (one: readonly (string | null)[], other: readonly (string | null)[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
