import { left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import { type GraphAnswer, MAX_BYTES, MAX_ROWS } from '../../graph-engine';
import { answerTypeName } from '../../column-type';
import { createRowWriter } from '../../export/create-row-writer';
import { ResultRows } from './result-rows';
import { type ReadResult } from './run-query';

/** Makes an answer in JSON of the first rows of a result. */
export const readAnswer: ReadResult<GraphAnswer> = async (opened) => {
  const rows = new ResultRows(opened, MAX_ROWS);
  const texts: string[] = [];
  let bytes = 0;
  await rows.read((cells) => {
    const text = `[${cells.join(',')}]`;
    bytes += Buffer.byteLength(text) + 1;
    if (bytes <= MAX_BYTES) texts.push(text);
    return bytes <= MAX_BYTES && texts.length < MAX_ROWS;
  });
  if (rows.needs.size > 0) return left({ kind: 'inexact', needs: rows.needs });
  const total = opened.result.getNumTuples();
  opened.result.close();
  return right({
    columns: opened.names,
    columnTypes: opened.columns.map(({ type }) => answerTypeName(type)),
    rowsJson: `[${texts.join(',')}]`,
    rowCount: texts.length,
    truncated: texts.length < total,
  });
};

/** An export that is being read. */
export interface KuzuExport {
  /** The next piece, null after the last one. Throws when a row cannot be exported. */
  readonly read: () => Promise<Uint8Array | null>;
  readonly close: () => void;
}

/** Bytes of one piece, but for the rest of its last row. */
const PIECE_BYTES = 256 * 1024;
const EXPORTED_ROWS_LOOKED_UP_AT_ONCE = 10_000;

/** Reads a result from its first row to its last. Fails when the first piece cannot be made. */
export const readExport =
  (format: ExportFormat): ReadResult<KuzuExport> =>
  async (opened) => {
    const rows = new ResultRows(opened, EXPORTED_ROWS_LOOKED_UP_AT_ONCE);
    await rows.findNeeds();
    if (rows.needs.size > 0) return left({ kind: 'inexact', needs: rows.needs });
    const { columns, names, result } = opened;
    const described = columns.map(({ type }, index) => ({ name: names[index] ?? '', type: answerTypeName(type) }));
    const writer = await createRowWriter(format, described);
    const add = (cells: readonly string[]): boolean => {
      writer.add(cells);
      return writer.size() < PIECE_BYTES;
    };
    let isAtEnd = false;
    const readNext = async (): Promise<Uint8Array | null> => {
      if (isAtEnd) return null;
      isAtEnd = !(await rows.read(add));
      return isAtEnd ? writer.end() : writer.take();
    };
    let first = await readNext();
    const read = (): Promise<Uint8Array | null> => {
      const piece = first === null ? readNext() : Promise.resolve(first);
      first = null;
      return piece;
    };
    return right({ read, close: () => result.close() });
  };
