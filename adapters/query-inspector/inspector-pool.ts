import { left } from 'fp-ts/Either';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { InspectorProcess, type InspectorProcessOptions } from './inspector-process';
import { type InspectorAnswer, type InspectorCallName } from './inspector-protocol';

export interface InspectorPoolOptions extends Omit<InspectorProcessOptions, 'leftOut'> {
  /** Number of concurrent calls; each runs in its own process. */
  readonly processes: number;
  /** Timeout of a call. */
  readonly limitMs: Readonly<Record<InspectorCallName, number>>;
  /** A call that cannot start within this time fails as `unavailable`. */
  readonly waitMs: number;
  /** Called with all files that are left out whenever they change. */
  readonly onLeftOut?: (paths: readonly string[]) => void;
}

/**
 * The control plane's query engine, in separate processes. Planning a query can take minutes and gigabytes (constants
 * are computed without interruption), and must not block the API or other callers: each call has its own process, which
 * is killed on timeout.
 */
export const createInspectorPool = (options: InspectorPoolOptions): EngineInspector & { close(): Promise<void> } => {
  const leftOut = leftOutFiles(options.onLeftOut);
  const all = Array.from({ length: options.processes }, () => new InspectorProcess({ ...options, leftOut }));
  const free = [...all];
  const waiting: ((process: InspectorProcess | null) => void)[] = [];

  const acquire = (): Promise<InspectorProcess | null> => {
    const process = free.shift();
    if (process !== undefined) return Promise.resolve(process);
    return new Promise((resolve) => {
      const timeOut = (): void => {
        waiting.splice(waiting.indexOf(settle), 1);
        resolve(null);
      };
      const timer = setTimeout(timeOut, options.waitMs);
      const settle = (given: InspectorProcess | null): void => {
        clearTimeout(timer);
        resolve(given);
      };
      waiting.push(settle);
    });
  };
  const release = (process: InspectorProcess): void => {
    const next = waiting.shift();
    // The last used process is first, so that an idle system keeps only one.
    if (next === undefined) free.unshift(process);
    else next(process);
  };

  const call = async <N extends InspectorCallName>(
    name: N,
    ...parameters: Parameters<EngineInspector[N]>
  ): Promise<InspectorAnswer<N>> => {
    const process = await acquire();
    if (process === null) {
      const message = `the query engine is busy: ${options.processes} calls took longer than ${options.waitMs / 1000} s`;
      return left({ kind: 'unavailable', message } as const) as InspectorAnswer<N>;
    }
    try {
      return await process.call(name, parameters, options.limitMs[name]);
    } finally {
      release(process);
    }
  };

  return {
    describe: (sql, catalog) => call('describe', sql, catalog ?? null),
    tablesOf: (sql) => call('tablesOf', sql),
    ping: () => call('ping'),
    refresh: () => {
      // Files may have been corrected.
      leftOut.clear();
      return call('refresh');
    },
    listCatalogs: () => call('listCatalogs'),
    listSchemas: (catalog) => call('listSchemas', catalog),
    listTables: (catalog, schema, after) => call('listTables', catalog, schema, after),
    sampleRows: (path, limit, user) => call('sampleRows', path, limit, user),
    close: async () => {
      for (const settle of waiting.splice(0)) settle(null);
      await Promise.all(all.map((process) => process.close()));
    },
  };
};

const leftOutFiles = (onChange: InspectorPoolOptions['onLeftOut']) => {
  let paths: readonly string[] = [];
  const set = (changed: readonly string[]): void => {
    paths = changed;
    onChange?.(paths);
  };
  return { list: () => paths, add: (path: string) => set([...paths, path]), clear: () => set([]) };
};
