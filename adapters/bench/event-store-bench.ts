import { isLeft } from 'fp-ts/Either';
import { type NewEvent, type Position, START } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { createPostgresEventStore } from '../postgres/postgres-event-store';
import { uuids } from '../system/uuids';
import { withBenchDatabase } from './bench-database';
import { type Figure, quantile, rounded } from './figure';

const SECONDS_PER_RUN = 5;

/** Appends per second by clients at once, every one synced to the disk, then reading the feed. */
export const eventStoreBench = (): Promise<readonly Figure[]> =>
  withBenchDatabase(async ({ pool, connectionString }) => {
    const store = createPostgresEventStore({ pool, connectionString });
    const figures: Figure[] = [];
    for (const clients of [1, 32, 128]) figures.push(...(await measureAppends(store, clients)));
    figures.push(await measureReading(store));
    await store.close();
    return figures;
  });

const measureAppends = async (store: EventStore, clients: number): Promise<readonly Figure[]> => {
  const latencies: number[] = [];
  const start = performance.now();
  const client = async (number: number): Promise<void> => {
    for (let i = 0; performance.now() - start < SECONDS_PER_RUN * 1000; i += 1) {
      const sent = performance.now();
      const outcome = await store.append(`bench_${clients}_${number}-${i}`, 'no_stream', [sample(i)]);
      if (isLeft(outcome)) throw new Error(JSON.stringify(outcome.left));
      latencies.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const perSecond = latencies.length / ((performance.now() - start) / 1000);
  const of = `appends, ${clients} clients`;
  return [
    { what: of, value: rounded(perSecond), unit: 'appends/s' },
    { what: `${of}, p50`, value: rounded(quantile(latencies, 0.5)), unit: 'ms' },
    { what: `${of}, p99`, value: rounded(quantile(latencies, 0.99)), unit: 'ms' },
  ];
};

const measureReading = async (store: EventStore): Promise<Figure> => {
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
  const perSecond = events / ((performance.now() - start) / 1000);
  return { what: `feed of ${events} events`, value: rounded(perSecond), unit: 'events/s' };
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
