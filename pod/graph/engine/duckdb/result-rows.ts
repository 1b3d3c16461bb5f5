import { type DuckDBDataChunk } from '@duckdb/node-api';
import { type ExportFormat } from '../../../../adapters/contracts/graph-pod/export-formats';
import { AnswerFault } from '../engine-failure';
import { createRowWriter } from '../export/create-row-writer';
import { type GraphAnswer, MAX_BYTES, MAX_ROWS, rowTooLarge } from '../graph-engine';
import { type AnswerColumns } from './database-calls';

/** The database stopped before the last row; what failed is not known. */
export class RowsMissing extends Error {}

/**
 * Reads the rows of a result in order, as JSON texts of their cells. Unless it is whole, its last column is true in a row
 * after the last one.
 */
export class ResultRows {
  private chunk: DuckDBDataChunk | null = null;
  private nextInChunk = 0;
  private readCount = 0;

  constructor(
    private readonly nextChunk: () => DuckDBDataChunk | null | Promise<DuckDBDataChunk | null>,
    private readonly isWhole: boolean,
  ) {}

  /** Passes rows to `take` until it returns false; returns false after the last row. Throws if a row is too large. */
  async read(take: (cells: readonly string[]) => boolean): Promise<boolean> {
    for (;;) {
      if (this.chunk === null || this.nextInChunk === this.chunk.rowCount) {
        this.chunk = await this.nextChunk();
        this.nextInChunk = 0;
      }
      const { chunk } = this;
      if (chunk === null || chunk.rowCount === 0) {
        if (this.isWhole) return false;
        throw new RowsMissing(`Only ${this.readCount} rows were read.`);
      }
      const vectors = Array.from({ length: chunk.columnCount }, (_, column) => chunk.getColumnVector(column));
      const end = this.isWhole ? undefined : vectors.pop();
      while (this.nextInChunk < chunk.rowCount) {
        const row = this.nextInChunk++;
        if (end?.getItem(row) === true) return false;
        const cells = vectors.map((vector) => String(vector.getItem(row)));
        this.readCount++;
        const bytes = rowBytes(cells);
        if (bytes > MAX_BYTES) throw new AnswerFault(rowTooLarge(this.readCount, bytes));
        if (!take(cells)) return true;
      }
    }
  }
}

/** Reads an answer in JSON from the first rows. */
export const readAnswer = async (rows: ResultRows, { columns, columnTypes }: AnswerColumns): Promise<GraphAnswer> => {
  const texts: string[] = [];
  let bytes = 0;
  const truncated = await rows.read((cells) => {
    const text = `[${cells.join(',')}]`;
    bytes += Buffer.byteLength(text) + 1;
    const fits = bytes <= MAX_BYTES && texts.length < MAX_ROWS;
    if (fits) texts.push(text);
    return fits;
  });
  return { columns, columnTypes, rowsJson: `[${texts.join(',')}]`, rowCount: texts.length, truncated };
};

/** Size of one chunk, which its last row may exceed. */
const PIECE_BYTES = 256 * 1024;

/** The next chunk of an export, null after the last one. */
export type ExportReader = () => Promise<Uint8Array | null>;

export const exportReader = async (
  rows: ResultRows,
  { columns, columnTypes, nestedTypes }: AnswerColumns,
  format: ExportFormat,
): Promise<ExportReader> => {
  const described = columns.map((name, index) => ({
    name,
    type: columnTypes[index] ?? 'ANY',
    nested: nestedTypes[index] ?? null,
  }));
  const writer = await createRowWriter(format, described);
  const add = (cells: readonly string[]): boolean => {
    writer.add(cells);
    return writer.size() < PIECE_BYTES;
  };
  let isAtEnd = false;
  return async () => {
    if (isAtEnd) return null;
    isAtEnd = !(await rows.read(add));
    return isAtEnd ? writer.end() : writer.take();
  };
};

/** Size of a row in the JSON array; except for very long rows the number of characters is exact enough. */
const rowBytes = (cells: readonly string[]): number => {
  const characters = cells.reduce((sum, cell) => sum + cell.length, 0);
  if (characters * 3 < MAX_BYTES) return characters;
  return cells.reduce((sum, cell) => sum + Buffer.byteLength(cell) + 1, 2);
};
