/** Bytes of a part, well below the 256,000 above which the module takes a part for one value. */
const PART_BYTES = 250_000;
/** A value of its own part is at least so long. */
const LONG_BYTES = 256_008;
/** Longer ones are written faster by a call out of JavaScript. */
const SHORT_BYTES = 24;
/** In front of a part: that it is a text, and the length of its length, which is 4 bytes. */
const PART_MARK = [5, 0x80] as const;
const PART_HEADER_BYTES = 6;

/**
 * Values in the form in which the module saves a graph: little-endian numbers of 8 bytes, and bytes with their length
 * before them, in parts that the server keeps as texts. No value is cut by the end of a part.
 */
export class SavedValues {
  private part = Buffer.allocUnsafe(PART_HEADER_BYTES + PART_BYTES);
  private view = viewOf(this.part);
  private length = PART_HEADER_BYTES;
  private readonly done: Uint8Array[];
  private counted = { view: this.view, at: 0, attributes: 0 };

  /** `head`: what stands before the first part. */
  constructor(head: Uint8Array) {
    this.done = [head];
  }

  /** What is complete so far, for the file. */
  take(): readonly Uint8Array[] {
    return this.done.splice(0);
  }

  /** All of it; what comes next begins a new part. */
  takeAll(): readonly Uint8Array[] {
    this.closePart();
    return this.take();
  }

  number(value: number): void {
    this.reserve(8);
    this.put(value);
  }

  text(value: string): void {
    this.bytes(Buffer.from(`${value}\0`));
  }

  double(value: number): void {
    this.reserve(8);
    this.view.setFloat64(this.length, value, true);
    this.length += 8;
  }

  integer(value: bigint): void {
    this.reserve(8);
    this.view.setBigInt64(this.length, value, true);
    this.length += 8;
  }

  /** Long ones are padded with zeros to be told from parts; answers how long they are then. */
  bytes(value: Uint8Array, end = 0): number {
    const length = value.length + end;
    if (length + 8 > PART_BYTES) return this.longBytes(value, length);
    this.reserve(length + 8);
    this.put(length);
    const { part, length: start } = this;
    if (value.length > SHORT_BYTES) part.set(value, start);
    else for (let at = 0; at < value.length; at++) part[start + at] = value[at] ?? 0;
    for (let at = value.length; at < length; at++) part[start + at] = 0;
    this.length += length;
    return length;
  }

  /** Begins a node or an edge; `endEntity` tells how many attributes it got. */
  beginEntity(number: number): void {
    this.reserve(16);
    this.put(number);
    this.counted = { view: this.view, at: this.length, attributes: 0 };
    this.put(0);
  }

  attribute(id: number, type: number): void {
    this.reserve(24);
    this.put(id);
    this.put(type);
    this.counted.attributes++;
  }

  endEntity(): void {
    const { view, at, attributes } = this.counted;
    view.setUint32(at, attributes, true);
  }

  private put(value: number): void {
    const { view, length } = this;
    view.setUint32(length, value, true);
    view.setUint32(length + 4, value / 2 ** 32, true);
    this.length = length + 8;
  }

  private longBytes(value: Uint8Array, least: number): number {
    this.closePart();
    const length = Math.max(least, LONG_BYTES);
    const header = Buffer.from([PART_MARK[0], 0x81, 0, 0, 0, 0, 0, 0, 0, 0]);
    header.writeBigUInt64BE(BigInt(length), 2);
    this.done.push(header, value, Buffer.alloc(length - value.length));
    return length;
  }

  private reserve(bytes: number): void {
    if (this.length + bytes > this.part.length) this.closePart();
  }

  private closePart(): void {
    if (this.length === PART_HEADER_BYTES) return;
    this.part.set(PART_MARK);
    this.view.setUint32(PART_MARK.length, this.length - PART_HEADER_BYTES);
    this.done.push(this.part.subarray(0, this.length));
    this.part = Buffer.allocUnsafe(PART_HEADER_BYTES + PART_BYTES);
    this.view = viewOf(this.part);
    this.length = PART_HEADER_BYTES;
  }
}

const viewOf = ({ buffer, byteOffset, byteLength }: Buffer): DataView => new DataView(buffer, byteOffset, byteLength);
