import { spawn, spawnSync } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';

const CALLS = 'open,openat,openat2,creat,connect,unlink,unlinkat,rename,renameat,renameat2,mkdir,mkdirat,execve';

/** Whether this machine permits tracing the system calls of a process. */
export const canWatchSystemCalls = (): boolean =>
  spawnSync('strace', ['-o', '/dev/null', '-e', 'trace=none', 'true']).status === 0;

/** Records what a process opens, connects to, creates and removes to a file until it is stopped; returns the lines. */
export const watchSystemCalls = async (pid: number, file: string): Promise<() => Promise<readonly string[]>> => {
  const watcher = spawn('strace', ['-f', '-e', `trace=${CALLS}`, '-o', file, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => watcher.on('exit', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    watcher.stderr.once('data', () => resolve());
    watcher.once('error', reject);
    watcher.once('exit', () => reject(new Error(`strace ended before it watched process ${pid}.`)));
  });
  return async () => {
    watcher.kill('SIGINT');
    await ended;
    const text = await readFile(file, 'utf8');
    await rm(file);
    return text.split('\n').filter((line) => /^\d+ +\w+\(/.test(line));
  };
};
