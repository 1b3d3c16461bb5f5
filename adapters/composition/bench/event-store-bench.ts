import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { type NewEvent, type Position, START } from '../../../domain/kernel/event';
import { type EventStore } from '../../../domain/ports/event-store';
import { startPostgres } from '../../embedded/postgres-server';
import { migrate } from '../../postgres/migrate';
import { createPool } from '../../postgres/pool';
import { createPostgresEventStore } from '../../postgres/postgres-event-store';
import { uuids } from '../../system/uuids';

/**
 * Measures the event store on a PostgreSQL of its own, with every safety on: appends per second by clients at once,
 * then reading the feed. `node dist/adapters/composition/bench/event-store-bench.js [seconds per run]`
 */
const main = async (): Promise<void> => {
  const seconds = Number(process.argv[2] ?? 5);
  const folder = await mkdtemp(join(tmpdir(), 'rowgraph-bench-'));
  const server = await startPostgres({ dataDirectory: folder, log: () => undefined });
  if (isLeft(server)) throw new Error(server.left.message);
  const { connectionString } = server.right;
  const pool = createPool({ connectionString });
  const migrated = await migrate(pool);
  if (isLeft(migrated)) throw new Error(migrated.left.message);
  const store = createPostgresEventStore({ pool, connectionString });

  for (const clients of [1, 32, 128]) await measureAppends(store, clients, seconds);
  await measureReading(store);

  await store.close();
  await pool.end();
  await server.right.stop();
  await rm(folder, { recursive: true });
};

const measureAppends = async (store: EventStore, clients: number, seconds: number): Promise<void> => {
  const latencies: number[] = [];
  const start = performance.now();
  const client = async (number: number): Promise<void> => {
    for (let i = 0; performance.now() - start < seconds * 1000; i += 1) {
      const sent = performance.now();
      const outcome = await store.append(`bench_${clients}_${number}-${i}`, 'no_stream', [sample(i)]);
      if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left));
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const elapsed = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (q: number): string => (latencies[Math.floor(latencies.length * q)] ?? 0).toFixed(2);
  print(
    `${clients} clients: ${Math.round(latencies.length / elapsed)} appends/s, p50 ${quantile(0.5)} ms, p99 ${quantile(0.99)} ms`,
  );
};

const measureReading = async (store: EventStore): Promise<void> => {
  const start = performance.now();
  let position: Position = START;
  let events = 0;
  for (;;) {
    const page = await store.readAll(position, 2_000);
    if (isLeft(page)) throw new Error(JSON.stringify(page.left));
    if (page.right.position === position) break;
    events += page.right.events.length;
    position = page.right.position;
  }
  const elapsed = (performance.now() - start) / 1000;
  print(`feed: ${Math.round(events / elapsed)} events/s over ${events} events`);
};

const sample = (n: number): NewEvent => ({
  id: uuids.uuid(),
  type: 'InstanceRequested',
  schemaVersion: 1,
  data: { instance_id: n, name: `instance ${n}`, mapping_id: 7, wrapper_type: 'graphdb_a', ttl: 'PT24H' },
  metadata: {
    commandId: uuids.uuid(),
    correlationId: uuids.uuid(),
    causationId: uuids.uuid(),
    actor: 'ada',
    role: 'analyst',
    occurredAt: new Date().toISOString(),
  },
});

const print = (line: string): void => void process.stdout.write(`${line}\n`);

void main();
