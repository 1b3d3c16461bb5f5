import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as t from 'io-ts';
import { type CsvFile, REFRESH } from './csv-layout';

/** Why a compressed file is not read: DuckDB reads one that is cut off or damaged as if it ended there, without an error. */
export const compressionProblem = async ({ parts, compression }: CsvFile): Promise<string | null> => {
  if (compression === 'none') return null;
  for (const part of parts) {
    const reason = await (compression === 'gzip' ? problemOfGzip(part) : problemOfZstd(part));
    if (reason !== null)
      return `the file ${part} is not complete ${compression} data (${reason}); replace it, or correct its ending, and ${REFRESH}`;
  }
  return null;
};

const ZlibError = t.type({ code: t.string, message: t.string });

/** Reads the whole file, because its checksum is at the end. */
const problemOfGzip = async (path: string): Promise<string | null> => {
  const discard = new Writable({ write: (_chunk, _encoding, done) => done() });
  try {
    await pipeline(createReadStream(path), createGunzip(), discard);
    return null;
  } catch (error) {
    if (ZlibError.is(error) && error.code.startsWith('Z_')) return error.message;
    throw error;
  }
};

const CUT_OFF = 'unexpected end of file';
const MAGIC = 0xfd2fb528;

/** Follows the lengths of the blocks to the end. DuckDB compares the checksum of a complete file. */
const problemOfZstd = async (path: string): Promise<string | null> => {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size === 0) return CUT_OFF;
    let at = 0;
    while (at < size) {
      const end = await endOfFrame(file, at);
      if (end === null) return 'incorrect header';
      if (end > size) return CUT_OFF;
      at = end;
    }
    return null;
  } finally {
    await file.close();
  }
};

/** The end of the frame that begins there. Null if none begins there; beyond the end of the file if it is cut off. */
const endOfFrame = async (file: FileHandle, start: number): Promise<number | null> => {
  const head = await bytesAt(file, start, 8);
  if (head.length < 8) return Infinity;
  const magic = head.readUInt32LE(0);
  // Frames that readers skip.
  if (magic >>> 4 === 0x184d2a5) return start + 8 + head.readUInt32LE(4);
  if (magic !== MAGIC) return null;
  const descriptor = head.readUInt8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const sizeOfSize = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >>> 6] ?? 0;
  const sizeOfDictionary = [0, 1, 2, 4][descriptor & 3] ?? 0;
  let at = start + 5 + (isSingleSegment ? 0 : 1) + sizeOfDictionary + sizeOfSize;
  for (;;) {
    const block = await bytesAt(file, at, 3);
    if (block.length < 3) return Infinity;
    const header = block.readUIntLE(0, 3);
    const isRepeatedByte = ((header >>> 1) & 3) === 1;
    at += 3 + (isRepeatedByte ? 1 : header >>> 3);
    if ((header & 1) === 1) break;
  }
  return at + ((descriptor & 4) === 0 ? 0 : 4);
};

const bytesAt = async (file: FileHandle, position: number, length: number): Promise<Buffer> => {
  const buffer = Buffer.alloc(length);
  const { bytesRead } = await file.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
};
