import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export type Part = 'control plane' | 'export worker' | 'pod' | 'engine' | 'postgres';

export interface SystemProcess {
  readonly pid: number;
  readonly command: string;
  /** Null for shells that watch a part, children of PostgreSQL and the like. */
  readonly part: Part | null;
}

/**
 * Every living process of the system in a folder, whatever its current parent: its command line, its environment or its
 * working directory names the folder.
 */
export const processesOf = (folder: string): readonly SystemProcess[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      const words = read(`/proc/${name}/cmdline`).split('\0');
      // Zombies have no command line.
      if (words[0] === undefined || words[0] === '') return [];
      const isOurs =
        words.some((word) => word.includes(folder)) ||
        link(`/proc/${name}/cwd`).startsWith(folder) ||
        read(`/proc/${name}/environ`).includes(folder);
      return isOurs ? [{ pid: Number(name), command: words.join(' ').trim(), part: partOf(words) }] : [];
    });

const PROGRAMS: readonly (readonly [string, Part])[] = [
  ['start/start.js', 'control plane'],
  ['export-worker/main.js', 'export worker'],
  ['pod/graph/main.js', 'pod'],
];

const partOf = ([program = '', ...args]: readonly string[]): Part | null => {
  if (program.endsWith('/postgres') && args.includes('-D')) return 'postgres';
  // FalkorDB's server; the shell that watches it also names it, but is not an engine.
  if (/\/redis-server( |$)/.test(program)) return 'engine';
  if (!/(^|\/)node$/.test(program)) return null;
  return PROGRAMS.find(([file]) => args[0]?.endsWith(file) === true)?.[1] ?? null;
};

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // The process has already ended.
    return '';
  }
};

const link = (path: string): string => {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
};

/** `kill -9` of every process that belongs to the system in a folder. */
export const killProcessesOf = (folder: string): void =>
  signalTo(
    processesOf(folder).map(({ pid }) => pid),
    'SIGKILL',
  );

/** Sends a signal to processes; those that have just ended are ignored. */
export const signalTo = (pids: readonly number[], signal: NodeJS.Signals): void => {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};
