import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, left, right } from 'fp-ts/Either';
import { processIdentity } from '../system/process-table';

const FAST_SHUTDOWN_MS = 15_000;
const IMMEDIATE_SHUTDOWN_MS = 5_000;
const OWNER = /rowgraph-owner-(\d+)/;

/** The cluster name of a server. Later starts read the owner of a running server from it. */
export const clusterNameOf = (ownerPid: number): string => `rowgraph-owner-${ownerPid}`;

/**
 * Ends a server that an earlier process left in this cluster. A server whose owner is running is not touched and
 * reported: two programs must not share a data folder.
 */
export const stopLeftover = async (
  clusterDirectory: string,
): Promise<Either<{ readonly message: string }, 'none' | 'stopped'>> => {
  const pidFile = join(clusterDirectory, 'postmaster.pid');
  const pid = Number((await readFile(pidFile, 'utf8').catch(() => '')).split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return right('none');

  const command = commandLine(pid);
  if (!command.includes(clusterDirectory)) {
    // The number was reused, as it is in every container: PostgreSQL would take the stranger for a running server.
    await rm(pidFile, { force: true });
    return right('none');
  }
  const owner = OWNER.exec(command)?.[1];
  if (owner !== undefined && isAlive(Number(owner))) {
    return left({
      message:
        `The data folder ${clusterDirectory} is in use by process ${owner} (its PostgreSQL is process ${pid}). ` +
        'Stop that program first, or choose another ROWGRAPH_DATA_DIR.',
    });
  }
  if (await endsAfter('SIGINT', pid, FAST_SHUTDOWN_MS)) return right('stopped');
  if (await endsAfter('SIGQUIT', pid, IMMEDIATE_SHUTDOWN_MS)) return right('stopped');
  return left({
    message: `PostgreSQL process ${pid}, which an earlier run left in ${clusterDirectory}, does not stop. End it with kill -QUIT ${pid} and start again.`,
  });
};

const isAlive = (pid: number): boolean => processIdentity(pid) !== null;

/** Empty when the process is gone. */
const commandLine = (pid: number): string => processIdentity(pid)?.command ?? '';

const endsAfter = async (signal: NodeJS.Signals, pid: number, patienceMs: number): Promise<boolean> => {
  const deadline = Date.now() + patienceMs;
  if (isAlive(pid)) process.kill(pid, signal);
  while (commandLine(pid) !== '') {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
};
