import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { csvLine } from './csv-line';

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

export const createRowWriter = (format: ExportFormat, columns: readonly ExportColumn[]): RowWriter => {
  const names = columns.map(({ name }) => JSON.stringify(name));
  switch (format) {
    case 'csv':
      return lineWriter(csvLine(names), csvLine);
    case 'ndjson':
      return lineWriter('', (cells) => `{${cells.map((cell, index) => `${names[index]}:${cell}`).join(',')}}\n`);
  }
};

const lineWriter = (head: string, line: (cells: readonly string[]) => string): RowWriter => {
  let text = head;
  const take = (): Uint8Array => {
    const bytes = Buffer.from(text);
    text = '';
    return bytes;
  };
  return { add: (cells) => void (text += line(cells)), size: () => text.length, take, end: take };
};
