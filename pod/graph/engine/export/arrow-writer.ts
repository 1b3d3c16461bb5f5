import {
  AsyncByteQueue,
  Field,
  makeBuilder,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
} from 'apache-arrow';
import { AnswerFault } from '../engine-failure';
import { type ArrowColumn, arrowColumn } from './arrow-column';
import { type ExportColumn, type RowWriter } from './row-writer';

/** The canonical extension type of texts that are JSON. */
const JSON_METADATA = new Map([
  ['ARROW:extension:name', 'arrow.json'],
  ['ARROW:extension:metadata', ''],
]);

/** Writes a stream in Arrow's IPC format, one record batch per chunk. */
export const arrowWriter = (columns: readonly ExportColumn[]): RowWriter => {
  const kinds = columns.map(arrowColumn);
  const fields = kinds.map(({ type, isJson }, index) => {
    const name = columns[index]?.name ?? '';
    return new Field(name, type, true, isJson === true ? JSON_METADATA : undefined);
  });
  const schema = new Schema(fields);
  const collectors = kinds.map(columnCollector);
  const bytes = new CollectedBytes();
  const writer = new RecordBatchStreamWriter();
  writer.reset(bytes, schema);
  let [rows, size, rowsBefore] = [0, 0, 0];

  const take = (): Uint8Array => {
    if (rows > 0) {
      const children = collectors.map(({ flush }) => flush());
      const data = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children });
      writer.write(new RecordBatch(schema, data));
      rowsBefore += rows;
      [rows, size] = [0, 0];
    }
    return bytes.takeAll();
  };

  return {
    add: (cells) => {
      cells.forEach((cell, index) => {
        if (collectors[index]?.add(cell) !== false) return;
        const { name = '', type = '' } = columns[index] ?? {};
        throw new AnswerFault(otherType(`Row ${rowsBefore + rows + 1}, column ${name}: ${cell.slice(0, 100)}`, type));
      });
      size += cells.reduce((sum, cell) => sum + cell.length, 0);
      rows++;
    },
    size: () => size,
    take,
    end: () => {
      const last = take();
      writer.close();
      return Buffer.concat([last, bytes.takeAll()]);
    },
  };
};

const otherType = (value: string, type: string): string =>
  `${value} is not ${type}, the type of the column. Return toString(value), or [x IN list | toString(x)] for a list, or export NDJSON.`;

const columnCollector = ({ type, collectedAs, read }: ArrowColumn) => {
  const builder = makeBuilder({ type: collectedAs, nullValues: [null] });
  return {
    /** False if the value does not have the type. */
    add: (json: string): boolean => {
      const value = json === 'null' ? null : read(json);
      if (value !== undefined) builder.append(value);
      return value !== undefined;
    },
    flush: () => builder.flush().clone(type),
  };
};

/** Collects written bytes until they are taken. */
class CollectedBytes extends AsyncByteQueue {
  private pieces: Uint8Array[] = [];

  override write(piece: ArrayBufferView): void {
    this.pieces.push(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength));
  }

  takeAll(): Uint8Array {
    const all = Buffer.concat(this.pieces);
    this.pieces = [];
    return all;
  }
}
