import stringWidth from 'string-width';

const GAP = '  ';
const NARROWEST = 6;

export interface TableOptions extends CellOptions {
  /** Default: unlimited. */
  readonly maxCell?: number;
  /** Columns of the whole table. Default: unlimited. */
  readonly width?: number;
}

/** Rows as aligned columns; numbers are right-aligned, long text is cut. */
export const resultTable = (
  titles: readonly string[],
  rows: readonly (readonly unknown[])[],
  { maxCell = Infinity, width = Infinity, ...cellOptions }: TableOptions = {},
): string => {
  const columns = titles.map((title) => cellText(title));
  const cells = rows.map((row) => row.map((value) => cut(cellText(value, cellOptions), maxCell)));
  const natural = columns.map((column, index) =>
    cells.reduce((widest, row) => Math.max(widest, widthOf(row[index] ?? '')), widthOf(column)),
  );
  const widths = fitInto(natural, width - GAP.length * (columns.length - 1));
  const numeric = columns.map((_, index) => rows.every((row) => isNumber(row[index])));
  const line = (row: readonly string[]): string =>
    widths
      .map((size, index) => {
        const cell = cut(row[index] ?? '', size);
        const padding = ' '.repeat(size - widthOf(cell));
        return numeric[index] === true ? padding + cell : cell + padding;
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

/** Columns of the terminal that a text takes: two for a character of Chinese, Japanese or Korean, and for an emoji. */
export const widthOf = (text: string): number => (/^[ -~]*$/.test(text) ? text.length : stringWidth(text));

const SEGMENTER = new Intl.Segmenter();

const cut = (text: string, size: number): string => {
  if (widthOf(text) <= size) return text;
  let [shown, width] = ['', 0];
  for (const { segment } of SEGMENTER.segment(text)) {
    width += widthOf(segment);
    if (width >= size) break;
    shown += segment;
  }
  return `${shown}…`;
};

interface CellOptions {
  /** Significant digits of fractions. Default: all. */
  readonly digits?: number;
  /** Shown for null, also in lists and objects. Default: nothing. */
  readonly nullText?: string;
}

/** A value as one line of text: nodes and relationships as in Cypher, paths with arrows. */
export const cellText = (value: unknown, options: CellOptions = {}): string => {
  if (value === null || value === undefined) return options.nullText ?? '';
  if (typeof value === 'string') return lineOf(value, options.nullText);
  if (typeof value === 'number') return numberText(value, options.digits);
  if (Array.isArray(value)) return listText(value, options);
  return typeof value === 'object' ? objectText(value, options) : scalarText(value);
};

/** In quotes if it would otherwise be the text for null. */
const lineOf = (text: string, nullText = ''): string => {
  const line = text.replace(/[\n\r]+$/, '').replaceAll(/\s*[\n\r\t]+\s*/g, ' ');
  return nullText !== '' && line.replaceAll(/[\\"]/g, '') === nullText ? JSON.stringify(line) : line;
};

const numberText = (value: number, digits: number | undefined): string =>
  String(digits === undefined || Number.isInteger(value) ? value : Number(value.toPrecision(digits)));

const listText = (items: readonly unknown[], options: CellOptions): string => {
  const isPath = items.length > 1 && items.every((item) => isEntity(item));
  const texts = items.map((item) => cellText(item, options));
  return isPath ? texts.join(' → ') : `[${texts.join(', ')}]`;
};

const isEntity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '_id' in value && ('_label' in value || '_type' in value);

const objectText = (value: object, options: CellOptions): string => {
  const entries = Object.entries(value).filter(([key]) => !isEntity(value) || !key.startsWith('_'));
  const properties = entries.map(([key, one]) => `${key}: ${cellText(one, options)}`).join(', ');
  const braces = properties === '' ? '' : `{${properties}}`;
  if ('_label' in value && '_id' in value) return `(${String(value._id)}${braces && ` ${braces}`})`;
  if ('_type' in value && '_id' in value) return `[:${String(value._type)}${braces && ` ${braces}`}]`;
  return braces || '{}';
};

/** Booleans, and integers beyond 2^53; JSON does not have other values. */
const scalarText = (value: unknown): string =>
  typeof value === 'bigint' || typeof value === 'boolean' ? value.toString() : '';
