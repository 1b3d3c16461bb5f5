import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { isErrno } from '../../../../adapters/filesystem/durable-write';
import { installedPrograms } from '../../../../adapters/contracts/graph-pod/platform';
import { openDuckdb, type DuckdbSession } from '../../duckdb/duckdb-session';
import { type EngineFailure } from '../engine-failure';
import {
  type GraphAnswer,
  type GraphEngine,
  type GraphQuery,
  type QueryFailure,
  type RowCounts,
} from '../graph-engine';
import { withNodeProperty, type GraphProperty, type GraphSchema } from '../graph-schema';
import { createSlots } from '../slots';
import { createGraphWriter, type GraphWriter } from './saved-graph/graph-writer';
import { indexKeys } from './key-indexes';
import { createNodeIds } from './saved-graph/node-ids';
import { runProcedure } from './procedures';
import { preparePrograms, type EnginePrograms } from './module/programs';
import { analyseFalkordbQuery } from './query-text';
import { MAX_ROWS, runQuery, type NodeIds } from './run-query';
import { runServer, type RunningServer } from './running-server';
import { openFeed, prepareFeed, type ServerFeed } from './saved-graph/server-feed';
import { SAVED_GRAPH, type ServerProcess } from './server-process';
import { UnknownNameError } from './value-encoder';
import { writeNodes } from './saved-graph/write-nodes';

export interface FalkordbOptions {
  /** Folder the server works in. What is there from an earlier run is thrown away. */
  readonly directory: string;
  /** Folder for programs made ready for this machine, shared by all pods. */
  readonly cacheDirectory: string;
  readonly memoryBytes: number;
  readonly cpuCores: number;
  /** The server ended by itself and is being restarted, or cannot be any more. */
  readonly onCrash: (event: { readonly how: string; readonly recovered: boolean }) => void;
}

const MAX_QUERIES_AT_ONCE = 8;
/** Not every procedure notices its timeout. A query that outlives it by so much ends with the server. */
const STUCK_AFTER_MS = 5_000;
/** Its connections close a moment before its end is told; who asks after a failure shall find the next server. */
const END_TOLD_WITHIN_MS = 1_000;

