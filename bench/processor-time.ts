import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readProcessTable, treeOf } from '../adapters/system/process-table';

/** Linux counts processor time in hundredths of a second on all platforms. */
const MS_PER_TICK = 10;

/** The PostgreSQL process of a bench, found by its database folder. */
export const postgresPidOf = (folder: string): number =>
  Number(readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);

/** Processor time in ms of a process and all its descendants, including ended ones. Linux only. */
export const processorMsOfTree = (leader: number): number =>
  treeOf(readProcessTable(), leader)
    .flatMap(({ pid }) => ticksOf(pid))
    .reduce((sum, ticks) => sum + ticks * MS_PER_TICK, 0);

/** Processor time in ms of all processes that this one has started and that have ended. Linux only. */
export const processorMsOfEnded = (): number =>
  ticksOf(process.pid)
    .slice(2)
    .reduce((sum, ticks) => sum + ticks * MS_PER_TICK, 0);

/** User and system time of a process, then of its ended children. Empty if the process has just ended. */
const ticksOf = (pid: number): readonly number[] => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain anything; the times are fields 14 to 17, the state after the name is field 3.
    return stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 15)
      .map(Number);
  } catch {
    return [];
  }
};
