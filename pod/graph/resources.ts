import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type PodSettings } from '../../adapters/contracts/graph-pod/settings';
import { processorMs } from '../../adapters/system/process-table';

/** The current limits of the pod, from the files of its control group or of its runtime. */
export class PodLimits {
  private readonly killsAtStart: number;
  private readonly limitAtStart: number | null;

  constructor(private readonly settings: Pick<PodSettings, 'memoryBytes' | 'memoryFile' | 'cpuCores'>) {
    this.killsAtStart = this.kills();
    this.limitAtStart = this.processorLimit();
  }

  /** Bytes of memory; those at the start while the file cannot be read or states none (`max`). */
  bytes(): number {
    const bytes = Number(this.read('memory.max').trim() || NaN);
    return Number.isFinite(bytes) ? bytes : this.settings.memoryBytes;
  }

  /** The cores at the start, times what `cpu.max` has changed since: that limit may be a multiple of the cores. */
  cores(): number {
    const limit = this.processorLimit();
    const { cpuCores } = this.settings;
    return limit === null || this.limitAtStart === null ? cpuCores : (cpuCores * limit) / this.limitAtStart;
  }

  /**
   * Whether the kernel has killed a process of the pod for its memory since the start (`oom_kill` in `memory.events`).
   */
  hasKilled(): boolean {
    return this.kills() > this.killsAtStart;
  }

  private kills(): number {
    return Number(/^oom_kill (\d+)$/m.exec(this.read('memory.events'))?.[1] ?? 0);
  }

  /** A share of the processors; null without a limit. */
  private processorLimit(): number | null {
    const [, quota, period] = /^(\d+) (\d+)/.exec(this.read('cpu.max')) ?? [];
    return quota === undefined ? null : Number(quota) / Number(period);
  }

  private read(name: 'memory.max' | 'memory.events' | 'cpu.max'): string {
    const { memoryFile } = this.settings;
    if (memoryFile === null) return '';
    try {
      return readFileSync(name === 'memory.max' ? memoryFile : join(dirname(memoryFile), name), 'utf8');
    } catch {
      return '';
    }
  }
}

/** Bytes of all files below a folder, without following links; files deleted meanwhile do not count. */
export const diskBytes = async (directory: string): Promise<number> => {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(({ parentPath, name }) =>
      stat(join(parentPath, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
};

/** Measures the cores that processes use. */
export class ProcessorUse {
  /** The start of this process. */
  private lastAt = 0;
  private last: ReadonlyMap<number, number> = new Map();

  /** Average cores in use since the last call; null if the system does not report them. */
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
