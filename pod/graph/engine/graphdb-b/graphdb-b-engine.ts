import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { installedPrograms } from '../../contract/platform';
import { openDuckdb, type DuckdbSession } from '../../loading/duckdb-session';
import {
  type EngineFailure,
  type GraphAnswer,
  type GraphEngine,
  type GraphQuery,
  type QueryFailure,
} from '../graph-engine';
import { withNodeProperty, type GraphProperty, type GraphSchema } from '../graph-schema';
import { createSlots } from '../slots';
import { loadEdges, loadNodes, type NumberedLabel, type SendBlock } from './bulk-load';
import { createNodeIds } from './node-ids';
import { runProcedure } from './procedures';
import { preparePrograms, type EnginePrograms } from './programs';
import { GRAPH_KEY, MOST_ROWS, runQuery, type NodeIds } from './run-query';
import { runServer, type RunningServer } from './running-server';
import { type ServerProcess } from './server-process';
import { UnknownNameError } from './value-encoder';
import { VOCABULARY } from './vocabulary';
import { writeNodes } from './write-nodes';

export interface GraphdbBOptions {
  /** Folder the server works in. What is there from an earlier run is thrown away. */
  readonly directory: string;
  /** Folder for programs made ready for this machine, shared by all pods. */
  readonly cacheDirectory: string;
  readonly memoryBytes: number;
  readonly cpuCores: number;
  /** The server ended by itself and is being restarted, or cannot be any more. */
  readonly onCrash: (event: { readonly how: string; readonly recovered: boolean }) => void;
}

const MOST_QUERIES_AT_ONCE = 8;
/** Not every procedure notices its timeout. A query that outlives it by so much ends with the server. */
const STUCK_AFTER_MS = 5_000;
/** Its connections close a moment before its end is told; who asks after a failure shall find the next server. */
const END_TOLD_WITHIN_MS = 1_000;

/** Kind B: the graph server in a process of its own, restarted from its saved graph after a crash. */
export const createGraphdbB = (options: GraphdbBOptions): GraphEngine => {
  const { memoryBytes, cpuCores, onCrash } = options;
  const directory = join(options.directory, 'engine');
  const slots = createSlots(MOST_QUERIES_AT_ONCE);
  let schema: GraphSchema = { nodeTables: [], edgeTables: [] };
  let loading: Loading | null = null;
  let ids: NodeIds = createNodeIds(schema, []);
  let loaded = false;
  let closing = false;
  let current: ServerProcess | null = null;
  /** The server to talk to; pending while one is being started. */
  let ready: Promise<Either<EngineFailure, RunningServer>> = Promise.resolve(
    left({ kind: 'rejected', reason: 'The engine has not been started.' }),
  );

  const launch = async (programs: EnginePrograms): Promise<Either<EngineFailure, RunningServer>> => {
    const started = await runServer({
      programs,
      directory,
      memoryBytes,
      cpuCores,
      queriesAtOnce: MOST_QUERIES_AT_ONCE,
      mostRows: MOST_ROWS + 1,
    });
    if (isLeft(started)) return started;
    current = started.right.process;
    void current.ended.then((how) => {
      if (closing || !loaded) return;
      ready = launch(programs);
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
  };

  const sendBlock =
    (server: RunningServer): SendBlock =>
    async ({ nodes, edges }, block) => {
      const counts = [nodes, edges, nodes > 0 ? 1 : 0, edges > 0 ? 1 : 0].map(String);
      const reply = await server.send(['GRAPH.BULK', GRAPH_KEY, ...counts, block]);
      if (isLeft(reply)) throw new Error(reply.left.reason);
    };

  const loadTable = async (server: RunningServer, table: string, files: readonly string[]): Promise<void> => {
    loading ??= { session: await openDuckdb(loadLimits(options)), nextNumber: 0, labels: [] };
    const nodes = schema.nodeTables.find(({ label }) => label === table);
    const edges = schema.edgeTables.find(({ type }) => type === table);
    if (nodes !== undefined) {
      const loadedLabel = await loadNodes(loading.session, nodes, files, loading.nextNumber, sendBlock(server));
      loading.labels.push(loadedLabel);
      loading.nextNumber += loadedLabel.places.length;
      return;
    }
    const { labels: done } = loading;
    const [from, to] = [edges?.fromNode, edges?.toNode].map((name) => done.find(({ label }) => label === name));
    if (edges === undefined || from === undefined || to === undefined) throw new Error(`There is no table ${table}.`);
    await loadEdges(loading.session, edges, files, { from, to }, sendBlock(server));
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
    vocabulary: VOCABULARY,
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
      const programs = await preparePrograms({
        directory: installedPrograms(),
        cacheDirectory: options.cacheDirectory,
      });
      if (isLeft(programs)) {
        const reason = `graphdb_b cannot run on this machine: ${programs.left}. Use graphdb_a.`;
        return left({ kind: 'unavailable', reason });
      }
      ready = launch(programs.right);
      const started = await ready;
      return isLeft(started) ? started : right(undefined);
    },
    createSchema: (wanted) => {
      schema = wanted;
      return withServer(() => Promise.resolve(right(undefined)));
    },
    load: (table, files) =>
      withServer(async (server) => {
        try {
          await loadTable(server, table, files);
        } catch (error) {
          return left({ kind: 'rejected', reason: error instanceof Error ? error.message : String(error) });
        }
        const key = schema.nodeTables.find(({ label }) => label === table)?.primaryKey.name;
        if (key === undefined) return server.count(`MATCH ()-[r:\`${table}\`]->() RETURN count(r)`);
        // The server builds it on the side, while what comes next is loaded.
        const indexed = await server.run(`CREATE INDEX FOR (n:\`${table}\`) ON (n.\`${key}\`)`);
        return isLeft(indexed) ? indexed : server.count(`MATCH (n:\`${table}\`) RETURN count(n)`);
      }),
    finishLoading: () =>
      withServer(async (server) => {
        const labels = (loading?.labels ?? []).map(({ label, first, places }) => ({
          label,
          first,
          count: places.length,
        }));
        loading?.session.close();
        loading = null;
        ids = createNodeIds(schema, labels);
        await server.refreshNames();
        // The saved graph says which indexes there are, and not what is in them.
        const [saved, built] = await Promise.all([server.save(), whenIndexesAreBuilt(server)]);
        if (isLeft(saved)) return saved;
        loaded = !isLeft(built);
        return built;
      }),
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
  nextNumber: number;
  readonly labels: NumberedLabel[];
}

const loadLimits = ({ directory, memoryBytes, cpuCores }: GraphdbBOptions) => ({
  memoryBytes: memoryBytes / 8,
  threads: cpuCores,
  scratchDirectory: join(directory, 'engine-scratch'),
});

const INDEX_POLL_MS = 50;

const whenIndexesAreBuilt = async (server: RunningServer): Promise<Either<EngineFailure, void>> => {
  for (;;) {
    const building = await server.count(
      "CALL db.indexes() YIELD status WHERE status <> 'OPERATIONAL' RETURN count(status)",
    );
    if (isLeft(building)) return building;
    if (building.right === 0) return right(undefined);
    await wait(INDEX_POLL_MS);
  }
};

const timedOut = ({ timeoutMs }: GraphQuery): QueryFailure => ({ kind: 'timeout', timeoutMs });

const crashed = (reason: string): QueryFailure => ({
  kind: 'crashed',
  message: `The graph database ended under the query (${reason}) and is being restarted; other queries go on. Change the query before you send it again.`,
});
