const MAX_CELL = 48;

/** Rows as a table with aligned columns; numbers to the right, long text cut. */
export const resultTable = (columns: readonly string[], rows: readonly (readonly unknown[])[]): string => {
  const cells = rows.map((row) => row.map(cellText));
  const widths = columns.map((column, index) =>
    Math.max(column.length, ...cells.map((row) => row[index]?.length ?? 0)),
  );
  const numeric = columns.map((_, index) => rows.every((row) => typeof row[index] === 'number'));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) =>
        numeric[index] === true ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [line(columns), widths.map((width) => '─'.repeat(width)).join('  '), ...cells.map(line)].join('\n');
};

const cellText = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)));
  const text =
    typeof value === 'string' ? value : Array.isArray(value) ? value.map(cellText).join(' → ') : JSON.stringify(value);
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text;
};
