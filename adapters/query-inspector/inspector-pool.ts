import { left } from 'fp-ts/Either';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { type InspectorAnswer, type InspectorCallName } from './inspector-protocol';
import { InspectorProcess, type InspectorProcessOptions } from './inspector-process';

export interface InspectorPoolOptions extends InspectorProcessOptions {
  /** So many calls run at once, each in a process of its own. */
  readonly processes: number;
  /** Longest time for one call. */
  readonly limitMs: Readonly<Record<InspectorCallName, number>>;
  /** A call that could not begin within this time is refused as `unavailable`. */
  readonly waitMs: number;
}

/**
 * The query engine that the control plane calls, in separate processes. Planning a query can take minutes and
 * gigabytes (constants are computed, and nothing interrupts it), and it must stop neither the API nor other callers: a
 * call has a process to itself, which is killed when it takes too long.
 */
export const createInspectorPool = (options: InspectorPoolOptions): EngineInspector & { close(): Promise<void> } => {
  const all = Array.from({ length: options.processes }, () => new InspectorProcess(options));
  const free = [...all];
  const waiting: ((process: InspectorProcess | null) => void)[] = [];

  const take = (): Promise<InspectorProcess | null> => {
    const process = free.shift();
    if (process !== undefined) return Promise.resolve(process);
    return new Promise((resolve) => {
      const giveUp = (): void => {
        waiting.splice(waiting.indexOf(settle), 1);
        resolve(null);
      };
      const timer = setTimeout(giveUp, options.waitMs);
      const settle = (given: InspectorProcess | null): void => {
        clearTimeout(timer);
        resolve(given);
      };
      waiting.push(settle);
    });
  };
  const giveBack = (process: InspectorProcess): void => {
    const next = waiting.shift();
    // The one used last first, so that a quiet system keeps one process only.
    if (next === undefined) free.unshift(process);
    else next(process);
  };

  const call = async <N extends InspectorCallName>(
    name: N,
    ...parameters: Parameters<EngineInspector[N]>
  ): Promise<InspectorAnswer<N>> => {
    const process = await take();
    if (process === null) {
      const message = `the query engine is busy: ${options.processes} calls took longer than ${options.waitMs / 1000} s`;
      return left({ kind: 'unavailable', message } as const) as InspectorAnswer<N>;
    }
    try {
      return await process.call(name, parameters, options.limitMs[name]);
    } finally {
      giveBack(process);
    }
  };

  return {
    describe: (sql, catalog) => call('describe', sql, catalog ?? null),
    tablesOf: (sql) => call('tablesOf', sql),
    ping: () => call('ping'),
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
