import { isoDay } from '../../iso-day';

/** The JSON text of a rounded value looks exact: `exact` says whether it is. */
export interface EncodedScalar {
  readonly json: string;
  readonly exact: boolean;
}

const exact = (json: string): EncodedScalar => ({ json, exact: true });

/**
 * JSON text of a value without parts. Values of types the binding rounds arrive either raw, and are marked when they
 * may be rounded, or cast to text in the engine, and are exact.
 */
export const encodeScalar = (value: unknown, type: string): EncodedScalar => {
  if (value === null || value === undefined) return exact('null');
  if (typeof value === 'string') return encodeText(value, type);
  if (typeof value === 'boolean') return exact(String(value));
  if (typeof value === 'bigint') return exact(value.toString());
  if (typeof value === 'number') return encodeNumber(value, type);
  if (value instanceof Date) return encodeDate(value, type);
  if (Buffer.isBuffer(value)) return exact(`"${value.toString('base64')}"`);
  return exact(JSON.stringify(value));
};

/** JavaScript has no date beyond the year 275760. */
const encodeDate = (date: Date, type: string): EncodedScalar => {
  if (Number.isNaN(date.getTime())) return { json: 'null', exact: false };
  const text = date.toISOString();
  return type === 'DATE' ? exact(`"${text.replace(/T.*/, '')}"`) : { json: `"${text}"`, exact: false };
};

const encodeNumber = (value: number, type: string): EncodedScalar => {
  if (type === 'INTERVAL' || type.startsWith('DECIMAL')) return { json: String(value), exact: false };
  if (!Number.isFinite(value)) return exact(`"${value}"`);
  const rounded = type !== 'DOUBLE' && type !== 'FLOAT' && !Number.isSafeInteger(value);
  return { json: String(value), exact: !rounded };
};

const encodeText = (text: string, type: string): EncodedScalar => {
  if (/^(U?INT\d|SERIAL|DECIMAL)/.test(type))
    return { json: text, exact: /^-?\d+(\.\d+)?$/.test(text) && isWhole(text, type) };
  if (type === 'DATE' || type.startsWith('TIMESTAMP')) return exact(JSON.stringify(isoTime(text)));
  // Labels that give one property name different types make the engine convert all of them to text.
  return { json: JSON.stringify(text), exact: !['DOUBLE', 'FLOAT', 'BOOL'].includes(type) };
};

const isWhole = (text: string, type: string): boolean => type.startsWith('DECIMAL') || !text.includes('.');

/**
 * ISO 8601 of the engine's `2024-01-31` and `0044-03-15 (BC) 10:00:00.123456` in UTC: milliseconds always, further digits
 * where there are any.
 */
const isoTime = (text: string): string => {
  const parts = /^(\d+)-(\d\d-\d\d)( \(BC\))?(?: (\d\d:\d\d:\d\d)(?:\.(\d+))?(?:\+00(?::00)?)?)?$/.exec(text);
  if (parts === null) return text;
  const [, year = '', monthAndDay = '', bc, time, fraction = ''] = parts;
  const day = isoDay(bc === undefined ? Number(year) : 1 - Number(year), monthAndDay);
  return time === undefined ? day : `${day}T${time}.${fraction.replace(/0+$/, '').padEnd(3, '0')}Z`;
};
