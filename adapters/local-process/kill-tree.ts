import { setTimeout as sleep } from 'node:timers/promises';
import { readProcessTable, treeOf } from './process-table';

const PATIENCE_MS = 10_000;

/**
 * Kills a process, its group and its descendants, and resolves when none of them lives any more. False when one did
 * not end in time, which only a process stuck in the kernel does.
 */
export const killTree = async (leader: number): Promise<boolean> => {
  const deadline = Date.now() + PATIENCE_MS;
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
    // It ended by itself meanwhile; whether it lives is read from the process table.
  }
};
