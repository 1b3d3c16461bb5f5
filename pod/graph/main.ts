import '../libuv-threads';
import { isLeft } from 'fp-ts/Either';
import { pino } from 'pino';
import { readSettings } from '../../adapters/contracts/graph-pod/settings';
import { logOptions } from '../../adapters/system/log-options';
import { systemClock } from '../../adapters/system/system-clock';
import { startTracing } from '../../adapters/system/tracing';
import { launchDatabase } from './engine/duckdb/database-process';
import { type FalkordbOptions } from './engine/falkordb/falkordb-engine';
import { type GraphEngine } from './engine/graph-engine';

/** The program of an instance pod: serves one graph until it is stopped. */
const main = async (): Promise<void> => {
  const settings = readSettings(process.env);
  if (isLeft(settings)) {
    process.stderr.write(`The pod cannot start:\n${settings.left.map((line) => `  ${line}\n`).join('')}`);
    process.exit(2);
  }
  const { instanceId, logLevel, wrapperType, dataDirectory } = settings.right;
  // It starts while modules are loaded, which takes as long.
  const launched = wrapperType === 'graphdb_a' ? launchDatabase() : null;
  const endTracing = await startTracing('rowgraph-pod');
  const { Pod } = await import('./pod.js');
  const createEngine = await engineOfKind(launched);
  const log = pino({ ...logOptions, level: logLevel, base: { component: 'pod', instanceId } });
  const pod = new Pod({
    settings: settings.right,
    clock: systemClock,
    log,
    createEngine: (ofPod) => createEngine({ ...settings.right, directory: dataDirectory, ...ofPod }),
    onListening: (port) => {
      log.info({ port }, 'listening');
      process.send?.({ type: 'listening', port });
    },
    exit: (code) => void endTracing().then(() => process.exit(code)),
  });
  process.on('SIGTERM', () => void pod.stop());
  process.on('SIGINT', () => void pod.stop());
  await pod.listen();
};

/** Loads the modules of one kind only: those of the other take a quarter of the start time. */
const engineOfKind = async (
  launched: ReturnType<typeof launchDatabase> | null,
): Promise<(options: FalkordbOptions) => GraphEngine> => {
  if (launched === null) {
    const { FalkordbEngine } = await import('./engine/falkordb/falkordb-engine.js');
    return (options) => new FalkordbEngine(options);
  }
  const { DuckdbEngine } = await import('./engine/duckdb/duckdb-engine.js');
  return (options) => new DuckdbEngine(options, { launched });
};

// The parent process has ended, and this pod ends with it.
process.on('disconnect', () => process.exit(1));
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? String(error)}\n`);
  process.exit(1);
});
void main();
