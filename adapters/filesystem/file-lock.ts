import { spawnSync } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { isErrno } from './durable-write';

const { O_CREAT, O_NONBLOCK, O_RDWR } = constants;
/** Of open(2) on macOS and BSD, where it locks as flock(2) does; Linux knows no such flag. */
const O_EXLOCK = 0x20;
/** What flock(1) ends with when another process has the lock. */
const HELD = 1;

/**
 * Opens a file, made if need be, and locks it (`flock`) for this process alone; null if it is already locked. The
 * lock is the kernel's: it ends when the descriptor is closed, or with the process, however that ends. Throws when the
 * file or its file system cannot be used. Who removes the file has to hold its lock.
 */
export const openLocked = (path: string): number | null => {
  for (;;) {
    const descriptor = process.platform === 'linux' ? openThenLock(path) : openWithLock(path);
    if (descriptor === null) return null;
    if (isStillAt(path, descriptor)) return descriptor;
    // Its last owner removed it between our opening and our locking; another one is there now, or will be.
    closeSync(descriptor);
  }
};

const openWithLock = (path: string): number | null => {
  try {
    return openSync(path, O_RDWR | O_CREAT | O_NONBLOCK | O_EXLOCK, 0o644);
  } catch (error) {
    if (isErrno(error, 'EAGAIN')) return null;
    throw error;
  }
};

/** Node.js has no call for it, but the lock belongs to the opened file, and stays when a child that locked it has ended. */
const openThenLock = (path: string): number | null => {
  const descriptor = openSync(path, O_RDWR | O_CREAT, 0o644);
  const { status, stderr, error } = spawnSync('flock', ['-n', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
    encoding: 'utf8',
  });
  if (status === 0) return descriptor;
  closeSync(descriptor);
  if (status === HELD) return null;
  const why =
    error === undefined ? stderr.trim() : `the program flock (of util-linux or BusyBox) does not run: ${error.message}`;
  throw new Error(`${path} could not be locked: ${why}`);
};

const isStillAt = (path: string, descriptor: number): boolean => {
  try {
    const [named, opened] = [statSync(path, { bigint: true }), fstatSync(descriptor, { bigint: true })];
    return named.ino === opened.ino && named.dev === opened.dev;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
};
