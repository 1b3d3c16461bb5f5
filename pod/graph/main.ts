import '../libuv-threads';
import { isLeft } from 'fp-ts/Either';
import { pino } from 'pino';
import { readSettings } from '../../adapters/contracts/graph-pod/settings';
import { logOptions } from '../../adapters/system/log-options';
import { systemClock } from '../../adapters/system/system-clock';
import { startTracing } from '../../adapters/system/tracing';
import { Pod } from './pod';

/** The program of an instance pod: serves one graph until it is stopped. */
const main = async (): Promise<void> => {
  const settings = readSettings(process.env);
  if (isLeft(settings)) {
    process.stderr.write(`The pod cannot start:\n${settings.left.map((line) => `  ${line}\n`).join('')}`);
    process.exit(2);
  }
  const { instanceId, logLevel, wrapperType, dataDirectory } = settings.right;
  const endTracing = await startTracing('rowgraph-pod');
  // Loaded lazily, since modules of one kind take a quarter of the start time.
  const Engine =
    wrapperType === 'graphdb_a'
      ? (await import('./engine/duckdb/duckdb-engine.js')).DuckdbEngine
      : (await import('./engine/falkordb/falkordb-engine.js')).FalkordbEngine;
  const log = pino({ ...logOptions, level: logLevel, base: { component: 'pod', instanceId } });
  const pod = new Pod({
    settings: settings.right,
    clock: systemClock,
    log,
    createEngine: (ofPod) => new Engine({ ...settings.right, directory: dataDirectory, ...ofPod }),
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

// The parent process has ended, and this pod ends with it.
process.on('disconnect', () => process.exit(1));
process.on('uncaughtException', (error) => {
  process.stderr.write(`${error.stack ?? String(error)}\n`);
  process.exit(1);
});
void main();
