import { randomInt } from 'node:crypto';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { type PostgresServer, startPostgres } from '../../adapters/embedded/postgres-server';
import { migrate } from '../../adapters/postgres/migrate';
import { startEventStoreServer } from '../servers/support/event-store-server';
import { createTestPool } from './create-test-pool';
import {
  CLUSTER_VARIABLE,
  copyCluster,
  databaseUrl,
  SERVER_VARIABLE,
  TEMPLATE_DATABASE,
  type TestServer,
  testServer,
} from './postgres';
import { isFullProof } from './proof-size';
import { EVENT_STORE_URL_VARIABLE, isEventStoreDbWanted } from './system-event-store';

const FOLDER = /^rowgraph-tests-(\d+)-/;

/**
 * Starts one PostgreSQL for the whole run and prepares the template of every test database, the cluster that whole
 * systems start with a copy of and, if the run wants one, an EventStoreDB. The servers end with this process, even if
 * it is killed; in that case the folder remains, and the next run removes it.
 */
const globalSetup = async (): Promise<void> => {
  chooseSeed();
  await removeFoldersOfKilledRuns();
  const folder = await mkdtemp(join(tmpdir(), `rowgraph-tests-${process.pid}-`));
  const start = async (dataDirectory: string): Promise<PostgresServer> => {
    const server = await startPostgres({ dataDirectory, durable: false, log: () => undefined });
    if (isLeft(server)) throw new Error(server.left.message);
    return server.right;
  };
  const cluster = join(folder, 'cluster');
  await (await start(cluster)).stop();
  await rm(join(cluster, 'port'));
  process.env[CLUSTER_VARIABLE] = cluster;
  const data = join(folder, 'data');
  await copyCluster(data);
  const server = await start(data);
  testServer.current = { folder, stop: () => server.stop() } satisfies TestServer;
  process.env[SERVER_VARIABLE] = server.connectionString;

  const admin = createTestPool({ connectionString: server.connectionString, max: 1 });
  await admin.query(`CREATE DATABASE ${TEMPLATE_DATABASE}`);
  await admin.end();
  const template = createTestPool({ connectionString: databaseUrl(TEMPLATE_DATABASE), max: 1 });
  const migrated = await migrate(template);
  await template.end();
  if (isLeft(migrated)) throw new Error(migrated.left.message);
  if (!isEventStoreDbWanted()) return;
  const eventStore = await startEventStoreServer();
  const stop = async (): Promise<void> => {
    await Promise.all([server.stop(), eventStore.stop()]);
  };
  testServer.current = { folder, stop };
  process.env[EVENT_STORE_URL_VARIABLE] = eventStore.connectionString;
};

/** `npm run proof` tries new cases in each run. */
const chooseSeed = (): void => {
  if (!isFullProof || process.env['SEED'] !== undefined) return;
  process.env['SEED'] = String(randomInt(2, 1_000_000_000));
  process.stderr.write(
    `Seed of this run: ${process.env['SEED']}. Repeat it: SEED=${process.env['SEED']} npm run proof\n`,
  );
};

const removeFoldersOfKilledRuns = async (): Promise<void> => {
  for (const name of await readdir(tmpdir())) {
    const pid = FOLDER.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => undefined);
  }
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

module.exports = globalSetup;
