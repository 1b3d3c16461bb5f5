import { type DuckDBConnection } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { DESCRIBE, readFailure, SAVE_AS_UTF8 } from '../duckdb-error';
import { sqlString } from '../sql-text';
import { type CsvDescription } from './csv-description';
import { type CsvColumn, type CsvDialect, type CsvFile, type CsvLayout, MAX_LINE_BYTES, readTexts } from './csv-layout';
import { fitsType } from './fits-type';

/** Rows from which the types are chosen that are tried on more rows, and at last on the whole file. */
const SAMPLED_ROWS = [20, 2_000];
const COLUMNS_AT_ONCE = 64;
/** Lines of which the first row can consist. */
const FIRST_LINES = 100;
const DELIMITERS = [',', ';', '\t', '|'];
const NAMES: Readonly<Record<string, string>> = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' };

/** The line that names the separator, which only Excel reads. */
const EXCEL_SEPARATOR = /^"?sep=."?$/i;
/** A header can be `#`, or begin with `#id`. */
const COMMENT = /^"?#+\s/;
const MAX_SHOWN = 60;

type Row = Readonly<Record<string, unknown>>;
type Value = string | null;

/**
 * Decides over a whole file how it is read: the separator that splits every line into as many values as the first, and
 * for each column the narrowest type from which every value comes back as the same text. Every byte of the file has to
 * be in a value, between values or part of a quotation. Left: why there is no such layout.
 */
export const decideCsvLayout = async (
  connection: DuckDBConnection,
  file: CsvFile,
  description: CsvDescription,
): Promise<Either<string, CsvLayout>> => {
  try {
    return await decide(connection, file, description);
  } catch (error) {
    return left(readFailure(error).message);
  }
};

/** The first row of a file, which may be its header. */
export const readFirstRow = async (
  connection: DuckDBConnection,
  file: CsvFile,
  dialect: CsvDialect,
  columnCount: number,
  isStrict = true,
): Promise<readonly Value[]> => {
  const [row = {}] = await rowsOf(
    connection,
    `FROM ${readTexts(file, { ...dialect, hasHeader: false }, columnCount, isStrict)} LIMIT 1`,
  );
  return Object.values(row).map((value) => (typeof value === 'string' ? value : null));
};

