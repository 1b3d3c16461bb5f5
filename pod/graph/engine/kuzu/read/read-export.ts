import { left, right } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import { MAX_BYTES, rowTooLarge } from '../../answer-limits';
import { answerTypeName } from '../../column-type';
import { createRowWriter } from '../../export/create-row-writer';
import { rowEncoder, type RawRow, type RowEncoder } from './encode-rows';
import { mayHoldEntities, resolveIds } from './entity-ids';
import { isAlwaysExact } from './exact-type';
import { forEachRow, takeRows } from '../binding/read-rows';
import { type OpenedResult, type ReadResult } from './run-query';

/** An export that is being read. */
export interface KuzuExport {
  /** The next piece, null behind the last one. Throws when a row cannot be exported. */
  readonly read: () => Promise<Uint8Array | null>;
  readonly close: () => void;
}

/** Bytes of one piece, but for what its last rows have beyond. */
const PIECE_BYTES = 256 * 1024;
/** Rows whose nodes are looked up together: each time may scan their tables. */
const ROWS_AT_ONCE = 10_000;

/** Reads a result from its first row to its last. What is wrong with the first rows is told at once. */
export const readExport =
  (format: ExportFormat): ReadResult<KuzuExport> =>
  async (opened) => {
    const needs = await findInexact(opened);
    if (needs.size > 0) return left({ kind: 'inexact', needs });
    opened.result.resetIterator();
    const read = await pieceReader(opened, format);
    let first = await read();
    return right({
      read: async () => {
        const piece = first ?? (await read());
        first = null;
        return piece;
      },
      close: () => opened.result.close(),
    });
  };

/**
 * What of all the rows would have to be fetched exactly: rows that have been handed out cannot be taken back, so those
 * with values that may be rounded are looked at before.
 */
const findInexact = async ({ result, columns, plan, graph }: OpenedResult): Promise<RowEncoder['needs']> => {
  const { cells, needs } = rowEncoder(columns, plan, { ...graph.context, idOf: () => '""' });
  const inDoubt = columns.flatMap(({ type }, index) => (isAlwaysExact(type) ? [] : (cells[index] ?? [])));
  const look = (row: RawRow): void => inDoubt.forEach((encode) => encode(row));
  if (needs.size === 0 && inDoubt.length > 0) await forEachRow(result, look);
  return needs;
};

const pieceReader = async ({ result, columns, names, plan, graph, session }: OpenedResult, format: ExportFormat) => {
  const { cells } = rowEncoder(columns, plan, graph.context);
  const described = columns.map(({ type }, index) => ({ name: names[index] ?? '', type: answerTypeName(type) }));
  const writer = await createRowWriter(format, described);
  const hasEntities = columns.some(mayHoldEntities);
  let rowCount = 0;
  let isAtEnd = false;

  const add = (row: RawRow): void => {
    const texts = cells.map((encode) => encode(row));
    rowCount++;
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    if (length > MAX_BYTES) throw new Error(rowTooLarge(rowCount, length));
    writer.add(texts);
  };

  return async (): Promise<Uint8Array | null> => {
    if (isAtEnd) return null;
    while (writer.size() < PIECE_BYTES) {
      const rows = takeRows(result, hasEntities ? ROWS_AT_ONCE : 1);
      if (rows.length === 0) {
        isAtEnd = true;
        return writer.end();
      }
      if (hasEntities) await resolveIds(rows, columns, graph.ids, session.connection);
      rows.forEach(add);
    }
    return writer.take();
  };
};
