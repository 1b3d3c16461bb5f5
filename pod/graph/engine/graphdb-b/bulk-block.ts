import {
  DuckDBBigIntVector,
  DuckDBBlobVector,
  DuckDBDoubleVector,
  DuckDBListValue,
  type DuckDBValue,
  type DuckDBVector,
} from '@duckdb/node-api';
import { nestedJson } from './nested-json';
import { type Storage } from './storage';

/** Types of values in a block, as the module reads them. */
const NULL = 0;
const BOOL = 1;
const DOUBLE = 2;
const TEXT = 3;
const INT64 = 4;
const LIST = 5;

/** A message holds about this much; one value may make it longer. */
const BLOCK_BYTES = 8 * 1024 * 1024;
/** More than the ends of an edge, or a number with its type, take. */
const SLACK_BYTES = 64;
/** Longer texts are written faster by a call out of JavaScript. */
const SHORT_TEXT = 24;

/**
 * Rows of one label or edge type in the binary form of GRAPH.BULK: name and property names, each ended by a zero,
 * then per row the ends of an edge (dense node numbers) and one typed value per property, all little-endian.
 */
export class BulkBlock {
  private buffer: Buffer = Buffer.allocUnsafe(BLOCK_BYTES + 1024 * 1024);
  private view = viewOf(this.buffer);
  private length = 0;
  private rowCount = 0;
  private readonly headerLength: number;

  constructor(name: string, properties: readonly string[]) {
    this.text(name);
    this.view.setUint32(this.length, properties.length, true);
    this.length += 4;
    for (const property of properties) this.text(property);
    this.headerLength = this.length;
  }

  get rows(): number {
    return this.rowCount;
  }

  get isFull(): boolean {
    return this.length >= BLOCK_BYTES;
  }

  /** The message so far; the next one starts in a buffer of its own. */
  take(): Buffer {
    const taken = this.buffer.subarray(0, this.length);
    this.replaceBuffer(Buffer.allocUnsafe(BLOCK_BYTES + 1024 * 1024), this.headerLength);
    this.length = this.headerLength;
    this.rowCount = 0;
    return taken;
  }

  beginNode(): void {
    this.rowCount++;
  }

  beginEdge(from: number, to: number): void {
    this.rowCount++;
    this.reserve(SLACK_BYTES);
    const { view, length } = this;
    view.setUint32(length, from, true);
    view.setUint32(length + 4, 0, true);
    view.setUint32(length + 8, to, true);
    view.setUint32(length + 12, 0, true);
    this.length = length + 16;
  }

  /** How the values of a column get into the block, by row; `item`: what a list consists of. */
  column(vector: DuckDBVector, storage: Storage, item: Storage): (row: number) => void {
    if (vector instanceof DuckDBDoubleVector && storage === 'double') {
      return (row) => {
        const value = vector.getItem(row);
        if (value === null) this.type(NULL);
        else this.double(value);
      };
    }
    if (vector instanceof DuckDBBigIntVector) {
      return (row) => {
        const value = vector.getItem(row);
        if (value === null) this.type(NULL);
        else this.integer(value);
      };
    }
    if (vector instanceof DuckDBBlobVector && storage === 'text') {
      return (row) => {
        const value = vector.getItemBytes(row);
        if (value === null) this.type(NULL);
        else this.textBytes(value);
      };
    }
    return (row) => this.value(vector.getItem(row), storage, item);
  }

  private value(value: DuckDBValue, storage: Storage, item: Storage): void {
    if (value === null) return this.type(NULL);
    if (storage === 'json') return this.string(nestedJson(value));
    if (typeof value === 'string') return this.string(value);
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
    if (typeof value !== 'number' && typeof value !== 'bigint') {
      throw new Error(`A value of type ${typeof value} cannot be stored.`);
    }
    if (typeof value === 'number' && storage === 'double') this.double(value);
    else this.integer(BigInt(value));
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

  private type(code: number): void {
    this.reserve(SLACK_BYTES);
    this.view.setUint8(this.length++, code);
  }

  private string(text: string): void {
    this.type(TEXT);
    this.text(text);
  }

  private text(text: string): void {
    this.reserve(text.length * 3 + 1);
    this.length += this.buffer.write(text, this.length, 'utf8');
    this.view.setUint8(this.length++, 0);
  }

  private textBytes(bytes: Uint8Array): void {
    this.type(TEXT);
    this.reserve(bytes.length + 1);
    const { buffer, length } = this;
    if (bytes.length > SHORT_TEXT) buffer.set(bytes, length);
    else for (let at = 0; at < bytes.length; at++) buffer[length + at] = bytes[at] ?? 0;
    this.length += bytes.length;
    this.view.setUint8(this.length++, 0);
  }

  private reserve(bytes: number): void {
    if (this.length + bytes > this.buffer.length) {
      this.replaceBuffer(Buffer.allocUnsafe(2 * this.buffer.length + bytes), this.length);
    }
  }

  private replaceBuffer(buffer: Buffer, keep: number): void {
    this.buffer.copy(buffer, 0, 0, keep);
    this.buffer = buffer;
    this.view = viewOf(buffer);
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);
