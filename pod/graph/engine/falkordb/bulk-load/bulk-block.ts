import { DuckDBBlobVector, DuckDBListValue, type DuckDBValue, type DuckDBVector } from '@duckdb/node-api';
import { type ColumnType } from '../../graph-schema';
import { isText, type Storage, storageOf } from '../storage';

/** Types of values, as numbered by GRAPH.BULK. */
const NULL = 0;
const BOOL = 1;
const DOUBLE = 2;
const TEXT = 3;
const INT64 = 4;
const LIST = 5;

/** A block of this size is full; its last row may exceed it. */
const BLOCK_BYTES = 4 * 1024 * 1024;
const BUFFER_BYTES = BLOCK_BYTES + 512 * 1024;
/** At least the size of both ends of an edge, or of a number with its type. */
const FIXED_BYTES = 16;
/** Longer texts are copied faster by a native call. */
const SHORT_BYTES = 24;

/**
 * Rows of one label or edge type in the binary format of GRAPH.BULK, little-endian: its name and the names of its
 * properties, each followed by a zero byte; then for each row the ends of an edge and one typed value per property.
 */
export class BulkBlock {
  private buffer: Buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  private view = viewOf(this.buffer);
  private length = 0;
  /** Number of rows in the current block. */
  rowCount = 0;
  private readonly headerLength: number;

  constructor(name: string, properties: readonly string[]) {
    this.text(name);
    this.reserve(FIXED_BYTES);
    this.view.setUint32(this.length, properties.length, true);
    this.length += 4;
    for (const property of properties) this.text(property);
    this.headerLength = this.length;
  }

  get isFull(): boolean {
    return this.length >= BLOCK_BYTES;
  }

  /** Returns the rows so far and begins the next block. */
  take(): Buffer {
    const taken = this.buffer.subarray(0, this.length);
    this.replaceBuffer(BUFFER_BYTES, this.headerLength);
    this.length = this.headerLength;
    this.rowCount = 0;
    return taken;
  }

  beginNode(): void {
    this.rowCount++;
  }

  /** `from` and `to`: numbers of nodes. */
  beginEdge(from: number, to: number): void {
    this.rowCount++;
    this.reserve(FIXED_BYTES);
    const { view, length } = this;
    view.setUint32(length, from, true);
    view.setUint32(length + 4, 0, true);
    view.setUint32(length + 8, to, true);
    view.setUint32(length + 12, 0, true);
    this.length = length + 16;
  }

  /** Returns a function that adds the value of a column by its row. */
  column(vector: DuckDBVector, type: ColumnType): (row: number) => void {
    const storage = storageOf(type);
    if (vector instanceof DuckDBBlobVector && isText(storage)) {
      return (row) => {
        const value = vector.getItemBytes(row);
        if (value === null) this.type(NULL);
        else this.bytes(value);
      };
    }
    const item = type.kind === 'list' ? storageOf(type.item) : 'text';
    return (row) => this.value(vector.getItem(row), storage, item);
  }

  private value(value: DuckDBValue, storage: Storage, item: Storage): void {
    if (value === null) return this.type(NULL);
    if (typeof value === 'number' && storage === 'double') return this.double(value);
    if (typeof value === 'string') return this.bytes(Buffer.from(value));
    if (typeof value === 'boolean') {
      this.type(BOOL);
      this.view.setUint8(this.length++, value ? 1 : 0);
      return;
    }
    if (value instanceof DuckDBListValue) {
      this.type(LIST);
      this.view.setBigUint64(this.length, BigInt(value.items.length), true);
      this.length += 8;
      for (const part of value.items) this.value(part, item, 'text');
      return;
    }
    if (typeof value === 'number' || typeof value === 'bigint') return this.integer(BigInt(value));
    throw new Error(`A value of type ${typeof value} cannot be stored.`);
  }

  private double(value: number): void {
    this.type(DOUBLE);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  private integer(value: bigint): void {
    this.type(INT64);
    this.view.setBigInt64(this.length, value, true);
    this.length += 8;
  }

  private bytes(value: Uint8Array): void {
    this.type(TEXT);
    this.reserve(value.length + 1);
    const { buffer, length } = this;
    if (value.length > SHORT_BYTES) buffer.set(value, length);
    else for (let at = 0; at < value.length; at++) buffer[length + at] = value[at] ?? 0;
    this.length = length + value.length;
    this.view.setUint8(this.length++, 0);
  }

  private text(text: string): void {
    const bytes = Buffer.from(`${text}\0`);
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** Writes the type of a value; leaves room for a number after it. */
  private type(code: number): void {
    this.reserve(FIXED_BYTES);
    this.view.setUint8(this.length++, code);
  }

  private reserve(bytes: number): void {
    if (this.length + bytes > this.buffer.length) this.replaceBuffer(2 * this.buffer.length + bytes, this.length);
  }

  private replaceBuffer(size: number, keep: number): void {
    const buffer = Buffer.allocUnsafe(size);
    this.buffer.copy(buffer, 0, 0, keep);
    this.buffer = buffer;
    this.view = viewOf(buffer);
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);
