import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { pino } from 'pino';
import { readSettings } from '../../adapters/start/settings';
import { startSystem } from '../../adapters/start/system';
import { logOptions } from '../../adapters/system/log-options';
import { type ApiClient, apiClient } from './api-client';
import { expectNoLeaks, leaksIn } from './leaks';
import { createTestDatabase } from './postgres';
import { isFullProof } from './proof-size';
import { admitOliviaAdaAndBob } from './running-system';
import { settingsOfOwnLog } from './system-event-store';

/** The control plane in this process on a real database. Only the test does the work of export workers and pods. */
export interface InProcessApi {
  readonly url: string;
  readonly internalUrl: string;
  readonly environment: Readonly<Record<string, string>>;
  /** A client that calls as this user over keep-alive connections; null: without identity. */
  as(username: string | null): ApiClient;
  /** The messages logged as errors so far, above all bugs. */
  errors(): readonly string[];
  /** Signs the tokens of workers and pods. */
  readonly internalSecret: string;
  close(): Promise<void>;
}

const SECRET = 'the secret of a test, of forty letters..';

/**
 * Starts it without users, in a new folder that `prepare` may fill, with `more` settings, on a machine that
 * `platformCheck` describes.
 */
export const startInProcessApi = async (
  prepare?: (folder: string) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
  platformCheck?: Parameters<typeof startSystem>[2],
): Promise<InProcessApi> => {
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-api-'));
  await prepare?.(folder);
  const database = await createTestDatabase();
  const environment = {
    ROWGRAPH_PORT: '0',
    ROWGRAPH_INTERNAL_PORT: '0',
    ROWGRAPH_DATA_DIR: folder,
    ROWGRAPH_DATABASE_URL: database.connectionString,
    ROWGRAPH_INTERNAL_SECRET: SECRET,
    ROWGRAPH_POD_RUNTIME: 'none',
    ROWGRAPH_EMBEDDED_WORKER: 'off',
    // A busy machine must not refuse bursts of requests.
    ROWGRAPH_EVENT_STORE_PATIENCE: '60s',
    ROWGRAPH_DATABASE_CONNECT_TIMEOUT: '60s',
    ...settingsOfOwnLog(),
    ...more,
  };
  const settings = readSettings(environment);
  if (isLeft(settings)) throw new Error(settings.left.join('\n'));
  const errors: string[] = [];
  const lines: string[] = [];
  const write = (line: string): void => {
    if (isFullProof) lines.push(line);
    if (/^\{"level":[56]0,/.test(line)) errors.push(line);
  };
  const log = pino({ ...logOptions, level: isFullProof ? 'trace' : 'error' }, { write });
  const system = await startSystem(settings.right, log, platformCheck);
  if (isLeft(system)) throw new Error(system.left.message);
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const { publicUrl: url, internalUrl } = system.right;
  return {
    url,
    internalUrl,
    environment,
    internalSecret: SECRET,
    as: (username) => apiClient(url, username, agent),
    errors: () => errors,
    close: async () => {
      agent.destroy();
      await system.right.stop();
      const leaks = leaksIn(lines, environment);
      await database.drop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      expectNoLeaks('The log of the API', leaks);
    },
  };
};

/**
 * The same with the ops user `olivia` and the analysts `ada` and `bob`, and a warehouse that `fill` may fill: for tests
 * that need neither pods nor workers.
 */
export const startInhabitedApi = async (
  fill?: (warehouse: string) => Promise<void>,
  settings: Readonly<Record<string, string>> = {},
): Promise<InProcessApi> => {
  const api = await startInProcessApi(async (folder) => {
    const warehouse = join(folder, 'warehouse');
    await mkdir(warehouse);
    await fill?.(warehouse);
  }, settings);
  await admitOliviaAdaAndBob(api);
  return api;
};
