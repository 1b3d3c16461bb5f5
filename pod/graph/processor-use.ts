import { processorMs } from '../../adapters/system/process-table';

/** Measures the cores that processes use. */
export class ProcessorUse {
  /** The start of this process. */
  private lastAt = 0;
  private last: ReadonlyMap<number, number> = new Map();

  /** Cores in use since the last call, on average; null where the system does not report them. */
  take(pids: readonly number[]): number | null {
    const passed = performance.now() - this.lastAt;
    const now = new Map<number, number>();
    for (const pid of pids) {
      const ms = processorMs(pid);
      if (ms !== null) now.set(pid, ms);
    }
    const used = [...now].reduce((sum, [pid, ms]) => sum + ms - (this.last.get(pid) ?? 0), 0);
    this.lastAt += passed;
    this.last = now;
    return now.size === 0 ? null : Math.round((used / passed) * 100) / 100;
  }
}
