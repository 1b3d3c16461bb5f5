import { type ColumnType } from '../graph-schema';

/** A column of an export. */
export interface ExportColumn {
  readonly name: string;
  /** As in `GraphAnswer`. */
  readonly type: string;
  /** The type of a list, map or struct whose parts have known types. */
  readonly nested?: ColumnType | null;
}

/** Writes rows in an export format. */
export interface RowWriter {
  /** Adds a row, each cell as JSON text. */
  readonly add: (cells: readonly string[]) => void;
  /** Approximate number of bytes that `take` would return. */
  readonly size: () => number;
  /** The bytes added since the last call; the first call includes the header. */
  readonly take: () => Uint8Array;
  /** The same, including the footer. */
  readonly end: () => Uint8Array;
}
