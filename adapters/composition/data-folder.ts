import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import { processIdentity } from '../system/process-table';
import { type StartFailure } from './startup';

/**
 * Takes a data folder for this process alone. The lock names the process and when it started, so that one left behind
 * by a killed process, or a recycled pid, is not mistaken for a running system.
 */
export const lockDataFolder = (directory: string): Either<StartFailure, { readonly release: () => void }> => {
  const lock = join(directory, 'rowgraph.lock');
  try {
    mkdirSync(directory, { recursive: true, mode: 0o711 });
    for (let attempt = 0; attempt < 3; attempt++) {
      try {
        writeFileSync(lock, identityOf(process.pid) ?? '', { flag: 'wx', mode: 0o644 });
        return right({ release: () => rmSync(lock, { force: true }) });
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
