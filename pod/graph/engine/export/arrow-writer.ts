import {
  AsyncByteQueue,
  Binary,
  Bool,
  type DataType,
  DateDay,
  Field,
  Float32,
  Float64,
  Int8,
  Int16,
  Int32,
  Int64,
  makeBuilder,
  makeData,
  RecordBatch,
  RecordBatchStreamWriter,
  Schema,
  Struct,
  TimestampMicrosecond,
  Utf8,
} from 'apache-arrow';
import { AnswerFault } from '../engine-failure';
import { type ExportColumn, type RowWriter } from './row-writer';

/** The canonical extension type of texts that are JSON. */
const JSON_METADATA = new Map([
  ['ARROW:extension:name', 'arrow.json'],
  ['ARROW:extension:metadata', ''],
]);

/** Writes a stream in Arrow's IPC format, one record batch per chunk. */
export const arrowWriter = (columns: readonly ExportColumn[]): RowWriter => {
  const kinds = columns.map(({ type }) => arrowColumn(type));
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
        const { name, type } = columns[index] ?? {};
        const place = `Row ${rowsBefore + rows + 1}, column ${name}`;
        throw new AnswerFault(
          `${place}: ${cell.slice(0, 100)} is not ${type}, as the values before it are. Cast the column.`,
        );
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

const columnCollector = ({ type, collectedAs, read }: ArrowColumn) => {
  const builder = makeBuilder({ type: collectedAs ?? type, nullValues: [null] });
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

/** How a column of an export is stored in Arrow. */
interface ArrowColumn {
  readonly type: DataType;
  /** The type in which its values are collected, if that is another type with the same bytes. */
  readonly collectedAs?: DataType;
  /** The value of a JSON text, undefined if it has another type. */
  readonly read: (json: string) => unknown;
  /** Its texts are JSON. */
  readonly isJson?: true;
}

const parseInteger = (json: string): number | undefined => (/^-?\d+$/.test(json) ? Number(json) : undefined);
const textOf = (json: string): string | undefined => (json.startsWith('"') ? String(JSON.parse(json)) : undefined);

const fraction = (json: string): number | undefined => {
  if (!json.startsWith('"')) return Number.isNaN(Number(json)) ? undefined : Number(json);
  return /^"(NaN|-?Infinity)"$/.test(json) ? Number(json.slice(1, -1)) : undefined;
};

const day = (json: string): number | undefined => finite(Date.parse(textOf(json) ?? ''));
const finite = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** Microseconds since 1970; undefined for a time with further digits. */
const microseconds = (json: string): bigint | undefined => {
  const [, seconds, digits = ''] = /^"([^.]+)(?:\.(\d{1,6}))?Z"$/.exec(json) ?? [];
  const ms = Date.parse(`${seconds}Z`);
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1000n + BigInt(digits.padEnd(6, '0'));
};

const COLUMNS: Readonly<Record<string, ArrowColumn>> = {
  STRING: { type: new Utf8(), read: textOf },
  UUID: { type: new Utf8(), read: textOf },
  LOCALDATETIME: { type: new Utf8(), read: textOf },
  DURATION: { type: new Utf8(), read: textOf },
  INT64: { type: new Int64(), read: (json) => (/^-?\d+$/.test(json) ? BigInt(json) : undefined) },
  INT32: { type: new Int32(), read: parseInteger },
  INT16: { type: new Int16(), read: parseInteger },
  INT8: { type: new Int8(), read: parseInteger },
  DOUBLE: { type: new Float64(), read: fraction },
  FLOAT: { type: new Float32(), read: fraction },
  BOOL: { type: new Bool(), read: (json) => ({ true: true, false: false })[json] },
  DATE: { type: new DateDay(), read: day },
  TIMESTAMP: { type: new TimestampMicrosecond('UTC'), collectedAs: new Int64(), read: microseconds },
  BLOB: { type: new Binary(), read: (json) => Buffer.from(textOf(json) ?? '', 'base64') },
};

/** All other types: lists, maps, nodes, values of several types. */
const JSON_TEXT: ArrowColumn = { type: new Utf8(), read: (json) => json, isJson: true };

/** @param type As in `GraphAnswer`. */
const arrowColumn = (type: string): ArrowColumn => COLUMNS[type] ?? JSON_TEXT;
