import { proportionalBytes, residentBytes } from '../../../adapters/system/process-table';
import { type EngineProcess } from './engine-process';
import { type EngineOptions, type PodResources } from './graph-engine';
import { type RunningQuery } from './supervised-query';

const SAMPLE_EVERY_MS = 25;
/** Sampling continues for a second after the last query, so that its memory is not counted for the next one. */
const SAMPLES_AT_REST = 40;
/** Share of the pod's memory above which queries use too much. */
const TOO_MUCH = 0.75;
/** Share of the pod's memory that queries may always use, whatever the graph needs. */
const ALWAYS_ALLOWED = 0.1;

/**
 * Memory limit of a pod while queries run; `restBytes` is its memory without them. With a very large graph, queries may
 * use half of the remaining memory.
 */
export const mostBytesOf = (limitBytes: number, restBytes: number): number =>
  Math.max(TOO_MUCH * limitBytes, restBytes + Math.min(ALWAYS_ALLOWED * limitBytes, (limitBytes - restBytes) / 2));

/** The resources of an engine without other processes in its pod. */
export const ofEngineAlone = ({
  memoryBytes,
  cpuCores,
}: Pick<EngineOptions, 'memoryBytes' | 'cpuCores'>): PodResources => ({
  limitBytes: () => memoryBytes,
  cores: () => cpuCores,
  processIds: () => [],
});

/**
 * Ends the engine's process before queries use all memory of the pod: engines do not limit the whole memory of a query,
 * and the operating system would kill the whole pod.
 */
export class MemoryWatchdog {
  /** Growth of the engine in bytes while each query ran, divided among concurrent queries. */
  private readonly grownBytes = new Map<RunningQuery, number>();
  private engine: EngineProcess | null = null;
  /** The engine's memory before its first query. */
  private restBytes = 0;
  private lastBytes = 0;
  /** Pages shared by several processes are counted in each of them. */
  private sharedBytes = 0;
  private samplesAtRest = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly memory: PodResources) {}

  /** Watches a query until the returned function is called. */
  watch(query: RunningQuery): () => void {
    if (query.process !== this.engine) this.beginWith(query.process);
    if (this.timer === undefined) {
      this.lastBytes = residentBytes([query.process.pid]);
      this.timer = setInterval(() => this.sample(), SAMPLE_EVERY_MS).unref();
    }
    this.grownBytes.set(query, 0);
    return () => this.grownBytes.delete(query);
  }

  private beginWith(engine: EngineProcess): void {
    this.engine = engine;
    this.restBytes = residentBytes([engine.pid]);
    this.lastBytes = this.restBytes;
    const processIds = [engine.pid, ...this.memory.processIds()];
    const bytes = residentBytes(processIds);
    void proportionalBytes(processIds).then((proportional) => (this.sharedBytes = Math.max(0, bytes - proportional)));
  }

  private sample(): void {
    this.samplesAtRest = this.grownBytes.size === 0 ? this.samplesAtRest + 1 : 0;
    if (this.samplesAtRest >= SAMPLES_AT_REST) {
      clearInterval(this.timer);
      this.timer = undefined;
    }
    const { engine, memory } = this;
    if (engine === null) return;
    const engineBytes = residentBytes([engine.pid]);
    const otherBytes = residentBytes(memory.processIds()) - this.sharedBytes;
    const share = Math.max(0, engineBytes - this.lastBytes) / this.grownBytes.size;
    this.lastBytes = engineBytes;
    for (const [query, bytes] of this.grownBytes) this.grownBytes.set(query, bytes + share);
    if (engineBytes + otherBytes > mostBytesOf(memory.limitBytes(), this.restBytes + otherBytes)) this.end(engine);
  }

  /**
   * The last one of the queries with the largest growth of the engine is considered faulty: those before it ran for a
   * while without it. If all together used little, no query is: the memory is then left from earlier queries.
   */
  private end(engine: EngineProcess): void {
    this.engine = null;
    const queries = [...this.grownBytes].filter(([query]) => query.process === engine);
    const total = queries.reduce((sum, [, bytes]) => sum + bytes, 0);
    const most = Math.max(...queries.map(([, bytes]) => bytes));
    const culprit = queries.findLast(([, bytes]) => bytes >= most / 2)?.[0];
    if (culprit === undefined || total < ALWAYS_ALLOWED * this.memory.limitBytes()) engine.kill();
    else culprit.endProcess({ kind: 'memory' });
  }
}
