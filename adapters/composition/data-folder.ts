import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import { processIdentity } from '../system/process-table';
import { type StartFailure } from './startup';

/**
 * Takes a data folder for this process alone. The lock names the process and when it started, so that one left behind
 * by a killed process, or a recycled pid, is not mistaken for a running system. A folder that it made, and in which
 * nothing has come to be, is gone after the release.
 */
export const lockDataFolder = (directory: string): Either<StartFailure, { readonly release: () => void }> => {
  const lock = join(directory, 'rowgraph.lock');
  try {
    const made = mkdirSync(directory, { recursive: true, mode: 0o711 });
    const release = (): void => {
      rmSync(lock, { force: true });
      if (made !== undefined) removeIfEmpty(directory, made);
    };
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        writeFileSync(lock, identityOf(process.pid) ?? '', { flag: 'wx', mode: 0o644 });
        return right({ release });
      } catch (error) {
        if (!isExisting(error)) throw error;
        const owner = readFileSync(lock, 'utf8');
        const pid = Number(owner.split(' ')[0]);
        if (pid > 0 && identityOf(pid) === owner) {
          return left({
            message: `${directory} is in use by a running rowgraph (process ${pid}). Stop that one first, or set ROWGRAPH_DATA_DIR to another folder.`,
          });
        }
        rmSync(lock, { force: true });
      }
    }
    return left({ message: `${lock} could not be taken; another rowgraph is starting at this moment.` });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return left({ message: `The data folder ${directory} cannot be used: ${reason}. Set ROWGRAPH_DATA_DIR.` });
  }
};

/** Removes a folder and those around it up to `outermost`, unless something is in them. */
const removeIfEmpty = (directory: string, outermost: string): void => {
  if (readdirSync(directory).length > 0) return;
  rmdirSync(directory);
  if (directory !== outermost) removeIfEmpty(dirname(directory), outermost);
};

/** `<pid> <start time>` of a running process; null for one that does not run. */
const identityOf = (pid: number): string | null => {
  const identity = processIdentity(pid);
  return identity && `${pid} ${identity.startTime}`;
};

/** The secret service tokens are signed with: made at the first start, readable by the owner only. */
export const internalSecret = (directory: string): string => {
  const file = join(directory, 'internal-secret');
  if (!existsSync(file)) writeFileSync(file, randomBytes(32).toString('hex'), { mode: 0o600, flag: 'wx' });
  return readFileSync(file, 'utf8').trim();
};

const isExisting = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'EEXIST';
