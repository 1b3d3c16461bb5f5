import { type PropertyType } from '../mapping';

/** The conversion of an engine's type. */
export interface TypeRule {
  readonly type: PropertyType;
  /** Which values do not fit, or why a cast is recommended; absent when every value fits. */
  readonly caution?: string;
}

const BEYOND_64_BITS: TypeRule = { type: 'INT64', caution: 'values beyond 64 bits do not fit' };
const NANOSECONDS: TypeRule = { type: 'TIMESTAMP', caution: 'values with fractions of a microsecond do not fit' };
const AS_TEXT = {
  type: 'STRING',
  caution: 'a graph has no such type; it becomes text as the engine writes it',
} as const;

/** The types of both engines. */
const COMMON = {
  boolean: { type: 'BOOL' },
  tinyint: { type: 'INT8' },
  smallint: { type: 'INT16' },
  integer: { type: 'INT32' },
  bigint: { type: 'INT64' },
  double: { type: 'DOUBLE' },
  varchar: { type: 'STRING' },
  json: { type: 'STRING' },
  uuid: { type: 'UUID' },
  date: { type: 'DATE' },
  time: { type: 'STRING' },
  'time with time zone': { type: 'STRING' },
  timestamp: { type: 'TIMESTAMP' },
  'timestamp with time zone': { type: 'TIMESTAMP' },
  array: { type: 'LIST' },
  map: { type: 'MAP' },
} as const;

/**
 * DuckDB's types by name, without parameters. Types without a caution are exported and loaded exactly; a test covers
 * all of them. `decimal` is not here: its digits decide (`decimalRule`).
 */
export const DUCKDB_TYPES: Readonly<Record<string, TypeRule>> = {
  ...COMMON,
  utinyint: { type: 'INT16' },
  usmallint: { type: 'INT32' },
  uinteger: { type: 'INT64' },
  ubigint: BEYOND_64_BITS,
  hugeint: BEYOND_64_BITS,
  uhugeint: BEYOND_64_BITS,
  bignum: { type: 'STRING' },
  float: { type: 'FLOAT' },
  enum: { type: 'STRING' },
  bit: { type: 'STRING' },
  blob: { type: 'BLOB' },
  time_ns: { type: 'STRING' },
  timestamp_s: { type: 'TIMESTAMP' },
  timestamp_ms: { type: 'TIMESTAMP' },
  timestamp_ns: NANOSECONDS,
  interval: { type: 'STRING' },
  list: { type: 'LIST' },
  struct: { type: 'STRUCT' },
  union: AS_TEXT,
  variant: AS_TEXT,
  geometry: AS_TEXT,
};

/** Trino's types by name, without parameters; `decimal` and `timestamp` depend on their digits. */
export const TRINO_TYPES: Readonly<Record<string, TypeRule>> = {
  ...COMMON,
  real: { type: 'FLOAT' },
  number: { type: 'DOUBLE', caution: 'values of more than 15 digits do not fit' },
  char: {
    type: 'STRING',
    caution:
      'its values are padded with spaces and do not equal those of VARCHAR; write rtrim(…), or CAST the others to CHAR',
  },
  varbinary: { type: 'BLOB' },
  'interval year to month': { type: 'STRING' },
  'interval day to second': { type: 'STRING' },
  row: { type: 'STRUCT' },
  ipaddress: { type: 'STRING' },
  geometry: AS_TEXT,
  sphericalgeography: AS_TEXT,
};

const UNKNOWN: TypeRule = { type: 'STRING', caution: 'unknown type, treated as text' };

/** The property type for an engine's type as `EngineColumn` spells it, such as `decimal(10,2)` or `integer[]`. */
export const propertyTypeOf = (engineType: string): TypeRule => {
  const type = engineType.trim().toLowerCase();
  if (type.endsWith(']')) return { type: 'LIST' };
  const digits = /\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)/.exec(type);
  const name = nameOf(type);
  if (name === 'decimal')
    return decimalRule(Number(digits?.[1] ?? 18), Number(digits?.[2] ?? (digits === null ? 3 : 0)));
  if (name.startsWith('timestamp') && Number(digits?.[1] ?? 0) > 6) return NANOSECONDS;
  return DUCKDB_TYPES[name] ?? TRINO_TYPES[name] ?? UNKNOWN;
};

/** Without parameters: `timestamp(3) with time zone` is `timestamp with time zone`, `map(a, b)` is `map`. */
const nameOf = (type: string): string => {
  const open = type.indexOf('(');
  if (open < 0) return type;
  const name = type.slice(0, open).trim();
  return /^time(stamp)?$/.test(name) ? type.replace(/\s*\(\d+\)/, '').trim() : name;
};

/** A double is exact up to 15 digits, INT64 up to 18. */
const decimalRule = (precision: number, scale: number): TypeRule => {
  if (scale === 0) return precision <= 18 ? { type: 'INT64' } : BEYOND_64_BITS;
  return precision <= 15 ? { type: 'DOUBLE' } : { type: 'DOUBLE', caution: 'values of more than 15 digits do not fit' };
};
