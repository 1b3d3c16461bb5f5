import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { createInspectorPool } from '../query-inspector/inspector-pool';
import { createMemoryWatchdog } from '../local-process/memory-watchdog';
import { relayLogLine } from '../local-process/relay-log-line';
import { type InspectorEnvironment } from '../query-inspector/inspector-protocol';
import { programPath } from '../system/package-root';
import { type Startup } from './startup';

const PROCESSES = 2;
const DESCRIBE_MS = 10_000;
const LIST_MS = 60_000;
const PING_MS = 5_000;
const WAIT_MS = 10_000;
const MEMORY_MB = 512;
/** The engine keeps to its own limit; this is for what it does not count. */
const PROCESS_MEMORY_MB = 1536;
const SAMPLE_MEMORY_MS = 200;

/** The query engine the control plane asks: what there is in the warehouse, and whether a query is right. */
export const openQueryEngine = ({ settings, log }: Startup): EngineInspector & { close(): Promise<void> } => {
  const scratchDirectory = join(settings.dataDirectory, 'query-engine');
  mkdirSync(settings.warehouseDirectory, { recursive: true });
  // What processes left that were killed.
  rmSync(scratchDirectory, { recursive: true, force: true });
  const pool = createInspectorPool({
    processes: PROCESSES,
    limitMs: {
      describe: DESCRIBE_MS,
      placesOf: DESCRIBE_MS,
      ping: PING_MS,
      listCatalogs: LIST_MS,
      listSchemas: LIST_MS,
      listTables: LIST_MS,
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
        ROWGRAPH_INSPECTOR_HINTS: settings.allowedCatalogs.isUnrestricted ? 'on' : 'off',
      } satisfies InspectorEnvironment,
      onLine: relayLogLine(log.child({ program: 'engine-inspector' })),
    }),
  });
  // The first process takes a moment to start.
  void pool.ping();
  return pool;
};
