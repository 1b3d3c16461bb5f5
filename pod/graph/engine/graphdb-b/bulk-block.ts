import { DuckDBListValue, type DuckDBValue } from '@duckdb/node-api';
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
export const BLOCK_BYTES = 32 * 1024 * 1024;

/**
 * Rows of one label or edge type in the binary form of GRAPH.BULK: name and property names, each ended by a zero,
 * then per row the ends of an edge (dense node numbers) and one typed value per property, all little-endian.
 */
export class BulkBlock {
  private buffer = Buffer.allocUnsafe(BLOCK_BYTES + 1024 * 1024);
  private length = 0;
  private rowCount = 0;
  private readonly headerLength: number;

  constructor(name: string, properties: readonly string[]) {
    this.text(name);
    this.reserve(4);
    this.length = this.buffer.writeUInt32LE(properties.length, this.length);
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
    const next = Buffer.allocUnsafe(BLOCK_BYTES + 1024 * 1024);
    taken.copy(next, 0, 0, this.headerLength);
    this.buffer = next;
    this.length = this.headerLength;
    this.rowCount = 0;
    return taken;
  }

  beginNode(): void {
    this.rowCount++;
  }

  beginEdge(from: number, to: number): void {
    this.rowCount++;
    this.reserve(16);
    this.length = this.buffer.writeUInt32LE(from, this.length);
    this.length = this.buffer.writeUInt32LE(0, this.length);
    this.length = this.buffer.writeUInt32LE(to, this.length);
    this.length = this.buffer.writeUInt32LE(0, this.length);
  }

  /** `item`: what a list consists of. */
  value(value: DuckDBValue, storage: Storage, item: Storage = 'text'): void {
    if (value === null) return this.type(NULL);
    if (storage === 'json') return this.string(nestedJson(value));
    if (typeof value === 'string') return this.string(value);
    if (typeof value === 'boolean') {
      this.type(BOOL);
      this.reserve(1);
      this.length = this.buffer.writeUInt8(value ? 1 : 0, this.length);
      return;
    }
    if (value instanceof DuckDBListValue) {
      this.type(LIST);
      this.reserve(8);
      this.length = this.buffer.writeBigUInt64LE(BigInt(value.items.length), this.length);
      for (const part of value.items) this.value(part, item);
      return;
    }
    if (typeof value !== 'number' && typeof value !== 'bigint') {
      throw new Error(`A value of type ${typeof value} cannot be stored.`);
    }
    const isDouble = typeof value === 'number' && storage === 'double';
    this.type(isDouble ? DOUBLE : INT64);
    this.reserve(8);
    this.length = isDouble
      ? this.buffer.writeDoubleLE(value, this.length)
      : this.buffer.writeBigInt64LE(BigInt(value), this.length);
  }

  private type(code: number): void {
    this.reserve(1);
    this.length = this.buffer.writeUInt8(code, this.length);
  }

  private string(text: string): void {
    this.type(TEXT);
    this.text(text);
  }

  private text(text: string): void {
    this.reserve(text.length * 3 + 1);
    this.length += this.buffer.write(text, this.length, 'utf8');
    this.length = this.buffer.writeUInt8(0, this.length);
  }

  private reserve(bytes: number): void {
    if (this.length + bytes <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * this.buffer.length + bytes);
    this.buffer.copy(larger, 0, 0, this.length);
    this.buffer = larger;
  }
}
