import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupPid: number;
}

const PROC = process.platform === 'linux';

/** The processes that live on this machine; zombies are not among them. Costs about 30 µs per process. */
export const readProcessTable = (): readonly ProcessEntry[] => {
  if (!PROC) return ps('-A', ['pid', 'ppid', 'pgid', 'stat']).flatMap((line) => entryOf(line.trim().split(/\s+/)));
  return readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readText(`/proc/${name}/stat`) : null;
    // `pid (name) state ppid pgid …`; the name may contain anything, also parentheses.
    const [state, parent, group] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ', 3) ?? [];
    return entryOf([name, parent, group, state]);
  });
};

/** A leader with the rest of its process group and everything that descends from them. */
export const treeOf = (table: readonly ProcessEntry[], leader: number): readonly ProcessEntry[] => {
  let tree = table.filter(({ pid, groupPid }) => pid === leader || groupPid === leader);
  for (let known = 0; known !== tree.length;) {
    known = tree.length;
    const pids = new Set(tree.map(({ pid }) => pid));
    tree = table.filter(({ pid, parentPid }) => pids.has(pid) || pids.has(parentPid));
  }
  return tree;
};

/** Memory resident in these processes, pages they share counted once for each: never too low, and cheap. */
export const residentBytes = (pids: readonly number[]): number => {
  if (!PROC) return ps(`-p${pids.join(',')}`, ['rss']).reduce((sum, line) => sum + Number(line) * 1024, 0);
  return sumOfKib(pids, 'status', /^VmRSS:\s+(\d+) kB/m);
};

/** The same with shared pages counted once in all. Costs milliseconds per gigabyte; only Linux knows it. */
export const proportionalBytes = (pids: readonly number[]): number =>
  PROC ? sumOfKib(pids, 'smaps_rollup', /^Pss:\s+(\d+) kB/m) : residentBytes(pids);

/**
 * What tells a process from another one that got the same number later: its start time and its command line. Null
 * when there is no such process.
 */
export const processIdentity = (pid: number): { readonly startTime: string; readonly command: string } | null => {
  if (!PROC) {
    const [startTime, command] = [ps(`-p${pid}`, ['lstart'])[0], ps(`-p${pid}`, ['command'])[0]];
    return startTime === undefined || command === undefined ? null : { startTime, command };
  }
  const stat = readText(`/proc/${pid}/stat`);
  const command = readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? '';
  if (stat === null || command === '') return null;
  const ticksSinceBoot = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return { startTime: `${boot} ${ticksSinceBoot}`, command };
};

const entryOf = ([pid, parent, group, state]: readonly (string | undefined)[]): readonly ProcessEntry[] =>
  state === undefined || /^[ZX]/.test(state)
    ? []
    : [{ pid: Number(pid), parentPid: Number(parent), groupPid: Number(group) }];

const sumOfKib = (pids: readonly number[], file: string, line: RegExp): number =>
  pids.reduce((sum, pid) => sum + Number(line.exec(readText(`/proc/${pid}/${file}`) ?? '')?.[1] ?? 0) * 1024, 0);

/** Null when the process has ended meanwhile. */
const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};

/** One line per process; none when there is no such process, which `ps` answers with a failure. */
const ps = (selection: string, columns: readonly string[]): readonly string[] => {
  const format = columns.flatMap((column) => ['-o', `${column}=`]);
  try {
    const output = execFileSync('ps', ['-ww', selection, ...format], { encoding: 'utf8', stdio: 'pipe' });
    return output.split('\n').filter((line) => line.trim() !== '');
  } catch {
    return [];
  }
};
