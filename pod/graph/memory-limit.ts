import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PodSettings } from '../../adapters/contracts/graph-pod/settings';

/** The memory limit of the pod as its control group, or whatever runs it, states it now. */
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

  /** Whether the kernel has killed a process of the pod for its memory since the start (`oom_kill` in `memory.events`). */
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