/** Kind B: the graph server in a process of its own, restarted from its saved graph after a crash. */
export const createFalkordbEngine = (options: FalkordbOptions): GraphEngine => {
  const { memoryBytes, cpuCores, onCrash } = options;
  const directory = join(options.directory, 'engine');
  const slots = createSlots(MAX_QUERIES_AT_ONCE);
  let schema: GraphSchema = { nodeTables: [], edgeTables: [] };
  let loading: Loading | null = null;
  let ids: NodeIds = createNodeIds(schema, []);
  let loaded = false;
  let closing = false;
  let programs: EnginePrograms | null = null;
  let current: ServerProcess | null = null;
  /** The server to talk to; pending while one is being started. */
  let ready: Promise<Either<EngineFailure, RunningServer>> = Promise.resolve(left(NOT_STARTED));

  const launch = async (found: EnginePrograms): Promise<Either<EngineFailure, RunningServer>> => {
    const started = await runServer({
      programs: found,
      directory,
      memoryBytes,
      cpuCores,
      queriesAtOnce: MAX_QUERIES_AT_ONCE,
      maxRows: MAX_ROWS + 1,
      onSpawn: (process) => (current = process),
    });
    if (isLeft(started)) return started;
    const indexed = await indexKeys(started.right, schema.nodeTables);
    if (isLeft(indexed)) {
      started.right.process.kill();
      return indexed;
    }
    void started.right.process.ended.then((how) => {
      if (closing || !loaded) return;
      ready = launch(found);
      void ready.then((result) => onCrash({ how, recovered: !isLeft(result) }));
    });
    return started;
  };

  const withServer = async <A>(
    action: (server: RunningServer) => Promise<Either<EngineFailure, A>>,
  ): Promise<Either<EngineFailure, A>> => {
    const server = await ready;
    return isLeft(server) ? server : action(server.right);
  };

  const endServer = async (): Promise<void> => {
    current?.kill();
    await current?.ended;
    loading?.feed.close();
  };

  /** Starts the server; it reads the graph while it is written. */
  const beginLoading = async (found: EnginePrograms, rows: RowCounts): Promise<Either<EngineFailure, void>> => {
    const path = join(directory, SAVED_GRAPH);
    await prepareFeed(path);
    let hasEnded = false;
    ready = launch(found);
    void ready.then(() => (hasEnded = true));
    const feed = await openFeed(path, () => hasEnded);
    if (feed === null) return withServer(() => Promise.resolve(right(undefined)));
    const session = await openDuckdb(loadLimits(options));
    loading = { session, feed, rows, writer: createGraphWriter(session, schema, rows, feed) };
    return right(undefined);
  };

  /** Why a step of loading failed: the end of the server explains more than that nobody reads any more. */
  const loadFailure = async (error: unknown): Promise<Either<EngineFailure, never>> => {
    const server = isErrno(error, 'EPIPE') ? await ready : null;
    if (server !== null && isLeft(server)) return server;
    return left({ kind: 'rejected', reason: error instanceof Error ? error.message : String(error) });
  };

  const query = async (server: RunningServer, wanted: GraphQuery): Promise<Either<QueryFailure, GraphAnswer>> => {
    const stuckAfterMs = wanted.timeoutMs + STUCK_AFTER_MS;
    const stuckAtMs = performance.now() + stuckAfterMs;
    const watchdog = setTimeout(() => server.process.kill(), stuckAfterMs);
    const ended = async (reason: string): Promise<Either<QueryFailure, never>> => {
      await Promise.race([server.process.ended, wait(END_TOLD_WITHIN_MS, undefined, { ref: false })]);
      return left(performance.now() >= stuckAtMs ? timedOut(wanted) : crashed(reason));
    };
    const attempt = () =>
      server.lend((connection) =>
        runQuery(connection, wanted, { schema, names: server.names(), ids, connect: server.process.connect }),
      );
    try {
      const answer = await attempt().catch(async (error: unknown) => {
        if (!(error instanceof UnknownNameError)) throw error;
        await server.refreshNames();
        return attempt();
      });
      if (!isLeft(answer)) return answer;
      if (answer.left.kind !== 'stopped') return left(answer.left);
      return await ended(answer.left.reason);
    } catch (error) {
      return await ended(error instanceof Error ? error.message : String(error));
    } finally {
      clearTimeout(watchdog);
    }
  };

  /** Makes a new property last, or drops what was written in part: it is not in the saved graph. */
  const keep = async (
    server: RunningServer,
    written: Either<EngineFailure, number>,
    labels: readonly string[],
    property: GraphProperty,
  ): Promise<Either<EngineFailure, number>> => {
    const saved = isLeft(written) ? written : await server.save();
    if (isLeft(saved)) {
      server.process.kill();
      return saved;
    }
    for (const label of labels) schema = withNodeProperty(schema, label, property);
    await server.refreshNames();
    return written;
  };

  return {
    kind: 'graphdb_b',
    analyse: analyseFalkordbQuery,
    procedures: {
      run: async (run, signal) => {
        const server = await ready;
        if (isLeft(server)) return server;
        const done = await runProcedure(server.right, run, signal);
        if (isLeft(done) || run.property === null) return done;
        return keep(server.right, done, run.nodeLabels ?? schema.nodeTables.map(({ label }) => label), run.property);
      },
    },
    storesNaNOnEdges: true,
    storesZeroCharacters: false,
    start: async () => {
      loaded = false;
      await endServer();
      loading?.session.close();
      loading = null;
      await rm(directory, { recursive: true, force: true });
      await mkdir(directory, { recursive: true });
      const found = await preparePrograms({ directory: installedPrograms(), cacheDirectory: options.cacheDirectory });
      if (isLeft(found)) {
        const reason = `graphdb_b cannot run on this machine: ${found.left}. Use graphdb_a.`;
        return left({ kind: 'unavailable', reason });
      }
      programs = found.right;
      return right(undefined);
    },
    createSchema: async (wanted, rows) => {
      if (programs === null) return left(NOT_STARTED);
      schema = wanted;
      return beginLoading(programs, rows);
    },
    load: async (table, files) => {
      if (loading === null) return left(NOT_STARTED);
      const { writer, rows } = loading;
      const nodes = schema.nodeTables.find(({ label }) => label === table);
      const edges = schema.edgeTables.find(({ type }) => type === table);
      try {
        if (nodes !== undefined) await writer.nodes(nodes, files);
        else if (edges !== undefined) await writer.edges(edges, files);
        else throw new Error(`There is no table ${table}.`);
      } catch (error) {
        return loadFailure(error);
      }
      return right(rows.get(table) ?? 0);
    },
    finishLoading: async () => {
      if (loading === null) return left(NOT_STARTED);
      const { session, writer, rows } = loading;
      try {
        ids = createNodeIds(schema, await writer.end());
      } catch (error) {
        return loadFailure(error);
      }
      session.close();
      loading = null;
      return withServer(async (server) => {
        for (const [table, count] of rows) {
          const counted = await server.count(countText(schema, table));
          if (isLeft(counted)) return counted;
          if (counted.right === count) continue;
          const reason = `${count} rows of ${table} were stored, and the server has ${counted.right}.`;
          return left({ kind: 'rejected', reason });
        }
        loaded = true;
        return right(undefined);
      });
    },
    query: async (wanted) => {
      const slot = await slots.take(wanted.timeoutMs);
      if (slot === null) return left(timedOut(wanted));
      try {
        const server = await ready;
        if (isLeft(server)) return left(crashed(server.left.reason));
        const remainingMs = Math.max(1, Math.floor(wanted.timeoutMs - slot.waitedMs));
        const answer = await query(server.right, { ...wanted, timeoutMs: remainingMs });
        return isLeft(answer) && answer.left.kind === 'timeout' ? left(timedOut(wanted)) : answer;
      } finally {
        slot.release();
      }
    },
    writeNodes: (write) =>
      withServer(async (server) => {
        const key = schema.nodeTables.find(({ label }) => label === write.label)?.primaryKey;
        if (key === undefined) return left({ kind: 'rejected', reason: `There is no label ${write.label}.` });
        const session = await openDuckdb(loadLimits(options));
        const written = await writeNodes(server, session, write, key).finally(() => session.close());
        return keep(server, written, [write.label], write.property);
      }),
    processIds: () => (current === null ? [] : [current.pid]),
    close: async () => {
      closing = true;
      await endServer();
    },
  };
};

interface Loading {
  readonly session: DuckdbSession;
  readonly feed: ServerFeed;
  readonly writer: GraphWriter;
  readonly rows: RowCounts;
}

const NOT_STARTED: EngineFailure = { kind: 'rejected', reason: 'The engine has not been started.' };

const countText = ({ nodeTables }: GraphSchema, table: string): string =>
  nodeTables.some(({ label }) => label === table)
    ? `MATCH (n:\`${table}\`) RETURN count(n)`
    : `MATCH ()-[r:\`${table}\`]->() RETURN count(r)`;

const loadLimits = ({ directory, memoryBytes, cpuCores }: FalkordbOptions) => ({
  memoryBytes: memoryBytes / 8,
  threads: cpuCores,
  scratchDirectory: join(directory, 'engine-scratch'),
});

const timedOut = ({ timeoutMs }: GraphQuery): QueryFailure => ({ kind: 'timeout', timeoutMs });

const crashed = (reason: string): QueryFailure => ({
  kind: 'crashed',
  message: `The graph database ended under the query (${reason}) and is being restarted; other queries go on. Change the query before you send it again.`,
});
