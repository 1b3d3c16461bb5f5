import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { createSchemaRefresh } from '../../commands/jobs/refresh-schema-cache';
import { type Clock } from '../../domain/ports/clock';
import { type EngineInspector, type SharedQueryEngine } from '../../domain/ports/query-engine';
import { keepLeftOut } from '../duckdb/left-out-files';
import { createMemoryWatchdog } from '../local-process/memory-watchdog';
import { relayLogLine } from '../local-process/start-program';
import { CONNECTIONS, createPool } from '../postgres/pool';
import { createPostgresSchemaCache } from '../postgres/postgres-schema-cache';
import { createInspectorPool } from '../query-inspector/inspector-pool';
import { type InspectorEnvironment } from '../query-inspector/inspector-protocol';
import { programPath } from '../system/package-root';
import { uuids } from '../system/uuids';
import { type Settings } from './settings';
import { type Startup } from './startup';

const PROCESSES = 2;
const DESCRIBE_MS = 10_000;
const LIST_MS = 60_000;
/** CSV files are read as a whole at a refresh. */
const REFRESH_MS = 3_600_000;
const PING_MS = 5_000;
const WAIT_MS = 10_000;
const MEMORY_MB = 512;
/** Memory beyond the engine's own limit, for what it does not count. */
const PROCESS_MEMORY_MB = 1536;
const SAMPLE_MEMORY_MS = 200;

/**
 * The folder of the layouts of CSV files, and of the list of files that are left out, for the inspectors and the export
 * worker. Without a worker on this machine
 * there is none: a refresh would not reach workers elsewhere, which decide for themselves.
 */
export const csvLayoutVariables = ({
  embeddedWorker,
  dataDirectory,
}: Pick<Settings, 'embeddedWorker' | 'dataDirectory'>): { readonly ROWGRAPH_CSV_LAYOUT_DIR?: string } =>
  embeddedWorker ? { ROWGRAPH_CSV_LAYOUT_DIR: join(dataDirectory, 'csv-layouts') } : {};

type ClosableEngine = EngineInspector & {
  close(): Promise<void>;
  /** The engine if it is outside the workers; null for the embedded one. */
  readonly shared: SharedQueryEngine | null;
};

/** The query engine of the control plane, for the catalogs of the warehouse and the validation of queries. */
export const openQueryEngine = async (startup: Startup): Promise<ClosableEngine> => {
  const { trino } = startup.settings;
  if (trino === null) return { ...openEmbeddedEngine(startup), shared: null };
  const { createTrinoQueryEngine } = await import('../trino/trino-query-engine.js');
  const shared = createTrinoQueryEngine(trino);
  return { ...shared, shared, close: () => Promise.resolve() };
};

const openEmbeddedEngine = ({ settings, log }: Startup): Omit<ClosableEngine, 'shared'> => {
  const scratchDirectory = join(settings.dataDirectory, 'query-engine');
  // Files of killed processes.
  rmSync(scratchDirectory, { recursive: true, force: true });
  const { ROWGRAPH_CSV_LAYOUT_DIR: sharedFolder } = csvLayoutVariables(settings);
  const onLeftOut = (paths: readonly string[]): void => {
    if (sharedFolder === undefined) return;
    void keepLeftOut(sharedFolder, paths).catch((error: unknown) =>
      log.warn({ err: error }, 'the export worker does not know which files are left out'),
    );
  };
  // The processes of this start have opened none.
  onLeftOut([]);
  const pool = createInspectorPool({
    onLeftOut,
    processes: PROCESSES,
    limitMs: {
      describe: DESCRIBE_MS,
      tablesOf: DESCRIBE_MS,
      ping: PING_MS,
      refresh: REFRESH_MS,
      listCatalogs: LIST_MS,
      listSchemas: LIST_MS,
      listTables: LIST_MS,
      sampleRows: DESCRIBE_MS,
    },
    waitMs: WAIT_MS,
    memory: createMemoryWatchdog(SAMPLE_MEMORY_MS),
    memoryLimitMb: PROCESS_MEMORY_MB,
    launch: () => ({
      programPath: programPath('adapters/query-inspector/main'),
      environment: {
        ROWGRAPH_WAREHOUSE_DIR: settings.warehouseDirectory,
        ROWGRAPH_INSPECTOR_SCRATCH_DIR: scratchDirectory,
        ROWGRAPH_INSPECTOR_MEMORY_MB: String(MEMORY_MB),
        ...csvLayoutVariables(settings),
        ROWGRAPH_INSPECTOR_HINTS: settings.allowedCatalogs.isUnrestricted ? 'on' : 'off',
      } satisfies InspectorEnvironment,
      onLine: relayLogLine(log.child({ program: 'engine-inspector' })),
    }),
  });
  return pool;
};

/**
 * Opens the schema cache and registers the engine for closing. Entries that the allow-list does not allow are removed
 * when this returns.
 */
export const openSchemaCache = async (
  connectionString: string,
  engine: ClosableEngine,
  clock: Clock,
  { settings, shutdownSteps, log }: Startup,
) => {
  const pool = createPool({
    ...CONNECTIONS.schemaCache,
    connectionString,
    connectTimeoutMs: settings.databaseConnectTimeoutMs,
    log: (message) => log.warn(message),
  });
  const { allowedCatalogs: allowList } = settings;
  const cache = createPostgresSchemaCache(pool, uuids.uuid);
  const refresh = createSchemaRefresh({ engine, cache, clock, allowList });
  const ending = new AbortController();

  /** Starts a refresh in the background and logs its result. */
  const start = (): 'started' | 'already_running' => {
    const { status, ended } = refresh.start(ending.signal);
    if (status === 'already_running') return status;
    void ended.then((result) => {
      if (isLeft(result)) log.warn({ reason: result.left.message }, 'the schema cache could not be refreshed');
      else log.info(result.right, 'the schema cache has been refreshed');
    });
    return status;
  };

  shutdownSteps.add('schema cache', async () => {
    await refresh.settled();
    await pool.end();
  });
  // Closed before the cache, so that a running refresh ends.
  shutdownSteps.add('query engine', () => {
    ending.abort();
    return engine.close();
  });
  if (await cache.adoptAllowList(allowList)) start();
  return { refresh, start };
};
