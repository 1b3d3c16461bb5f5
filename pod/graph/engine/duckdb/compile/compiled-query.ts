import { type ColumnType } from '../../graph-schema';
import { type Type } from './type';

/** A query as one SQL statement. */
export interface CompiledQuery {
  /** One SELECT; its columns are VARCHAR: the JSON text of the value, or null. */
  readonly sql: string;
  readonly columns: readonly string[];
  /** One per column, as in `GraphAnswer`. */
  readonly columnTypes: readonly string[];
  /** One per column: the type of a list or map with its parts, null for other values. */
  readonly nestedTypes: readonly (ColumnType | null)[];
  /** The greatest number of rows; infinite if it is not known. */
  readonly mostRows: number;
  /** In the order of $1, $2, … */
  readonly parameters: readonly BoundParameter[];
}

export interface BoundParameter {
  readonly type: Type;
  readonly value: (parameters: Readonly<Record<string, unknown>>) => PlainValue;
}

/** A value that another process can receive: a list is an array of its items, a map one of the values of its fields. */
export type PlainValue = null | boolean | bigint | number | string | readonly PlainValue[];
