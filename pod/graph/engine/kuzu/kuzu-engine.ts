import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type EngineFailure } from '../engine-failure';
import { type GraphEngine, type GraphQuery, type QueryFailure } from '../graph-engine';
import { withNodeProperty, type GraphSchema } from '../graph-schema';
import { analyseQuery } from '../query/analyse-query';
import { createQueryCache } from '../query/query-cache';
import { createSlots } from '../slots';
import { startEngineProcess, type CallFailure, type EngineProcess } from './engine-process';
import { type DatabaseOptions } from './kuzu-database';
import { type EngineCallName, type EngineCalls } from './protocol';
import { VOCABULARY } from './vocabulary';

export interface KuzuOptions {
  /** Folder the database lives in. What is there from an earlier run is thrown away. */
  readonly directory: string;
  readonly memoryBytes: number;
  readonly cpuCores: number;
  /** The engine's process ended by itself and is being restarted, or cannot be any more. */
  readonly onCrash: (event: { readonly how: string; readonly recovered: boolean }) => void;
}

export const MAX_QUERIES_AT_ONCE = 8;
/** Not every part of a query notices its timeout. One that outlives it by so much ends with the engine's process. */
const STUCK_AFTER_MS = 5_000;
const SMALLEST_POOL_BYTES = 64 * 1024 * 1024;

/** Kind A: the embedded engine in a child process, restarted from its files after a crash. */
export const createKuzuEngine = ({ directory, memoryBytes, cpuCores, onCrash }: KuzuOptions): GraphEngine => {
  const options: DatabaseOptions = {
    path: join(directory, 'graph.kuzu'),
    bufferPoolBytes: Math.max(SMALLEST_POOL_BYTES, Math.floor(memoryBytes / 2)),
    threads: Math.max(1, Math.floor(cpuCores)),
    connections: MAX_QUERIES_AT_ONCE,
  };
  const slots = createSlots(MAX_QUERIES_AT_ONCE);
  let schema: GraphSchema | null = null;
  let loaded = false;
  let closing = false;
  let current: EngineProcess | null = null;
  /** The process to talk to; pending while one is being restarted. */
  let ready: Promise<Either<EngineFailure, EngineProcess>> = Promise.resolve(
    left({ kind: 'rejected', reason: 'The engine has not been started.' }),
  );

  const launch = async (): Promise<Either<EngineFailure, EngineProcess>> => {
    const started = startEngineProcess();
    current = started;
    const opened = await started.call('open', options, schema);
    if (isLeft(opened)) {
      started.kill();
      return opened;
    }
    void started.ended.then((how) => recover(how));
    return right(started);
  };

  const recover = (how: string): void => {
    if (closing || !loaded) return;
    ready = launch();
    void ready.then((result) => onCrash({ how, recovered: !isLeft(result) }));
  };

  const call = async <N extends EngineCallName>(
    name: N,
    ...parameters: Parameters<EngineCalls[N]>
  ): Promise<Either<EngineFailure, ReturnType<EngineCalls[N]>>> => {
    const started = await ready;
    return isLeft(started) ? started : started.right.call(name, ...parameters);
  };

  const removeFiles = async (): Promise<void> => {
    for (const suffix of ['', '.wal', '.shadow', '.tmp']) {
      await rm(options.path + suffix, { recursive: true, force: true });
    }
  };

  return {
    kind: 'graphdb_a',
    analyse: createQueryCache((text) => analyseQuery(text, VOCABULARY)),
    procedures: null,
    // One NaN copied first into an edge column makes the whole column NaN, whatever is done about it afterwards.
    storesNaNOnEdges: false,
    storesZeroCharacters: true,
    start: async () => {
      if (current !== null) {
        const previous = current;
        loaded = false;
        previous.kill();
        await previous.ended;
      }
      await removeFiles();
      schema = null;
      ready = launch();
      const started = await ready;
      return isLeft(started) ? started : right(undefined);
    },
    createSchema: async (wanted) => {
      const created = await call('createSchema', wanted);
      if (!isLeft(created)) schema = wanted;
      return created;
    },
    load: (table, parquetFiles) => call('load', table, parquetFiles),
    finishLoading: async () => {
      const finished = await call('finishLoading');
      loaded = !isLeft(finished);
      return finished;
    },
    query: async (query) => {
      const slot = await slots.take(query.timeoutMs);
      if (slot === null) return left(timedOut(query));
      try {
        const started = await ready;
        if (isLeft(started)) return left(crashed(started.left));
        const remainingMs = Math.max(1, Math.floor(query.timeoutMs - slot.waitedMs));
        const stuckAtMs = performance.now() + remainingMs + STUCK_AFTER_MS;
        const watchdog = setTimeout(() => started.right.kill(), remainingMs + STUCK_AFTER_MS);
        const result = await started.right.call('query', { ...query, timeoutMs: remainingMs });
        clearTimeout(watchdog);
        if (isLeft(result)) return left(performance.now() >= stuckAtMs ? timedOut(query) : crashed(result.left));
        if (result.right.ok) return right(result.right.answer);
        const { failure } = result.right;
        return left(failure.kind === 'timeout' ? timedOut(query) : failure);
      } finally {
        slot.release();
      }
    },
    writeNodes: async (write) => {
      const written = await call('writeNodes', write);
      if (!isLeft(written) && schema !== null) schema = withNodeProperty(schema, write.label, write.property);
      return written;
    },
    processIds: () => (current === null ? [] : [current.pid]),
    close: async () => {
      closing = true;
      current?.kill();
      await current?.ended;
    },
  };
};

const timedOut = ({ timeoutMs }: GraphQuery): QueryFailure => ({ kind: 'timeout', timeoutMs });

const crashed = ({ reason }: Pick<CallFailure, 'reason'>): QueryFailure => ({
  kind: 'crashed',
  message: `The graph database ended under the query (${reason}) and is being restarted; other queries go on. Change the query before you send it again.`,
});
