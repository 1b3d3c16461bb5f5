import { type Success } from '../client';
import { cellText } from './cell-text';
import { resultTable } from './result-table';

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  /** What a table on the terminal shows for null. Default: nothing, as for an empty text. */
  readonly nullText?: string;
}

/** What a command found, in a form every output format can be made of. */
export interface Output {
  /** What `--json` prints. */
  readonly data: unknown;
  /** The same as JSON text, where it is there already. */
  readonly json?: string;
  readonly table?: Table;
  /** One thing: its fields by name, then tables of what belongs to it. */
  readonly record?: readonly (readonly [string, unknown])[];
  readonly sections?: readonly { readonly title: string; readonly table: Table }[];
  /** What CSV and TSV print where it is not the table or the record. */
  readonly separated?: Table;
  readonly text?: string;
  /** For scripts: what was asked for is there, but says no. */
  readonly exitCode?: 1;
  /** For people only: goes to stderr. */
  readonly note?: string;
  /** What nobody may overlook: goes to stderr in every format. */
  readonly warnings?: readonly string[];
}

/** Each has an option; without one it is a table. */
export const FORMATS = ['json', 'tsv', 'csv'] as const;
type Format = 'table' | (typeof FORMATS)[number];

/** The titles of a table, or of the fields of a record, each with the field of `R` it shows or what is made of it. */
export type Columns<R> = Readonly<Record<string, keyof R | ((row: R) => unknown)>>;

const cellOf = <R>(row: R, column: keyof R | ((row: R) => unknown)): unknown =>
  typeof column === 'function' ? column(row) : row[column];

export const tableOf = <R>(rows: readonly R[], columns: Columns<R>): Table => ({
  columns: Object.keys(columns),
  rows: rows.map((row) => Object.values(columns).map((column) => cellOf(row, column))),
});

/** The fields of one thing; those that are undefined are left out. */
export const recordOf = <R>(row: R, columns: Columns<R>): NonNullable<Output['record']> =>
  Object.entries(columns).flatMap(([title, column]) => {
    const value = cellOf(row, column);
    return value === undefined ? [] : [[title, value] as const];
  });

/** A page of a list with a word about what is not on it, or the whole of a list without pages. */
export const listOutput = <R>({ data, page }: Success<readonly R[]>, columns: Columns<R>): Output => {
  const next = page === null ? 0 : page.offset + data.length;
  const empty = page === null ? 'Nothing was found.' : 'There is nothing to list.';
  return {
    data,
    table: tableOf(data, columns),
    ...(data.length === 0 ? { note: empty } : {}),
    ...(page !== null && page.total > next
      ? { note: `${page.total - next} more of ${page.total}: --offset ${next} goes on, --limit takes up to 100.` }
      : {}),
  };
};

/** The text for stdout; empty for nothing. `width`: of the terminal, Infinity elsewhere. */
export const render = (output: Output, format: Format, width: number): string => {
  if (format === 'json') return output.json ?? JSON.stringify(output.data ?? null, null, 2);
  const table =
    output.separated ?? output.table ?? (output.record && { columns: ['field', 'value'], rows: output.record });
  if (format !== 'table' && table !== undefined) return separated(table, format);
  const tableText = ({ columns, rows, nullText = '' }: Table): string =>
    resultTable(columns, rows, { width, nullText });
  if (output.table !== undefined) return output.table.rows.length === 0 ? '' : tableText(output.table);
  const record = output.record === undefined ? [] : [recordText(output.record)];
  const sections = (output.sections ?? []).map(({ title, table: one }) =>
    one.rows.length === 0 ? `${title}: none` : `${title}\n${tableText(one)}`,
  );
  return [...(output.text === undefined ? [] : [output.text]), ...record, ...sections].join('\n\n');
};

const recordText = (record: NonNullable<Output['record']>): string => {
  const size = Math.max(...record.map(([name]) => name.length));
  return record.map(([name, value]) => `${name.padEnd(size)}  ${cellText(value)}`.trimEnd()).join('\n');
};

/**
 * One line per row below a line of titles; CSV quotes as RFC 4180 says, and an empty text, which null is not; TSV has no
 * tabs and line breaks in cells.
 */
const separated = ({ columns, rows }: Table, format: 'tsv' | 'csv'): string => {
  const cell = format === 'tsv' ? (value: unknown) => exactText(value).replaceAll(/[\t\n\r]+/g, ' ') : csvCell;
  return [columns, ...rows].map((row) => row.map(cell).join(format === 'tsv' ? '\t' : ',')).join('\n');
};

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
