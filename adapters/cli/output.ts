import { type Success } from '../client';
import { cellText } from './cell-text';
import { resultTable } from './result-table';

/** What a command found, in a form every output format can be made of. */
export interface Output {
  /** What `--json` prints. A string is JSON text already. */
  readonly data: unknown;
  readonly json?: string;
  readonly table?: { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] };
  /** One thing: its fields by name, then tables of what belongs to it. */
  readonly record?: readonly (readonly [string, unknown])[];
  readonly sections?: readonly { readonly title: string; readonly table: NonNullable<Output['table']> }[];
  /** What CSV and TSV print where it is not the table or the record. */
  readonly separated?: Output['table'];
  readonly text?: string;
  /** For scripts: what was asked for is there, but says no. */
  readonly exitCode?: 1;
  /** For people only: goes to stderr. */
  readonly note?: string;
}

export type Format = 'table' | 'json' | 'tsv' | 'csv';

export type Columns<R> = readonly (readonly [string, (row: R) => unknown])[];

export const tableOf = <R>(rows: readonly R[], columns: Columns<R>): NonNullable<Output['table']> => ({
  columns: columns.map(([title]) => title),
  rows: rows.map((row) => columns.map(([, value]) => value(row))),
});

/** A page of a list, with a word about what is not on it. */
export const listOutput = <R>({ data, page }: Success<readonly R[]>, columns: Columns<R>): Output => {
  const rest = page === null ? 0 : page.total - page.offset - data.length;
  return {
    data,
    table: tableOf(data, columns),
    ...(data.length === 0 ? { note: 'There is nothing to list.' } : {}),
    ...(rest > 0 && page !== null
      ? {
          note: `${rest} more of ${page.total}: --offset ${page.offset + data.length} goes on, --limit takes up to 100.`,
        }
      : {}),
  };
};

/** The text for stdout; empty for nothing. `width`: of the terminal, Infinity elsewhere. */
export const render = (output: Output, format: Format, width: number): string => {
  if (format === 'json') return output.json ?? JSON.stringify(output.data ?? null, null, 2);
  const table =
    output.separated ?? output.table ?? (output.record && { columns: ['field', 'value'], rows: output.record });
  if (format !== 'table' && table !== undefined) return separated(table, format);
  if (output.table !== undefined) return output.table.rows.length === 0 ? '' : tableText(output.table, width);
  const record = output.record === undefined ? [] : [recordText(output.record)];
  const sections = (output.sections ?? []).map(({ title, table: one }) =>
    one.rows.length === 0 ? `${title}: none` : `${title}\n${tableText(one, width)}`,
  );
  return [...(output.text === undefined ? [] : [output.text]), ...record, ...sections].join('\n\n');
};

const tableText = ({ columns, rows }: NonNullable<Output['table']>, width: number): string =>
  resultTable(columns, rows, { width });

const recordText = (record: NonNullable<Output['record']>): string => {
  const size = Math.max(...record.map(([name]) => name.length));
  return record.map(([name, value]) => `${name.padEnd(size)}  ${cellText(value)}`.trimEnd()).join('\n');
};

/** One line per row below a line of titles; CSV quotes as RFC 4180 says, TSV has no tabs and line breaks in cells. */
const separated = ({ columns, rows }: NonNullable<Output['table']>, format: 'tsv' | 'csv'): string => {
  const cell = format === 'tsv' ? (value: unknown) => exactText(value).replaceAll(/[\t\n\r]+/g, ' ') : csvCell;
  return [columns, ...rows].map((row) => row.map(cell).join(format === 'tsv' ? '\t' : ',')).join('\n');
};

const csvCell = (value: unknown): string => {
  const text = exactText(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** For programs: nothing rounded, nested values as JSON. */
const exactText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  const text: unknown = JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one));
  return typeof value === 'bigint' ? value.toString() : String(text);
};
