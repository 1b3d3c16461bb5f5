import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { constants, type WriteStream } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isErrno } from '../../../../../adapters/filesystem/durable-write';

/** Takes a graph to a server that starts: it reads the file while it is written. */
export interface ServerFeed {
  /** Resolves when there is room for more; rejects when the server does not take it any more. */
  readonly write: (bytes: readonly Uint8Array[]) => Promise<void>;
  /** Resolves when everything is written. */
  readonly end: () => Promise<void>;
  /** Gives up: the server gets to an early end of the file. */
  readonly close: () => void;
}

const POLL_MS = 5;
const BYTES_AHEAD = 4 * 1024 * 1024;

/** Makes the place from which a server that is started next will read its graph. */
export const prepareFeed = async (path: string): Promise<void> => {
  await promisify(execFile)('mkfifo', [path]);
};

/**
 * Waits until the server reads there. A file takes the place of what it reads from then: everything is written to both,
 * so that after a crash the server finds the graph again. Null when the server ended.
 */
export const openFeed = async (path: string, hasEnded: () => boolean): Promise<ServerFeed | null> => {
  let first = await openWhenRead(path);
  for (; first === null; first = await openWhenRead(path)) {
    if (hasEnded()) return null;
    await wait(POLL_MS);
  }
  // One that waits for room; the server must not be without a writer in between.
  const server = await stream(path, constants.O_WRONLY);
  await first.close();
  const file = await stream(`${path}.new`, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC);
  await rename(`${path}.new`, path);
  const both = [server, file];
  return {
    write: async (bytes) => {
      for (const { errored } of both) if (errored) throw errored;
      const full = both.filter((to) => {
        for (const piece of bytes) to.write(piece);
        return to.writableNeedDrain;
      });
      await Promise.all(full.map((to) => once(to, 'drain')));
    },
    end: async () => {
      for (const to of both) to.end();
      await Promise.all(both.map((to) => finished(to)));
    },
    close: () => both.forEach((to) => to.destroy()),
  };
};

/** Null as long as nobody reads there. */
const openWhenRead = async (path: string): Promise<FileHandle | null> => {
  try {
    return await open(path, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch (error) {
    if (isErrno(error, 'ENXIO')) return null;
    throw error;
  }
};

const stream = async (path: string, flags: number): Promise<WriteStream> => {
  const handle = await open(path, flags);
  const opened = handle.createWriteStream({ highWaterMark: BYTES_AHEAD });
  // Told by what is written next.
  opened.on('error', () => undefined);
  return opened;
};