export const isSameRow = (one: readonly Value[], other: readonly Value[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const decide = async (
  connection: DuckDBConnection,
  file: CsvFile,
  description: CsvDescription,
): Promise<Either<string, CsvLayout>> => {
  const quote = description.quote === 'none' ? '' : (description.quote ?? '"');
  const raw = await readLines(connection, file, quote);
  if (raw.longest > MAX_LINE_BYTES)
    return left(`one of its lines has ${raw.longest} bytes, and at most ${MAX_LINE_BYTES} are read; shorten it`);
  if (raw.first === '') return left('the file is empty; write a header, or remove it');
  // Without a byte order mark, UTF-16 is valid UTF-8 with zeros between the letters.
  if (raw.first.includes('\0')) return left(`its first line has zero bytes, as text in UTF-16 has; ${SAVE_AS_UTF8}`);
  const shown = raw.first.slice(0, MAX_SHOWN);
  if (EXCEL_SEPARATOR.test(raw.first))
    return left(`its first line, ${shown}, is an instruction for Excel and not a header; delete the line`);
  if (COMMENT.test(raw.first) && description.header === undefined)
    return left(
      `its first line, ${shown}, begins like a comment; delete the line, or, if it has the names of the columns, write "header: true" into a description`,
    );
  const emptyAtStart = description.header === false ? null : await partWithEmptyStart(connection, file);
  if (emptyAtStart !== null)
    return left(
      `the file ${emptyAtStart} begins with an empty line; delete the lines before its header, or write "header: false" into a description`,
    );
  const given = description.delimiter ?? file.delimiter;
  const splitting = (given === undefined ? DELIMITERS : [given]).filter(
    (delimiter) => columnCountOf(raw.first, delimiter, quote) > 1,
  );
  const split = splitting.length > 0 || given !== undefined ? null : splitOf(raw.others, quote);
  if (split !== null)
    return left(
      `its first line, ${shown}, is one value, and the lines below have ${split.count}, separated by a ${NAMES[split.delimiter]}; delete the lines before the header, or, if the file has one column, write a delimiter that it does not have into a description`,
    );
  const layouts: CsvLayout[] = [];
  const reasons: string[] = [];
  for (const delimiter of splitting.length === 0 ? [given ?? ''] : splitting) {
    const dialect = { delimiter, quote, hasHeader: true, nullText: description.null ?? '' };
    try {
      const layout = await layoutOf(connection, file, dialect, description, raw);
      if (isLeft(layout)) reasons.push(layout.left);
      else layouts.push(layout.right);
    } catch (error) {
      reasons.push(readFailure(error).message);
    }
  }
  const [layout] = layouts;
  if (layout === undefined) return left(reasons[0] ?? 'no separator fits');
  if (layouts.length === 1) return right(layout);
  const names = layouts.map(({ dialect: { delimiter } }) => NAMES[delimiter]).join(' and ');
  return left(`several separators fit every line: ${names}; write the right one into a description`);
};

interface RawText {
  /** The first row; empty when there is none. */
  readonly first: string;
  /** Some lines behind it. */
  readonly others: readonly string[];
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

const readLines = async (connection: DuckDBConnection, file: CsvFile, quote: string): Promise<RawText> => {
  const lines = readTexts(file, WHOLE_LINES, 1, false);
  const withoutQuotes = quote === '' ? 'c0' : `replace(c0, ${sqlString(quote)}, '')`;
  const [sums = {}] = await rowsOf(
    connection,
    `SELECT max(strlen(c0))::DOUBLE AS longest, sum(strlen(c0))::DOUBLE AS total, sum(strlen(${withoutQuotes}))::DOUBLE AS bytes,
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
  const { longest, bytes, total, spaced } = sums;
  const [hasQuotes, hasSpacedQuotes] = [bytes !== total, quote !== '' && spaced === true];
  return { first, others, longest: Number(longest), bytes: Number(bytes), hasQuotes, hasSpacedQuotes };
};

/** The pattern of a text, or of none. */
const literal = (text: string): string => text.replaceAll(/[^\w\s]/g, '\\$&');

/** The first line with a value such as `"x" "y"`, which DuckDB reads without the quotes between. */
const tornLine = async (connection: DuckDBConnection, file: CsvFile, dialect: CsvDialect): Promise<Value> => {
  const [q, d] = [literal(dialect.quote), literal(dialect.delimiter.slice(0, 1))];
  const quoted = `${q}(?:[^${q}]|${q}${q})*${q}`;
  const before = d === '' ? '' : `(?:(?:${quoted}|[^${q}${d}][^${d}]*|)${literal(dialect.delimiter)})*`;
  const mark = sqlString(dialect.quote);
  const quotes = `length(c0) - length(replace(c0, ${mark}, ''))`;
  const earlier = `coalesce(sum(${quotes}) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) - (${quotes}), 0)`;
  // A line within a quoted value is read as if the value began with it.
  const lines = `SELECT c0, if(${earlier} % 2 = 1, ${mark}, '') || c0 AS line FROM ${readTexts(file, WHOLE_LINES, 1, false)}`;
  const torn = sqlString(`^${before}${quoted} +${q}`);
  const [row] = await rowsOf(connection, `FROM (${lines}) WHERE regexp_matches(line, ${torn}) LIMIT 1`);
  return row === undefined ? null : String(row['c0']).slice(0, MAX_SHOWN);
};

/** The first file that begins with an empty line, which DuckDB would take for its header. */
const partWithEmptyStart = async (connection: DuckDBConnection, file: CsvFile): Promise<string | null> => {
  for (const part of file.parts) {
    const [line] = await readFirstRow(connection, { ...file, parts: [part] }, WHOLE_LINES, 1, false);
    if (line === null) return part;
  }
  return null;
};

const columnCountOf = (line: string, delimiter: string, quote: string): number => {
  const unquoted = quote === '' ? [line] : line.split(quote).filter((_, index) => index % 2 === 0);
  return unquoted.reduce((count, part) => count + part.split(delimiter).length - 1, 1);
};

/** The separator that splits at least two lines, and all alike; null if none does. */
const splitOf = (lines: readonly string[], quote: string) => {
  if (lines.length < 2) return null;
  const splits = DELIMITERS.map((delimiter) => ({ delimiter, count: columnCountOf(lines[0] ?? '', delimiter, quote) }));
  const isEvery = ({ delimiter, count }: { readonly delimiter: string; readonly count: number }): boolean =>
    count > 1 && lines.every((line) => columnCountOf(line, delimiter, quote) === count);
  return splits.find(isEvery) ?? null;
};

const layoutOf = async (
  connection: DuckDBConnection,
  file: CsvFile,
  dialect: CsvDialect,
  description: CsvDescription,
  raw: RawText,
): Promise<Either<string, CsvLayout>> => {
  const { delimiter, quote } = dialect;
  const columnCount = delimiter === '' ? 1 : columnCountOf(raw.first, delimiter, quote);
  const firstRows: (readonly Value[])[] = [];
  for (const part of file.parts)
    firstRows.push(await readFirstRow(connection, { ...file, parts: [part] }, dialect, columnCount));
  const [firstRow = []] = firstRows;
  if (firstRows.flat().some((value) => value?.includes('\r\n')))
    return left('its first row has a line end of Windows in a quoted value, which hides those of the file; remove it');
  const torn = raw.hasSpacedQuotes ? await tornLine(connection, file, dialect) : null;
  if (torn !== null) return left(`the line ${torn} has a quote at a wrong place; ${DESCRIBE}`);
  const texts = readTexts(file, dialect, columnCount);
  const tried = await typesToTry(connection, texts, columnCount);
  const bytesOf = (text: string): string => {
    const given = dialect.nullText === '' ? text : `coalesce(${text}, ${sqlString(dialect.nullText)})`;
    return `coalesce(sum(strlen(${raw.hasQuotes ? `translate(${given}, ${sqlString(`${quote}\r\n`)}, '')` : given})), 0)`;
  };
  const indexes = Array.from({ length: columnCount }, (_, index) => index);
  const whole = await sumsOf(connection, texts, indexes, (index) => [
    ...misfitsOf(tried, index),
    `${bytesOf(`c${index}`)}::DOUBLE AS b${index}, count(*)::DOUBLE AS rows`,
  ]);
  const types = indexes.map((index) => {
    const fitting = whole[`v${index}`] === 0 ? [] : fittingTypes(tried, index, whole);
    return fitting[0] ?? 'VARCHAR';
  });

  const rows = Number(whole['rows']) + firstRows.length;
  const inFirst = firstRows.flat().reduce((sum, value) => sum + bytesWithout(value ?? dialect.nullText, quote), 0);
  const between = Buffer.byteLength(delimiter) * (columnCount - 1) * rows;
  if (raw.bytes !== inFirst + indexes.reduce((sum, index) => sum + Number(whole[`b${index}`]), 0) + between) {
    const reason = 'some characters would be lost, such as spaces between a quote and a separator';
    return left(`${reason}; remove them, or write "quote: none" into a description`);
  }

  const fitting = await Promise.all(firstRows.map((row) => fitEach(connection, row, types)));
  const fits = indexes.map((index) => fitting.every((fit) => fit[index] === true));
  const isData = rows > firstRows.length && fits.every(Boolean) && types.some((type) => type !== 'VARCHAR');
  const hasHeader = description.header ?? !isData;
  const other = firstRows.findIndex((row) => !isSameRow(row, firstRow));
  if (hasHeader && other >= 0)
    return left(
      `the file ${file.parts[other]} has another header than ${file.parts[0]}; correct it, or write "header: false" into the description of ${file.path}`,
    );
  const names = firstRow.map((name, index) => (hasHeader && name !== null && name !== '' ? name : `column${index}`));
  const columns = names.map((name, index): CsvColumn => {
    const declared = description.types?.[name]?.toUpperCase();
    const type = hasHeader || fits[index] ? (types[index] ?? 'VARCHAR') : 'VARCHAR';
    return { name, type: declared ?? type, isDeclared: declared !== undefined && declared !== 'VARCHAR' };
  });
  const layout = { dialect: { ...dialect, hasHeader }, columns, firstRow };
  const problem = problemOfNames(names, description) ?? (await problemOfTypes(connection, file, layout));
  return problem === null ? right(layout) : left(problem);
};

/** The types, the narrowest first, that the values of a column in the first rows fit. */
const typesToTry = async (
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
const misfitsOf = (tried: readonly (readonly string[])[], index: number): readonly string[] => [
  `count(c${index})::DOUBLE AS v${index}`,
  ...(tried[index] ?? []).map((type, n) => {
    const fits = fitsType(`c${index}`, { type, isDeclared: false });
    return `count_if(c${index} IS NOT NULL AND NOT ${fits})::DOUBLE AS m${index}_${n}`;
  }),
];

/** Aggregates of each column, some columns at a time: the time that DuckDB takes to plan grows with their square. */
const sumsOf = async (
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

const fittingTypes = (tried: readonly (readonly string[])[], index: number, sums: Row): readonly string[] =>
  (tried[index] ?? []).filter((_, n) => sums[`m${index}_${n}`] === 0);

const bytesWithout = (value: string, quote: string): number =>
  Buffer.byteLength((quote === '' ? value : value.replaceAll(quote, '')).replaceAll(/[\r\n]/g, ''));

/** Whether the values of the first row fit the types of the other rows. */
const fitEach = async (
  connection: DuckDBConnection,
  values: readonly Value[],
  types: readonly string[],
): Promise<readonly boolean[]> => {
  const conditions = values.map((value, index) =>
    value === null ? 'true' : fitsType(sqlString(value), { type: types[index] ?? 'VARCHAR', isDeclared: false }),
  );
  const [row = {}] = await rowsOf(connection, `SELECT ${conditions.map((one, n) => `${one} AS f${n}`).join(', ')}`);
  return Object.values(row).map((fit) => fit === true);
};

const problemOfNames = (names: readonly string[], { types = {} }: CsvDescription): string | null => {
  const twice = names.find((name, index) => names.findIndex((other) => sameName(other, name)) < index);
  if (twice !== undefined)
    return `several columns are named ${twice}, which are the same name in SQL; rename one, or write "header: false" into a description`;
  const missing = Object.keys(types).find((name) => !names.includes(name));
  return missing === undefined ? null : `its description has a type for ${missing}, which is not a column`;
};

const sameName = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** The first value that does not fit the declared type of its column. */
const problemOfTypes = async (
  connection: DuckDBConnection,
  file: CsvFile,
  { dialect, columns }: CsvLayout,
): Promise<string | null> => {
  for (const [index, column] of columns.entries()) {
    if (!column.isDeclared) continue;
    const numbered = `SELECT row_number() OVER () AS n, c${index} AS v FROM ${readTexts(file, dialect, columns.length)}`;
    const [row] = await rowsOf(
      connection,
      `SELECT n::VARCHAR AS n, left(v, 100) AS v FROM (${numbered}) WHERE v IS NOT NULL AND NOT ${fitsType('v', column)} LIMIT 1`,
    );
    if (row === undefined) continue;
    const { name, type } = column;
    return `row ${String(row['n'])} has the value "${String(row['v'])}" in the column ${name}, which its description declares as ${type.toLowerCase()}; correct one of them`;
  }
  return null;
};

const rowsOf = async (connection: DuckDBConnection, sql: string): Promise<readonly Row[]> =>
  (await connection.runAndReadAll(sql)).getRowObjectsJS();
