import {
  DuckDBBigIntVector,
  DuckDBBlobVector,
  DuckDBDoubleVector,
  DuckDBListValue,
  type DuckDBValue,
  type DuckDBVector,
} from '@duckdb/node-api';
import { nestedJson } from '../nested-json';
import { type SavedValues } from './saved-values';
import { type ColumnType } from '../../column-type';
import { storageOf, type Storage } from '../storage';

/** Types of values, as the module numbers them. */
const LIST = 0x8;
const TEXT = 0x800;
const BOOL = 0x1000;
const INT64 = 0x2000;
const DOUBLE = 0x4000;
const NULL = 0x8000;

/** How the values of a column get to their nodes or edges, by row. Null is no attribute. */
export const attributeWriter = (
  values: SavedValues,
  attribute: number,
  vector: DuckDBVector,
  columnType: ColumnType,
): ((row: number) => void) => {
  const storage = storageOf(columnType);
  const item = columnType.kind === 'list' ? storageOf(columnType.item) : 'text';
  if (vector instanceof DuckDBDoubleVector && storage === 'double') {
    return (row) => {
      const value = vector.getItem(row);
      if (value === null) return;
      values.attribute(attribute, DOUBLE);
      values.double(value);
    };
  }
  if (vector instanceof DuckDBBigIntVector) {
    return (row) => {
      const value = vector.getItem(row);
      if (value === null) return;
      values.attribute(attribute, INT64);
      values.integer(value);
    };
  }
  if (vector instanceof DuckDBBlobVector && storage === 'text') {
    return (row) => {
      const value = vector.getItemBytes(row);
      if (value === null) return;
      values.attribute(attribute, TEXT);
      values.bytes(value, 1);
    };
  }
  return (row) => {
    const value = vector.getItem(row);
    if (value === null) return;
    const known = savedValue(value, storage, item);
    values.attribute(attribute, known.type);
    known.write(values);
  };
};

interface SavedValue {
  readonly type: number;
  readonly write: (values: SavedValues) => void;
}

const savedValue = (value: DuckDBValue, storage: Storage, item: Storage): SavedValue => {
  if (value === null) return { type: NULL, write: () => undefined };
  if (storage === 'json') return savedText(nestedJson(value));
  if (typeof value === 'string') return savedText(value);
  if (typeof value === 'boolean') return { type: BOOL, write: (values) => values.number(value ? 1 : 0) };
  if (value instanceof DuckDBListValue) {
    return {
      type: LIST,
      write: (values) => {
        values.number(value.items.length);
        for (const part of value.items) {
          const { type, write } = savedValue(part, item, 'text');
          values.number(type);
          write(values);
        }
      },
    };
  }
  if (typeof value !== 'number' && typeof value !== 'bigint') {
    throw new Error(`A value of type ${typeof value} cannot be stored.`);
  }
  if (typeof value === 'number' && storage === 'double') {
    return { type: DOUBLE, write: (values) => values.double(value) };
  }
  return { type: INT64, write: (values) => values.integer(BigInt(value)) };
};

const savedText = (value: string): SavedValue => ({ type: TEXT, write: (values) => values.text(value) });
