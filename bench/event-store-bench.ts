import { createEventStoreDbEventStore } from '../adapters/eventstoredb/eventstoredb-event-store';
import { createPostgresEventStore } from '../adapters/postgres/postgres-event-store';
import { uuids } from '../adapters/system/uuids';
import { type NewEvent, type Position, START } from '../domain/kernel/event';
import { type EventStore } from '../domain/ports/event-store';
import { withBenchDatabase } from './bench-database';
import { type BareClient, createBareClient } from './event-store/bare-client';
import { withBenchEventStore } from './event-store/bench-event-store';
import { type Figure, quantile, rounded } from './figure';
import { need } from './need';

const CLIENTS = [1, 32, 128];
/** The stores are measured in turn in every round, so that a slow moment of the machine affects all of them. */
const ROUNDS = 3;
/** Rounds of reading; the median is reported, because the server's work on its index slows single rounds down. */
const READING_ROUNDS = 7;
const SECONDS_PER_TURN = 3;
/** Goal: throughput of the adapter as a percentage of that of the bare client. */
const GOAL = { atLeast: 80 };
const MIB = 1024 * 1024;

/** An event store under measurement. */
interface Subject {
  readonly name: string;
  readonly append: (streamId: string, event: NewEvent) => Promise<void>;
  /** Reads the whole log and resolves with the number of events read. */
  readonly readLog: () => Promise<number>;
}

/**
 * Appends per second of concurrent clients, each append synced to the disk, then reading the log: PostgreSQL and, if a
 * server is available, EventStoreDB with its bare client and with the adapter.
 */
export const eventStoreBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(({ pool, connectionString }) =>
    withBenchEventStore(async (url) => {
      const postgres = createPostgresEventStore({ pool, connectionString });
      const subjects = [subjectOf('PostgreSQL', postgres)];
      if (url === null) say('No EventStoreDB is here (EVENTSTORED, or eventstored on the path): PostgreSQL only.');
      const eventStoreDb = url === null ? null : await openEventStoreDb(url);
      const bare = url === null ? null : createBareClient(url);
      if (bare !== null) subjects.push(bareSubject(bare));
      if (eventStoreDb !== null) subjects.push(subjectOf('adapter', eventStoreDb.store));
      try {
        const figures: Figure[] = [];
        for (const clients of CLIENTS) figures.push(...(await measureAppends(subjects, clients, say)));
        return [...figures, ...(await measureReading(subjects, say))];
      } finally {
        await bare?.close();
        await eventStoreDb?.close();
        await postgres.close();
      }
    }),
  );

const openEventStoreDb = async (connectionString: string) => {
  const opened = createEventStoreDbEventStore({
    connectionString,
    prefix: '',
    categories: ['bench'],
    timeoutMs: 60_000,
    maxAppendBytes: MIB,
  });
  need(await opened.identity.ensure(uuids.uuid()));
  return opened;
};

const subjectOf = (name: string, store: EventStore): Subject => ({
  name,
  append: async (streamId, event) => void need(await store.append(streamId, 'no_stream', [event])),
  readLog: async () => {
    let [position, events]: [Position, number] = [START, 0];
    for (;;) {
      const page = need(await store.readAll(position, 2_000));
      if (page.position === position) return events;
      events += page.events.length;
      position = page.position;
    }
  },
});

const bareSubject = ({ append, readEverything }: BareClient): Subject => ({
  name: 'bare client',
  append,
  readLog: readEverything,
});

const measureAppends = async (
  subjects: readonly Subject[],
  clients: number,
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  say(`appends by ${clients} clients, ${ROUNDS} times ${SECONDS_PER_TURN} s each`);
  const turns = subjects.map((subject) => ({ subject, appends: 0, ms: 0 }));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const turn of turns) {
      const startedAt = performance.now();
      turn.appends += await appendFor(turn.subject, clients);
      turn.ms += performance.now() - startedAt;
    }
  const rates = turns.map(({ appends, ms }) => appends / (ms / 1000));
  return [
    ...subjects.map(({ name }, at): Figure => {
      const value = rounded(rates[at] ?? 0);
      return { what: `appends, ${clients} clients, ${name}`, value, unit: 'appends/s' };
    }),
    ...adapterToBareClient(`appends, ${clients} clients`, subjects, rates),
  ];
};

/** Stream names are never used again, not even in a later run on the same server. */
const appendFor = async ({ append }: Subject, clients: number): Promise<number> => {
  let appends = 0;
  const turn = uuids.uuid();
  const until = performance.now() + SECONDS_PER_TURN * 1000;
  const client = async (number: number): Promise<void> => {
    for (let i = 0; performance.now() < until; i += 1) {
      await append(`bench-${turn}x${number}x${i}`, sample(i));
      appends += 1;
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  return appends;
};

const measureReading = async (
  subjects: readonly Subject[],
  say: (line: string) => void,
): Promise<readonly Figure[]> => {
  say('reading the log');
  const read = subjects.map(() => ({ events: 0, rates: new Array<number>() }));
  for (let round = 0; round < READING_ROUNDS; round += 1)
    for (const [at, { readLog }] of subjects.entries()) {
      const startedAt = performance.now();
      const events = await readLog();
      const ms = performance.now() - startedAt;
      read[at] = { events, rates: [...(read[at]?.rates ?? []), events / (ms / 1000)] };
    }
  const rates = read.map((turns) => quantile(turns.rates, 0.5));
  return [
    ...subjects.map(({ name }, at): Figure => {
      const value = rounded(rates[at] ?? 0);
      return { what: `feed of ${read[at]?.events ?? 0} events, ${name}`, value, unit: 'events/s' };
    }),
    ...adapterToBareClient('feed', subjects, rates),
  ];
};

/** Empty without an EventStoreDB. */
const adapterToBareClient = (
  what: string,
  subjects: readonly Subject[],
  rates: readonly number[],
): readonly Figure[] => {
  const rateOf = (wanted: string): number => rates[subjects.findIndex(({ name }) => name === wanted)] ?? 0;
  const bare = rateOf('bare client');
  if (bare === 0) return [];
  const value = rounded((100 * rateOf('adapter')) / bare);
  return [{ what: `${what}, adapter to bare client`, value, unit: '%', goal: GOAL }];
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
