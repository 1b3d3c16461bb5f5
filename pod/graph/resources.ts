import { readFileSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type PodSettings } from '../../adapters/contracts/graph-pod/settings';
import { processorMs } from '../../adapters/system/process-table';

/** The current memory limit of the pod, from its control group or its runtime. */
export class MemoryLimit {
  private readonly killsAtStart: number;

  constructor(private readonly settings: Pick<PodSettings, 'memoryBytes' | 'memoryFile'>) {
    this.killsAtStart = this.kills();
  }

  /** The number in the file; the limit at the start while the file cannot be read or states none (`max`). */
  bytes(): number {
    const bytes = Number(this.read('memory.max').trim() || NaN);
    return Number.isFinite(bytes) ? bytes : this.settings.memoryBytes;
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

  private read(name: 'memory.max' | 'memory.events'): string {
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
