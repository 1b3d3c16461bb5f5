import {
  BIGINT,
  BOOLEAN,
  DOUBLE,
  type DuckDBType,
  type DuckDBValue,
  LIST,
  listValue,
  STRUCT,
  structValue,
  VARCHAR,
} from '@duckdb/node-api';
import { type PlainValue } from './compile/compiled-query';
import { type Type } from './compile/type';

const SCALARS: Readonly<Partial<Record<Type['kind'], DuckDBType>>> = {
  boolean: BOOLEAN,
  integer: BIGINT,
  float: DOUBLE,
};

/** The type in which DuckDB receives a parameter; a STRUCT needs a field. */
export const duckdbType = (type: Type): DuckDBType => {
  if (type.kind === 'list') return LIST(duckdbType(type.item));
  if (type.kind !== 'map') return SCALARS[type.kind] ?? VARCHAR;
  const fields = type.fields.map((field, at) => [`f${at}`, duckdbType(field.type)] as const);
  return STRUCT(fields.length === 0 ? { f0: BOOLEAN } : Object.fromEntries(fields));
};

export const duckdbValue = (value: PlainValue, type: Type): DuckDBValue => {
  if (value === null || typeof value !== 'object') return value;
  if (type.kind === 'list') return listValue(value.map((item) => duckdbValue(item, type.item)));
  if (type.kind !== 'map') throw new Error(`A list is not a value of the type ${type.kind}.`);
  const fields = type.fields.map((field, at) => [`f${at}`, duckdbValue(value[at] ?? null, field.type)] as const);
  return structValue(fields.length === 0 ? { f0: null } : Object.fromEntries(fields));
};
