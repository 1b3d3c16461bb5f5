import { type DuckDBConnection } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { DESCRIBE, readFailure, SAVE_AS_UTF8 } from '../duckdb-error';
import { sqlString } from '../sql-text';
import { fitEach, fittingTypes, misfitsOf, sumsOf, typesToTry } from './column-types';
import { type CsvDescription } from './csv-description';
import { type CsvColumn, type CsvDialect, type CsvFile, type CsvLayout, MAX_LINE_BYTES, readTexts } from './csv-layout';
import { fitsType } from './fits-type';
import {
  columnCountOf,
  DELIMITERS,
  isSameRow,
  MAX_SHOWN,
  partWithEmptyStart,
  type RawText,
  readFirstRow,
  readLines,
  splitOf,
  tornLine,
} from './read-lines';
import { rowsOf } from './rows-of';

/** The line that names the separator, which only Excel reads. */
const EXCEL_SEPARATOR = /^"?sep=."?$/i;
/** A header can be `#`, or begin with `#id`. */
const COMMENT = /^"?#+\s/;

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
  const splitting = (given === undefined ? [...DELIMITERS.keys()] : [given]).filter(
    (delimiter) => columnCountOf(raw.first, delimiter, quote) > 1,
  );
  const split = splitting.length > 0 || given !== undefined ? null : splitOf(raw.others, quote);
  if (split !== null)
    return left(
      `its first line, ${shown}, is one value, and the lines below have ${split.count}, separated by a ${DELIMITERS.get(split.delimiter)}; delete the lines before the header, or, if the file has one column, write a delimiter that it does not have into a description`,
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
  const names = layouts.map(({ dialect: { delimiter } }) => DELIMITERS.get(delimiter)).join(' and ');
  return left(`several separators fit every line: ${names}; write the right one into a description`);
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
  const firstRows: (readonly (string | null)[])[] = [];
  for (const part of file.parts)
    firstRows.push(await readFirstRow(connection, { ...file, parts: [part] }, dialect, columnCount));
  const [firstRow = []] = firstRows;
  if (firstRows.flat().some((value) => value?.includes('\r\n')))
    return left('its first row has a line end of Windows in a quoted value, which hides those of the file; remove it');
  const torn = raw.hasSpacedQuotes ? await tornLine(connection, file, dialect, raw.lineCount) : null;
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

const bytesWithout = (value: string, quote: string): number =>
  Buffer.byteLength((quote === '' ? value : value.replaceAll(quote, '')).replaceAll(/[\r\n]/g, ''));

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
