export interface CellOptions {
  /** Significant digits of fractions. Default: all. */
  readonly digits?: number;
  /** Shown for null, also inside lists and objects. Default: nothing. */
  readonly nullText?: string;
}

/** A value as one line of text: nodes and relationships as in Cypher, paths with arrows. */
export const cellText = (value: unknown, options: CellOptions = {}): string => {
  if (value === null || value === undefined) return options.nullText ?? '';
  if (typeof value === 'string') return value.replace(/[\n\r]+$/, '').replaceAll(/\s*[\n\r\t]+\s*/g, ' ');
  if (typeof value === 'number') return numberText(value, options.digits);
  if (Array.isArray(value)) return listText(value, options);
  return typeof value === 'object' ? objectText(value, options) : scalarText(value);
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

/** Booleans and whole numbers beyond 2^53; JSON has no other values. */
const scalarText = (value: unknown): string =>
  typeof value === 'bigint' || typeof value === 'boolean' ? value.toString() : '';
