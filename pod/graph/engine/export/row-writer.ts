/** A column of an export. */
export interface ExportColumn {
  readonly name: string;
  /** As `answerTypeName` names it. */
  readonly type: string;
}

/** Writes rows in the form of an export. */
export interface RowWriter {
  /** Adds a row, each cell as JSON text. */
  readonly add: (cells: readonly string[]) => void;
  /** About how many bytes `take` would answer. */
  readonly size: () => number;
  /** What has been added since the last time; the first time with what stands before the rows. */
  readonly take: () => Uint8Array;
  /** The same, with what stands behind the last row. */
  readonly end: () => Uint8Array;
}
