import { gzipSync } from 'node:zlib';
import { type Choice } from '../support/choice';

type Value = string | null;

/** A file with values that are known, because they were generated. */
export interface GeneratedCsv {
  /** With its ending. */
  readonly fileName: string;
  readonly content: Buffer;
  /** Before compression. */
  readonly text: string;
  readonly delimiter: string;
  readonly names: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  /** Whether a line was damaged, so that the file has to be an error. */
  readonly isDamaged: boolean;
}

const two = (n: number): string => String(n).padStart(2, '0');
const date = (choice: Choice): string =>
  `20${two(choice.below(30))}-${two(1 + choice.below(12))}-${two(1 + choice.below(28))}`;
const time = (choice: Choice): string => `${two(choice.below(24))}:${two(choice.below(60))}:${two(choice.below(60))}`;
const digits = (choice: Choice, count: number): string =>
  Array.from({ length: count }, () => choice.below(10)).join('');

/** Values as programs write them. */
const KINDS: Readonly<Record<string, (choice: Choice) => string>> = {
  integer: (choice) => String(choice.below(100_000) - 500),
  code: (choice) => digits(choice, 5),
  long: (choice) => `1${digits(choice, 19)}`,
  price: (choice) => `${choice.below(1000)}.${digits(choice, 2)}`,
  fraction: (choice) => String(choice.below(1000) / 8),
  double: (choice) => String(choice.below(1_000_000_000) / 3),
  exponent: (choice) => `${choice.below(9)}e${choice.below(30)}`,
  signed: (choice) => choice.of(['+5', '-5', '-0', '0', '5', '5.', '.5']),
  thousands: (choice) => `${1 + choice.below(9)},${digits(choice, 3)}`,
  date,
  slashed: (choice) => `${two(1 + choice.below(12))}/${two(1 + choice.below(12))}/2024`,
  short: (choice) => `2024-${1 + choice.below(12)}-${1 + choice.below(28)}`,
  time,
  minutes: (choice) => time(choice).slice(0, 5),
  timestamp: (choice) => `${date(choice)} ${time(choice)}`,
  micros: (choice) => `${date(choice)} ${time(choice)}.${digits(choice, 6)}`,
  nanos: (choice) => `${date(choice)} ${time(choice)}.${digits(choice, 9)}`,
  iso: (choice) => `${date(choice)}T${time(choice)}Z`,
  utc: (choice) => `${date(choice)} ${time(choice)}+00`,
  offset: (choice) => `${date(choice)} ${time(choice)}+0${choice.below(9)}`,
  truth: (choice) => choice.of(['true', 'false']),
  yes: (choice) => choice.of(['True', 'FALSE', 'yes', 't', '1', '0']),
  special: (choice) => choice.of(['nan', 'inf', 'NaN', 'NULL', 'null', 'infinity', 'N/A', 'none', 'epoch']),
  name: (choice) => choice.of(['Ada', 'Grace Hopper', 'Zoë', '李', 'O’Brien', '😀']),
  text: (choice) =>
    Array.from({ length: 1 + choice.below(6) }, () =>
      choice.of(['a', 'b ', ' ', ',', ';', '|', '\t', '#', "'", '"', '""', '\n', '\\', '/', '--', '; ', ', ', '0']),
    ).join(''),
  hash: (choice) => `#${choice.below(100)}`,
  padded: (choice) => ` ${choice.below(100)} `,
};

/** A column has one kind, or one more from a late row on, which a look at the first rows misses. */
const columnOf = (choice: Choice, rowCount: number): readonly Value[] => {
  const [first, later] = [choice.of(Object.keys(KINDS)), choice.of(Object.keys(KINDS))];
  const from = choice.percent(30) ? rowCount - 1 - choice.below(Math.ceil(rowCount / 10)) : rowCount;
  const [nulls, empties] = [choice.of([0, 0, 20]), choice.of([0, 0, 10])];
  return Array.from({ length: rowCount }, (_, row) => {
    if (choice.percent(nulls)) return null;
    return choice.percent(empties) ? '' : (KINDS[row < from ? first : later]?.(choice) ?? '');
  });
};

export const generateCsv = (choice: Choice, number: number): GeneratedCsv => {
  const ending = choice.of(['csv', 'csv', 'csv', 'CSV', 'csv.gz', 'tsv', 'tsv.gz']);
  const delimiter = ending.startsWith('tsv') ? '\t' : choice.of([',', ',', ';', '\t', '|']);
  const lineEnd = choice.of(['\n', '\n', '\r\n']);
  const quotesAll = choice.percent(20);
  const columnCount = choice.of([1, 2, 3, 5, 9]);
  // More rows than DuckDB looks at, in some of the files.
  const rowCount = choice.percent(15) ? 25_000 : choice.below(200);
  const names = Array.from(
    { length: columnCount },
    (_, n) => `${choice.of(['id', 'Name', 'größe', 'a b', '"x"'])}${n}`,
  );
  const columns = names.map(() => columnOf(choice, rowCount));
  const rows = Array.from({ length: rowCount }, (_, row) => columns.map((column) => column[row] ?? null));

  const write = (value: Value): string => {
    if (value === null) return '';
    // Unquoted separators in one column look like several columns, which is an error by design.
    const hasSeparator = columnCount === 1 ? /[,;\t|]/.test(value) : value.includes(delimiter);
    const mustQuote = value === '' || /["\r\n]/.test(value) || hasSeparator;
    return mustQuote || quotesAll || choice.percent(2) ? `"${value.replaceAll('"', '""')}"` : value;
  };
  const lines = [names, ...rows].map((row) => row.map(write).join(delimiter));
  const isDamaged = columnCount > 1 && rowCount > 0 && choice.percent(20);
  if (isDamaged) {
    const damaged = 1 + choice.below(rowCount);
    const line = lines[damaged] ?? '';
    const damage = choice.of([
      `${line}${delimiter}x`,
      `"x" y${line}`,
      `${line}${delimiter}"`,
      `x`,
      ` "x"${delimiter}${line}`,
    ]);
    lines[damaged] = damage;
  }
  // An empty line without an end is not a row.
  const lastEnd = choice.percent(80) || lines.at(-1) === '' ? lineEnd : '';
  const text = (choice.percent(10) ? '\ufeff' : '') + lines.join(lineEnd) + lastEnd;
  const content = ending.endsWith('gz') ? gzipSync(text) : Buffer.from(text);
  return { fileName: `t${number}.${ending}`, content, text, delimiter, names, rows, isDamaged };
};
