import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly groupPid: number;
}

const KILL_TIMEOUT_MS = 10_000;

/** The running processes of this machine, without zombies. Costs about 30 µs per process. */
export const readProcessTable = (): readonly ProcessEntry[] =>
  readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readText(`/proc/${name}/stat`) : null;
    // `pid (name) state ppid pgid …`; the name may contain anything, also parentheses.
    const [state, parent, group] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ', 3) ?? [];
    return state === undefined || /^[ZX]/.test(state)
      ? []
      : [{ pid: Number(name), parentPid: Number(parent), groupPid: Number(group) }];
  });

/** A leader with its process group and all their descendants. */
export const treeOf = (table: readonly ProcessEntry[], leader: number): readonly ProcessEntry[] => {
  let tree = table.filter(({ pid, groupPid }) => pid === leader || groupPid === leader);
  for (let known = 0; known !== tree.length;) {
    known = tree.length;
    const pids = new Set(tree.map(({ pid }) => pid));
    tree = table.filter(({ pid, parentPid }) => pids.has(pid) || pids.has(parentPid));
  }
  return tree;
};

/** Resident memory of these processes; shared pages count for each process, so the result is never too low. Cheap. */
export const residentBytes = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + kibIn(readText(`/proc/${pid}/status`) ?? '', /^VmRSS:\s+(\d+) kB/m), 0);

/** The same with shared pages counted once in all. Takes some 30 ms per gigabyte. */
export const proportionalBytes = async (pids: readonly number[]): Promise<number> => {
  const sizes = await Promise.all(
    pids.map(async (pid) => {
      const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      return kibIn(rollup, /^Pss:\s+(\d+) kB/m) || residentBytes([pid]);
    }),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
};

/** Processor time of a process itself in ms; null when it has ended. */
export const processorMs = (pid: number): number | null => {
  const stat = readText(`/proc/${pid}/stat`);
  // After the name come the state, field 3, and in hundredths of a second user and system time, fields 14 and 15.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * 10;
};

/**
 * Identifies a process beyond its number, which may be reused: its start time and its command line, which is briefly
 * empty during an exec. Null when the process does not exist.
 */
export const processIdentity = (pid: number): { readonly startTime: string; readonly command: string } | null => {
  const stat = readText(`/proc/${pid}/stat`);
  const command = readText(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ') ?? '';
  if (stat === null) return null;
  const ticksSinceBoot = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  const boot = readText('/proc/sys/kernel/random/boot_id')?.trim() ?? '';
  return { startTime: `${boot} ${ticksSinceBoot}`, command };
};

/**
 * Kills a process, its group and its descendants, and resolves when all have ended. False when one did not end in time
 * because it is stuck in the kernel.
 */
export const killTree = async (leader: number): Promise<boolean> => {
  const deadline = Date.now() + KILL_TIMEOUT_MS;
  for (;;) {
    const tree = treeOf(readProcessTable(), leader);
    if (tree.length === 0) return true;
    if (Date.now() > deadline) return false;
    for (const { pid } of tree) kill(pid);
    await sleep(5);
  }
};

const kill = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It ended meanwhile; the process table decides whether it is running.
  }
};

const kibIn = (text: string, line: RegExp): number => Number(line.exec(text)?.[1] ?? 0) * 1024;

/** Null when the process has ended meanwhile. */
const readText = (path: string): string | null => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
};
