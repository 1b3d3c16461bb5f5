import { counted } from '../../domain/kernel/counted';
import { type Success } from '../client';
import { type CliFailure } from './failure';
import { cellText, resultTable, widthOf } from './result-table';

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** Shown for null. Default: nothing, like an empty text. */
  readonly nullText?: string;
}

/** The result of a command, for every output format. */
export interface Output {
  /** What `--json` prints. */
  readonly data: unknown;
  /** `data` as JSON text, if known. */
  readonly json?: string;
  readonly table?: Table;
  /** A single item: its fields by name, then tables of related items. */
  readonly record?: readonly (readonly [string, unknown])[];
  readonly sections?: readonly Section[];
  /** Printed as CSV and TSV instead of the table or the record. */
  readonly separated?: Table;
  readonly text?: string;
  /** For scripts: the command succeeded with a negative result. */
  readonly exitCode?: 1 | undefined;
  /** What failed after this part of the result. */
  readonly failure?: CliFailure;
  /** Printed to stderr, except with --json, --tsv and --csv. */
  readonly note?: string | undefined;
  /** Printed to stderr in every format. */
  readonly warnings?: readonly string[] | undefined;
}

/** Formats with an option of the same name; default: a table. */
export const FORMATS = ['json', 'tsv', 'csv'] as const;
type Format = 'table' | (typeof FORMATS)[number];

interface Section {
  readonly title: string;
  readonly table: Table;
}

export const sectionOf = <R>(title: string, rows: readonly R[], columns: Columns<R>): Section => ({
  title,
  table: tableOf(rows, columns),
});

/** The titles of a table's columns or a record's fields; each shows a field of `R` or a computed value. */
export type Columns<R> = Readonly<Record<string, keyof R | ((row: R) => unknown)>>;

const cellOf = <R>(row: R, column: keyof R | ((row: R) => unknown)): unknown =>
  typeof column === 'function' ? column(row) : row[column];

export const tableOf = <R>(rows: readonly R[], columns: Columns<R>): Table => ({
  columns: Object.keys(columns),
  rows: rows.map((row) => Object.values(columns).map((column) => cellOf(row, column))),
});

/** The fields of one item, without undefined ones. */
export const recordOf = <R>(row: R, columns: Columns<R>): NonNullable<Output['record']> =>
  Object.entries(columns).flatMap(([title, column]) => {
    const value = cellOf(row, column);
    return value === undefined ? [] : [[title, value] as const];
  });

export const emptyNote = (rows: readonly unknown[], note = 'No results.'): string | undefined =>
  rows.length === 0 ? note : undefined;

/** A page of a list with a note about the next page, or a list without pages. */
export const listOutput = <R>({ data, page }: Success<readonly R[]>, columns: Columns<R>): Output => {
  const next = page === null ? 0 : page.offset + data.length;
  const note =
    page !== null && page.total > next
      ? `${page.total - next} more of ${page.total}: --offset ${next} shows the next page, --limit allows 100.`
      : emptyNote(data);
  return { data, table: tableOf(data, columns), note };
};

/** `24 MB`, for display; --json prints the number of bytes. */
export const sizeText = (bytes: number | null): string => {
  if (bytes === null) return '';
  return bytes < 2 ** 20 ? `${Math.ceil(bytes / 2 ** 10)} KB` : `${Math.round(bytes / 2 ** 20)} MB`;
};

/** Numbers of nodes and edges; `?` where unknown. */
export const graphSizeText = (size: Readonly<Record<'node_count' | 'edge_count', number | null>>): string =>
  [sizeOf(size.node_count, 'node'), sizeOf(size.edge_count, 'edge')].join(', ');

const sizeOf = (value: number | null, word: string): string => (value === null ? `? ${word}s` : counted(value, word));

/** `name value, name value`. */
export const pairsText = (pairs: object): string =>
  Object.entries(pairs)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');

/** The text for stdout; empty without output. `width`: of the terminal, otherwise Infinity. */
export const render = (output: Output, format: Format, width: number): string => {
  if (format === 'json') return output.json ?? JSON.stringify(output.data ?? null, null, 2);
  const table =
    output.separated ?? output.table ?? (output.record && { columns: ['field', 'value'], rows: output.record });
  if (format !== 'table' && table !== undefined) return separated(table, format);
  const tableText = ({ columns, rows, nullText = '' }: Table): string =>
    resultTable(columns, rows, { width, nullText });
  if (output.table !== undefined) {
    return output.table.rows.length === 0 ? '' : (textOfSoleCell(output.table) ?? tableText(output.table));
  }
  const record = output.record === undefined ? [] : [recordText(output.record)];
  const sections = (output.sections ?? []).map(({ title, table: one }) =>
    one.rows.length === 0 ? `${title}: none` : `${title}\n${tableText(one)}`,
  );
  return [...(output.text === undefined ? [] : [output.text]), ...record, ...sections].join('\n\n');
};

/** The plan that EXPLAIN returns as a single cell with several lines. */
const textOfSoleCell = ({ rows }: Table): string | undefined => {
  const [[cell, ...others] = [], ...more] = rows;
  const isSole = typeof cell === 'string' && others.length + more.length === 0;
  return isSole && cell.trimEnd().includes('\n') ? cell.trimEnd() : undefined;
};

const recordText = (record: NonNullable<Output['record']>): string => {
  const size = Math.max(...record.map(([name]) => widthOf(name)));
  return record
    .map(([name, value]) => `${name}${' '.repeat(size - widthOf(name))}  ${cellText(value)}`.trimEnd())
    .join('\n');
};

/**
 * A line of titles, then one line per row. CSV is quoted as in RFC 4180; an empty text is quoted, null is not. TSV
 * cells do not contain tabs or line breaks.
 */
const separated = ({ columns, rows }: Table, format: 'tsv' | 'csv'): string => {
  const tsvLine = (row: readonly unknown[]): string =>
    row.map((value) => exactText(value).replaceAll(/[\t\n\r]+/g, ' ')).join('\t');
  return [columns, ...rows].map(format === 'tsv' ? tsvLine : csvLine).join('\n');
};

/** One line of CSV. */
export const csvLine = (row: readonly unknown[]): string => row.map(csvCell).join(',');

const csvCell = (value: unknown): string => {
  const text = exactText(value);
  return value === '' || /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** For programs: nothing rounded, nested values as JSON. */
const exactText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const text: unknown = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));
  return typeof value === 'bigint' ? value.toString() : String(text);
};
