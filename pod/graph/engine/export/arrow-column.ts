import {
  Binary,
  Bool,
  type DataType,
  DateDay,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  List,
  Map_,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import { JSON_TOKEN } from '../../../../domain/kernel/json-token';
import { type ColumnType } from '../graph-schema';
import { type ExportColumn } from './row-writer';

/** How values of one type are stored in Arrow. */
interface ArrowType {
  readonly type: DataType;
  /** The type in which values are collected, which has the same bytes. */
  readonly collectedAs: DataType;
}

/** How a column of an export is stored in Arrow. */
export interface ArrowColumn extends ArrowType {
  /** The value of a JSON text other than null; undefined if it has another type. */
  readonly read: (json: string) => unknown;
  /** Its texts are JSON. */
  readonly isJson?: true;
}

export const arrowColumn = ({ type, nested = null }: ExportColumn): ArrowColumn => {
  const parts = nested === null ? null : nestedType(nested);
  if (parts === null) return SCALARS[type] ?? JSON_TEXT;
  return { ...parts, read: (json) => parts.valueOf(JSON.parse(json.replaceAll(JSON_TOKEN, quotedIfLong))) };
};

/** An integer that JavaScript may not have becomes a text. */
const quotedIfLong = (token: string): string => (/^-?\d{16,}$/.test(token) ? `"${token}"` : token);

const parseInteger = (json: string): number | undefined => (/^-?\d+$/.test(json) ? Number(json) : undefined);
const textOf = (json: string): string | undefined => (json.startsWith('"') ? String(JSON.parse(json)) : undefined);

const fraction = (json: string): number | undefined => {
  if (!json.startsWith('"')) return Number.isNaN(Number(json)) ? undefined : Number(json);
  return /^"(NaN|-?Infinity)"$/.test(json) ? Number(json.slice(1, -1)) : undefined;
};

/** Days since 1970, in years that `Date` does not have, too: the calendar repeats after 400 years of 146,097 days. */
const day = (json: string): number | undefined => {
  const [, year, month, dayOfMonth] = /^"([+-]?\d{4,})-(\d\d)-(\d\d)"$/.exec(json) ?? [];
  if (year === undefined) return undefined;
  const era = Math.floor((Number(year) - 2000) / 400);
  const ms = Date.UTC(Number(year) - era * 400, Number(month) - 1, Number(dayOfMonth));
  return ms / 86_400_000 + era * 146_097;
};

/** Microseconds since 1970; undefined for a time with further digits. */
const microseconds = (json: string): bigint | undefined => {
  const [, date, time, digits = ''] = /^("[^T]+)T([\d:]{8})(?:\.(\d{1,6}))?Z"$/.exec(json) ?? [];
  const days = day(`${date}"`);
  const [hours, minutes, seconds] = (time ?? '').split(':').map(Number);
  if (days === undefined || seconds === undefined) return undefined;
  const ms = BigInt(days) * 86_400_000n + BigInt(Date.UTC(1970, 0, 1, hours, minutes, seconds));
  return ms * 1000n + BigInt(digits.padEnd(6, '0'));
};

const scalar = (type: DataType, read: ArrowColumn['read'], collectedAs = type): ArrowColumn => ({
  type,
  collectedAs,
  read,
});

const SCALARS: Readonly<Record<string, ArrowColumn>> = {
  STRING: scalar(new Utf8(), textOf),
  UUID: scalar(new Utf8(), textOf),
  LOCALDATETIME: scalar(new Utf8(), textOf),
  DURATION: scalar(new Utf8(), textOf),
  INT64: scalar(new Int64(), (json) => (/^-?\d+$/.test(json) ? BigInt(json) : undefined)),
  INT32: scalar(new Int32(), parseInteger),
  INT16: scalar(new Int16(), parseInteger),
  INT8: scalar(new Int8(), parseInteger),
  DOUBLE: scalar(new Float64(), fraction),
  FLOAT: scalar(new Float32(), fraction),
  BOOL: scalar(new Bool(), (json) => ({ true: true, false: false })[json]),
  DATE: scalar(new DateDay(), day, new Int32()),
  TIMESTAMP: scalar(new TimestampMicrosecond('UTC'), microseconds, new Int64()),
  BLOB: scalar(new Binary(), (json) => Buffer.from(textOf(json) ?? '', 'base64')),
};

/** All other types: nodes, relationships, paths, values of several types. */
const JSON_TEXT: ArrowColumn = { ...scalar(new Utf8(), (json) => json), isJson: true };

interface NestedType extends ArrowType {
  /** The value of parsed JSON other than null; undefined if it has another type. */
  readonly valueOf: (parsed: unknown) => unknown;
}

/** Null: a part is JSON text in Arrow, or the type has no parts. */
const nestedType = (of: ColumnType): NestedType | null => {
  switch (of.kind) {
    case 'scalar': {
      const column = SCALARS[of.name];
      if (column === undefined) return null;
      // Long integers and the keys of maps are texts.
      const valueOf = (parsed: unknown) =>
        column.read(jsonOf(parsed)) ?? (typeof parsed === 'string' ? column.read(parsed) : undefined);
      return { ...column, valueOf };
    }
    case 'list': {
      const item = nestedType(of.item);
      if (item === null) return null;
      const typeWith = (type: DataType): DataType => new List(new Field('item', type, true));
      return {
        type: typeWith(item.type),
        collectedAs: typeWith(item.collectedAs),
        valueOf: (parsed) => (Array.isArray(parsed) ? whole(parsed.map((value) => partOf(item, value))) : undefined),
      };
    }
    case 'struct': {
      const names = of.fields.map(({ name }) => name);
      const parts = of.fields.flatMap(({ type }) => nestedType(type) ?? []);
      if (parts.length === 0 || parts.length < names.length) return null;
      const typeWith = (types: readonly DataType[]): DataType =>
        new Struct(types.map((type, at) => new Field(names[at] ?? '', type, true)));
      return {
        type: typeWith(parts.map(({ type }) => type)),
        collectedAs: typeWith(parts.map(({ collectedAs }) => collectedAs)),
        valueOf: (parsed) => {
          if (!isObject(parsed)) return undefined;
          const given = new Map(Object.entries(parsed));
          const values = whole(parts.map((part, at) => partOf(part, given.get(names[at] ?? ''))));
          return values && Object.fromEntries(names.map((name, at) => [name, values[at]]));
        },
      };
    }
    case 'map': {
      const [key, value] = [nestedType(of.key), nestedType(of.value)];
      if (key === null || value === null || of.key.kind !== 'scalar') return null;
      const typeWith = (keys: DataType, values: DataType): DataType => {
        const entry = new Struct<{ key: DataType; value: DataType }>([
          new Field('key', keys, false),
          new Field('value', values, true),
        ]);
        return new Map_(new Field('entries', entry, false));
      };
      return {
        type: typeWith(key.type, value.type),
        collectedAs: typeWith(key.collectedAs, value.collectedAs),
        valueOf: (parsed) => {
          if (!isObject(parsed)) return undefined;
          const entries = Object.entries(parsed);
          const keys = whole(entries.map(([text]) => key.valueOf(text)));
          const values = whole(entries.map(([, each]) => partOf(value, each)));
          return keys && values && new Map(keys.map((each, at) => [each, values[at]]));
        },
      };
    }
  }
};

const isObject = (parsed: unknown): parsed is object =>
  typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);

const jsonOf = (parsed: unknown): string => (Object.is(parsed, -0) ? '-0' : JSON.stringify(parsed));

/** Undefined for a part that is missing. */
const partOf = (type: NestedType, parsed: unknown): unknown =>
  parsed === null || parsed === undefined ? parsed : type.valueOf(parsed);

/** Undefined if a part has another type. */
const whole = (parts: readonly unknown[]): readonly unknown[] | undefined =>
  parts.includes(undefined) ? undefined : parts;
