import { createWriteStream, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { pino } from 'pino';
import { buildDemoWarehouse } from '../sample/build-demo-warehouse';
import { readSettings } from '../start/settings';
import { type RunningSystem, startSystem } from '../start/system';
import { logOptions } from '../system/log-options';

/** Starts the system in a new data folder with the demo's warehouse. */
export const startDemoSystem = async (
  port: number,
  internalPort: number,
): Promise<RunningSystem & { readonly dataDirectory: string }> => {
  const dataDirectory = resolve(process.env['ROWGRAPH_DATA_DIR'] ?? '.rowgraph-demo');
  const settings = readSettings({
    ROWGRAPH_PORT: String(port),
    ROWGRAPH_INTERNAL_PORT: String(internalPort),
    ...newLog(process.env),
    ...process.env,
    ROWGRAPH_DATA_DIR: dataDirectory,
  });
  if (isLeft(settings)) throw new Error(settings.left.join('; '));
  freshDemoFolder(dataDirectory);
  const log = pino(
    { ...logOptions, level: settings.right.logLevel },
    createWriteStream(join(dataDirectory, 'demo.log')),
  );
  const [system] = await Promise.all([
    startSystem(settings.right, log),
    buildDemoWarehouse(settings.right.warehouseDirectory),
  ]);
  if (isLeft(system)) throw new Error(system.left.message);
  return { ...system.right, dataDirectory };
};

/** A prefix of its own on an EventStoreDB server, which other systems and earlier demos may use. */
const newLog = (environment: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  environment['ROWGRAPH_EVENT_STORE'] === 'eventstoredb' ? { ROWGRAPH_EVENT_STORE_PREFIX: `demo_${Date.now()}.` } : {};

const MARKER = 'this-folder-is-made-anew-by-the-demo';

/** Creates an empty data folder, or empties one of an earlier demo; any other folder is rejected. */
const freshDemoFolder = (directory: string): void => {
  const marker = join(directory, MARKER);
  if (existsSync(directory) && readdirSync(directory).length > 0 && !existsSync(marker)) {
    throw new Error(`${directory} is not empty and not from an earlier demo; set ROWGRAPH_DATA_DIR to another folder.`);
  }
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  writeFileSync(marker, '');
};
