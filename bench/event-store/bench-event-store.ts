import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../adapters/system/free-port';
import { eventStoreCommand } from './event-store-command';
import { startServerProcess } from './server-process';

/**
 * Runs `measure` with the connection string of a temporary EventStoreDB server; resolves with null if no server is
 * installed.
 */
export const withBenchEventStore = async <A>(measure: (connectionString: string | null) => Promise<A>): Promise<A> => {
  const command = eventStoreCommand();
  if (command === null) return measure(null);
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-bench-eventstored-'));
  const [port, replicationPort] = [await freePort(0), await freePort(0)];
  const server = startServerProcess(command, [
    '--insecure',
    '--run-projections=None',
    '--node-ip=127.0.0.1',
    '--replication-ip=127.0.0.1',
    `--node-port=${port}`,
    `--replication-port=${replicationPort}`,
    `--db=${join(folder, 'data')}`,
    `--log=${join(folder, 'log')}`,
  ]);
  try {
    return await measure(`esdb://127.0.0.1:${port}?tls=false`);
  } finally {
    server.signal('SIGKILL');
    await server.ended;
    await rm(folder, { recursive: true, force: true });
  }
};
