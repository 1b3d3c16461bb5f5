import { proportionalBytes, readProcessTable, residentBytes, treeOf } from '../system/process-table';

interface Watched {
  readonly limitBytes: number;
  readonly onExceeded: (residentBytes: number) => void;
}

export interface MemoryWatchdog {
  /**
   * Calls back, once, when the tree of a program uses more resident memory than the limit. Address space is not
   * counted: a graph database maps terabytes. Returns how to stop watching.
   */
  watch(leader: number, limitBytes: number, onExceeded: (residentBytes: number) => void): () => void;
  /** Changes the limit of a program; ignored if it is not watched. */
  changeLimit(leader: number, limitBytes: number): void;
}

/** Samples all watched programs together; without control groups the operating system has no better limit. */
export const createMemoryWatchdog = (sampleEveryMs: number): MemoryWatchdog => {
  const watched = new Map<number, Watched>();
  let timer: NodeJS.Timeout | undefined;

  const sample = (): void => {
    const table = readProcessTable();
    for (const [leader, { limitBytes }] of watched) {
      const pids = treeOf(table, leader).map(({ pid }) => pid);
      if (residentBytes(pids) > limitBytes) void checkExactly(leader, pids);
    }
  };
  const checkExactly = async (leader: number, pids: readonly number[]): Promise<void> => {
    const bytes = await proportionalBytes(pids);
    const program = watched.get(leader);
    if (program === undefined || bytes <= program.limitBytes) return;
    unwatch(leader);
    program.onExceeded(bytes);
  };
  const unwatch = (leader: number): void => {
    watched.delete(leader);
    if (watched.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
  return {
    watch(leader, limitBytes, onExceeded) {
      watched.set(leader, { limitBytes, onExceeded });
      timer ??= setInterval(sample, sampleEveryMs).unref();
      return () => unwatch(leader);
    },
    changeLimit(leader, limitBytes) {
      const program = watched.get(leader);
      if (program !== undefined) watched.set(leader, { ...program, limitBytes });
    },
  };
};
