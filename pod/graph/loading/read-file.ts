import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { isDiskFull } from '../../../adapters/filesystem/disk-full';
import { fetchReason } from '../../../adapters/system/fetch-reason';

/** The result of reading an address. */
interface ReadFile {
  readonly bytes: number;
  /** SHA-256 in hex digits. */
  readonly checksum: string;
  /** The path of a local file; null when it was copied. */
  readonly localPath: string | null;
}

/** How long a store may return no data before the file counts as unreadable. */
const TIMEOUT_MS = 120_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;
/** Idle timeout of a connection. */
const SILENCE_MS = 30_000;

/**
 * Reads and hashes the file at a `file://` or `http(s)://` address; a file behind `http(s)` is written to `path`. After
 * a failure of the store the rest is requested again; an expired address is replaced by `newAddress`, which returns
 * null if there is none. Left: the reason, without addresses. Rejects if the file cannot
 * be written.
 */
export const readFileAt = async (
  address: string,
  path: string,
  newAddress: () => Promise<string | null>,
): Promise<Either<string, ReadFile>> => {
  if (new URL(address).protocol === 'file:') return readLocal(fileURLToPath(address));
  const target = await open(path, 'w');
  try {
    return await download({ target, hash: createHash('sha256'), bytes: 0 }, address, newAddress);
  } finally {
    await target.close();
  }
};

const readLocal = async (localPath: string): Promise<Either<string, ReadFile>> => {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(localPath, { highWaterMark: 1024 * 1024 })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    return left(error instanceof Error && 'code' in error ? String(error.code) : String(error));
  }
  return right({ bytes, checksum: hash.digest('hex'), localPath });
};

interface Download {
  readonly target: FileHandle;
  readonly hash: Hash;
  bytes: number;
}

const download = async (
  file: Download,
  address: string,
  newAddress: () => Promise<string | null>,
): Promise<Either<string, ReadFile>> => {
  let pauseMs = FIRST_PAUSE_MS;
  let giveUpAt = Date.now() + TIMEOUT_MS;
  for (;;) {
    const before = file.bytes;
    const read = await readRest(file, address);
    if (!isLeft(read)) return right({ bytes: file.bytes, checksum: file.hash.digest('hex'), localPath: null });
    if (file.bytes > before) {
      pauseMs = FIRST_PAUSE_MS;
      giveUpAt = Date.now() + TIMEOUT_MS;
    }
    if (read.left.isFinal || Date.now() > giveUpAt) return left(read.left.reason);
    await sleep(pauseMs);
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    if (read.left.isRefused) address = (await newAddress()) ?? address;
  }
};

interface Break {
  readonly reason: string;
  /** The address is invalid or expired. */
  readonly isRefused: boolean;
  readonly isFinal: boolean;
}

/** Resumes reading at the current end of the file. */
const readRest = async (file: Download, address: string): Promise<Either<Break, void>> => {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error(`no byte for ${SILENCE_MS / 1000} s`)), SILENCE_MS);
  try {
    const headers: Record<string, string> = file.bytes === 0 ? {} : { range: `bytes=${file.bytes}-` };
    const response = await fetch(address, { headers, redirect: 'error', signal: silence.signal });
    const { status } = response;
    if (response.body === null || status !== (file.bytes === 0 ? 200 : 206)) {
      const text = await response.text();
      const code = /<Code>([^<]{1,100})<\/Code>/.exec(text)?.[1];
      const reason = `the store returned ${status}${code === undefined ? '' : ` ${code}`}`;
      return left({ reason, isRefused: [400, 401, 403].includes(status), isFinal: status === 404 });
    }
    for await (const chunk of response.body) {
      const piece = chunk as Uint8Array;
      file.hash.update(piece);
      // Unlike `write`, it writes the whole piece.
      await file.target.writeFile(piece);
      file.bytes += piece.length;
      timer.refresh();
    }
    return right(undefined);
  } catch (error) {
    if (isDiskFull(error)) throw error;
    return left({ reason: fetchReason(error), isRefused: false, isFinal: false });
  } finally {
    clearTimeout(timer);
  }
};
