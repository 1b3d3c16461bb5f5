import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';

/** How a column of an export is kept in Arrow. */
export interface ArrowColumn {
  readonly type: DataType;
  /** What its values are collected as, where that is another type with the same bytes. */
  readonly collectedAs?: DataType;
  /** The value of a JSON text, undefined when it is none of the type. */
  readonly read: (json: string) => unknown;
  /** Its texts are JSON. */
  readonly isJson?: true;
}

const wholeNumber = (json: string): number | undefined => (/^-?\d+$/.test(json) ? Number(json) : undefined);
const textOf = (json: string): string | undefined => (json.startsWith('"') ? String(JSON.parse(json)) : undefined);

const fraction = (json: string): number | undefined => {
  if (!json.startsWith('"')) return Number.isNaN(Number(json)) ? undefined : Number(json);
  return /^"(NaN|-?Infinity)"$/.test(json) ? Number(json.slice(1, -1)) : undefined;
};

const day = (json: string): number | undefined => finite(Date.parse(textOf(json) ?? ''));
const finite = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** Microseconds since 1970; a time with further digits does not fit. */
const microseconds = (json: string): bigint | undefined => {
  const [, seconds, digits = ''] = /^"([^.]+)(?:\.(\d{1,6}))?Z"$/.exec(json) ?? [];
  const ms = Date.parse(`${seconds}Z`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1000n + BigInt(digits.padEnd(6, '0'));
};

const COLUMNS: Readonly<Record<string, ArrowColumn>> = {
  STRING: { type: new Utf8(), read: textOf },
  UUID: { type: new Utf8(), read: textOf },
  INT64: { type: new Int64(), read: (json) => (/^-?\d+$/.test(json) ? BigInt(json) : undefined) },
  INT32: { type: new Int32(), read: wholeNumber },
  INT16: { type: new Int16(), read: wholeNumber },
  INT8: { type: new Int8(), read: wholeNumber },
  DOUBLE: { type: new Float64(), read: fraction },
  FLOAT: { type: new Float32(), read: fraction },
  BOOL: { type: new Bool(), read: (json) => ({ true: true, false: false })[json] },
  DATE: { type: new DateDay(), read: day },
  TIMESTAMP: { type: new TimestampMicrosecond('UTC'), collectedAs: new Int64(), read: microseconds },
  BLOB: { type: new Binary(), read: (json) => Buffer.from(textOf(json) ?? '', 'base64') },
};

/** Everything else: lists, maps, nodes, values of several types. */
const JSON_TEXT: ArrowColumn = { type: new Utf8(), read: (json) => json, isJson: true };

/** @param type As `answerTypeName` names it. */
export const arrowColumn = (type: string): ArrowColumn => COLUMNS[type] ?? JSON_TEXT;
