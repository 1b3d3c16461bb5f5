import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, left, right } from 'fp-ts/Either';
import { processIdentity } from '../system/process-table';
import { type StartFailure } from '../system/shutdown-steps';
import { isErrno } from './durable-write';
import { makeFolder } from './make-folder';

const LOCK = 'rowgraph.lock';
/** Timeout for the owner of a lock to write its identity into the file. */
const NAMING_MS = 2_000;
const RETRY_EVERY_MS = 10;

/**
 * Locks a data folder for this process, with a kernel lock on a file in it (ADR 45): one of several concurrent starts
 * acquires it, and a killed process releases it. The content of the file, `<pid> <host> <start time>`, is for the error
 * of the others. A folder that it created and that is still empty is removed at the release.
 */
export const lockDataFolder = async (
  directory: string,
): Promise<Either<StartFailure, { readonly release: () => void }>> => {
  const path = join(directory, LOCK);
  const deadline = performance.now() + NAMING_MS;
  let made: string | undefined;
  try {
    for (;;) {
      const isLate = performance.now() > deadline;
      made = makeIfPossible(directory, isLate) ?? made;
      const descriptor = openIfExists(path);
      if (typeof descriptor === 'number') {
        ftruncateSync(descriptor);
        writeSync(descriptor, ownerText(process.pid) ?? '', 0);
        return right({ release: () => release(directory, descriptor, made) });
      }
      const owner = descriptor === 'held' ? readOwner(path) : null;
      if (owner?.isRunningHere === true || isLate) {
        const who = owner === null ? 'process unknown' : `process ${owner.pid} on ${owner.host}`;
        return left({
          message: `${directory} is in use by a running rowgraph (${who}). Stop that one first, or set ROWGRAPH_DATA_DIR to another folder.`,
        });
      }
      await sleep(RETRY_EVERY_MS);
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return left({ message: `The data folder ${directory} cannot be used: ${reason}. Set ROWGRAPH_DATA_DIR.` });
  }
};

/** Another start may remove the folders above at the same time, so a missing one counts only when it is late. */
const makeIfPossible = (directory: string, isLate: boolean): string | undefined => {
  try {
    return makeFolder(directory, 0o711);
  } catch (error) {
    if (isLate || !isErrno(error, 'ENOENT')) throw error;
    return undefined;
  }
};

/** The descriptor of the lock; `held` by another process; `absent` if the folder was just removed. */
const openIfExists = (path: string): number | 'held' | 'absent' => {
  try {
    return openLocked(path) ?? 'held';
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return 'absent';
    throw error;
  }
};

/** Called while the lock is held, so that no other process can use the file or the folder. */
const release = (directory: string, descriptor: number, made: string | undefined): void => {
  ftruncateSync(descriptor);
  if (made !== undefined && readdirSync(directory).every((name) => name === LOCK)) {
    rmSync(join(directory, LOCK), { force: true });
    removeIfEmpty(directory, made);
  }
  closeSync(descriptor);
};

/** Removes a folder and its parents up to `outermost`, unless they contain files. */
const removeIfEmpty = (directory: string, outermost: string): void => {
  try {
    rmdirSync(directory);
  } catch (error) {
    if (isErrno(error, 'ENOTEMPTY', 'EEXIST', 'ENOENT')) return;
    throw error;
  }
  if (directory !== outermost) removeIfEmpty(dirname(directory), outermost);
};

/** `<pid> <host> <start time>` of a process on this machine; null if it does not run. */
const ownerText = (pid: number): string | null => {
  const identity = processIdentity(pid);
  return identity && `${pid} ${hostname()} ${identity.startTime}`;
};

/** The process named in a lock file, possibly an earlier owner; null without an entry. */
const readOwner = (
  path: string,
): { readonly pid: number; readonly host: string; readonly isRunningHere: boolean } | null => {
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const [, pid, host] = /^(\d+) (\S+) /.exec(text) ?? [];
  if (pid === undefined || host === undefined) return null;
  return { pid: Number(pid), host, isRunningHere: ownerText(Number(pid)) === text };
};

/** The secret that signs service tokens: created at the first start, readable by the owner only. */
export const internalSecret = (directory: string): string => {
  const file = join(directory, 'internal-secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
};

const { O_CREAT, O_RDWR } = constants;
/** Exit code of flock(1) when another process has the lock. */
const HELD = 1;

/**
 * Opens a file, creating it if missing, and locks it (`flock`) for this process; null if it is already locked. The
 * kernel releases the lock when the descriptor is closed or the process ends, even by a kill. Throws if the file or its
 * file system cannot be used. Removing the file requires its lock.
 */
const openLocked = (path: string): number | null => {
  for (;;) {
    const descriptor = tryLock(path);
    if (descriptor === null) return null;
    if (isSameFile(path, descriptor)) return descriptor;
    // Its last owner removed it between open and lock; another file exists now, or will be created.
    closeSync(descriptor);
  }
};

/**
 * Node.js does not offer flock, but the lock belongs to the open file, and remains after the child that acquired it has
 * exited.
 */
const tryLock = (path: string): number | null => {
  const descriptor = openSync(path, O_RDWR | O_CREAT, 0o644);
  const { status, stderr, error } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
  });
  if (status === 0) return descriptor;
  closeSync(descriptor);
  if (status === HELD) return null;
  const reason =
    error === undefined ? stderr.trim() : `the program flock (of util-linux or BusyBox) does not run: ${error.message}`;
  throw new Error(`${path} could not be locked: ${reason}`);
};

const isSameFile = (path: string, descriptor: number): boolean => {
  try {
    const [named, opened] = [statSync(path, { bigint: true }), fstatSync(descriptor, { bigint: true })];
    return named.ino === opened.ino && named.dev === opened.dev;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
};
