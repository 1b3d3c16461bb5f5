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
  /** About how many bytes `take` would return. */
  readonly size: () => number;
  /** The bytes added since the last call; the first time including the header. */
  readonly take: () => Uint8Array;
  /** The same, including the footer. */
  readonly end: () => Uint8Array;
}
