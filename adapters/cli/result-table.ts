import { cellText, type CellOptions } from './cell-text';

const GAP = '  ';
const NARROWEST = 6;

export interface TableOptions extends CellOptions {
  /** Default: unlimited. */
  readonly maxCell?: number;
  /** Of the whole table. Default: unlimited. */
  readonly width?: number;
}

/** Rows as aligned columns; numbers to the right, long text cut. */
export const resultTable = (
  titles: readonly string[],
  rows: readonly (readonly unknown[])[],
  { maxCell = Infinity, width = Infinity, ...cellOptions }: TableOptions = {},
): string => {
  const columns = titles.map((title) => cellText(title));
  const cells = rows.map((row) => row.map((value) => cut(cellText(value, cellOptions), maxCell)));
  const natural = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const widths = fitInto(natural, width - GAP.length * (columns.length - 1));
  const numeric = columns.map((_, index) => rows.every((row) => isNumber(row[index])));
  const line = (row: readonly string[]): string =>
    widths
      .map((size, index) => {
        const cell = cut(row[index] ?? '', size);
        return numeric[index] === true ? cell.padStart(size) : cell.padEnd(size);
      })
      .join(GAP)
      .trimEnd();
  return [line(columns), widths.map((size) => '─'.repeat(size)).join(GAP), ...cells.map(line)].join('\n');
};

/** Shrinks the widest columns first, down to a minimum. */
const fitInto = (natural: readonly number[], available: number): readonly number[] => {
  const widths = [...natural];
  for (let excess = sum(widths) - available; excess > 0; excess -= 1) {
    const widest = widths.indexOf(Math.max(...widths));
    if ((widths[widest] ?? 0) <= NARROWEST) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const isNumber = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

const cut = (text: string, size: number): string => (text.length > size ? `${text.slice(0, size - 1)}…` : text);
