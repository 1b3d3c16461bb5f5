/**
 * A value of a result as one line of text: nothing for null, nodes and relationships as in Cypher, a path as a way.
 *
 * @param digits Significant digits of numbers that are not whole; absent: all.
 */
export const cellText = (value: unknown, digits?: number): string => {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.replace(/[\n\r]+$/, '').replaceAll(/\s*[\n\r\t]+\s*/g, ' ');
  if (typeof value === 'number') return numberText(value, digits);
  if (Array.isArray(value)) return listText(value, digits);
  return typeof value === 'object' ? objectText(value, digits) : scalarText(value);
};

const numberText = (value: number, digits: number | undefined): string =>
  String(digits === undefined || Number.isInteger(value) ? value : Number(value.toPrecision(digits)));

const listText = (items: readonly unknown[], digits: number | undefined): string => {
  const isPath = items.length > 1 && items.every((item) => isEntity(item));
  const texts = items.map((item) => cellText(item, digits));
  return isPath ? texts.join(' → ') : `[${texts.join(', ')}]`;
};

const isEntity = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && '_id' in value && ('_label' in value || '_type' in value);

const objectText = (value: object, digits: number | undefined): string => {
  const entries = Object.entries(value).filter(([key]) => !isEntity(value) || !key.startsWith('_'));
  const properties = entries.map(([key, one]) => `${key}: ${cellText(one, digits)}`).join(', ');
  const braces = properties === '' ? '' : `{${properties}}`;
  if ('_label' in value && '_id' in value) return `(${String(value._id)}${braces && ` ${braces}`})`;
  if ('_type' in value && '_id' in value) return `[:${String(value._type)}${braces && ` ${braces}`}]`;
  return braces || '{}';
};

/** Booleans and whole numbers beyond 2^53; JSON has no other values. */
const scalarText = (value: unknown): string =>
  typeof value === 'bigint' || typeof value === 'boolean' ? value.toString() : '';
