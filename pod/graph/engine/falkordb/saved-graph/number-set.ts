/** A vector of GraphBLAS that is true at some numbers, in rising order, serialized as GraphBLAS does it, uncompressed. */
export const numberSet = (numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(HEAD.length + 8 * numbers.length + TAIL.length);
  HEAD.copy(bytes);
  const count = numbers.length;
  for (const [at, value] of [
    [0, bytes.length],
    [48, count],
    [88, 8 * count],
    [168, 8 * count],
  ] as const) {
    bytes.writeBigUInt64LE(BigInt(value), at);
  }
  bytes.writeUInt32LE(count, HEAD.length - 4);
  for (const [at, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), HEAD.length + 8 * at);
  TAIL.copy(bytes, HEAD.length + 8 * count);
  return bytes;
};

/** Lengths and counts are zero here: of all at 0, of the numbers at 48, 88, 168 and at the end. */
const HEAD = Buffer.from(
  '00000000000000000111000039a29800ffffffffffffff0f010000000000000001000000000000000100000000000000' +
    '000000000000000001000000000000000800000000000000000000000000000000000000000000000000000000000000' +
    '01000000000000000000803d0ad7233d0f0000000b00000001000000ffffffff00000000ffffffff00000000ffffffff' +
    '01000000ffffffff01000000ffffffff0800000000000000000000000000000001000000000000000000000000000000',
  'hex',
);
/** The one value of all, and the name of its type. */
const TAIL = Buffer.from('01004772425f424f4f4c00', 'hex');
