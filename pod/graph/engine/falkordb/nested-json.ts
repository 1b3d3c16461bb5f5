import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { isoDayAfterEpoch } from '../iso-day';

const DAY_MICROS = 86_400_000_000n;

/** JSON text of a nested value in the format of answers: integers exact, times ISO text, bytes base64, NaN a string. */
export const nestedJson = (value: DuckDBValue): string => {
  if (value === null) return 'null';
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : `"${value}"`;
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof DuckDBListValue) return `[${value.items.map(nestedJson).join(',')}]`;
  if (value instanceof DuckDBStructValue) {
    return object(Object.entries(value.entries).map(([name, item]) => [name, item]));
  }
  if (value instanceof DuckDBMapValue) {
    return object(value.entries.map(({ key, value: item }) => [keyText(key), item]));
  }
  if (value instanceof DuckDBBlobValue) return JSON.stringify(Buffer.from(value.bytes).toString('base64'));
  if (value instanceof DuckDBTimestampValue && value.isFinite) return JSON.stringify(isoTimestamp(value.micros));
  if (value instanceof DuckDBDateValue && value.isFinite) return JSON.stringify(isoDayAfterEpoch(value.days));
  return JSON.stringify(value.toString());
};

const object = (entries: readonly (readonly [string, DuckDBValue])[]): string =>
  `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${nestedJson(value)}`).join(',')}}`;

const keyText = (key: DuckDBValue): string => {
  const json = nestedJson(key);
  return typeof key === 'string' || json.startsWith('"') ? String(JSON.parse(json)) : json;
};

/** Milliseconds always, further digits if not zero. */
const isoTimestamp = (micros: bigint): string => {
  const rest = ((micros % DAY_MICROS) + DAY_MICROS) % DAY_MICROS;
  const time = new Date(Number(rest / 1000n)).toISOString().slice(11, -1);
  const digits = String(rest % 1000n)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${isoDayAfterEpoch(Number((micros - rest) / DAY_MICROS))}T${time}${digits}Z`;
};
