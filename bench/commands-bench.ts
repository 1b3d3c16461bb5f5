import { withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { withBenchEventStore } from './event-store/bench-event-store';
import { type Figure, quantile, rounded } from './figure';
import { type Load } from './load-clients';
import { runClients } from './run-clients';

const SECONDS = 10;
/**
 * EventStoreDB compiles hot code at run time: after about ten seconds its append rate is three times the initial one.
 */
const WARM_UP_SECONDS = 10;
/**
 * The stores are measured in turn in every round, so that a slow moment of the machine affects both; the medians are
 * reported.
 */
const ROUNDS = 3;
/** Goal: throughput of 64 clients on EventStoreDB as a percentage of that on PostgreSQL. */
const SHARE_GOAL = { atLeast: 60 };

interface Row {
  readonly what: string;
  readonly load: Load;
  /** Clients, or requests per second in an open loop. */
  readonly count: number;
  readonly goals: { readonly perSecond?: number; readonly p50?: number; readonly p99?: number };
}

const ROWS: readonly Row[] = [
  { what: '64 clients, a mapping each', load: 'own mappings', count: 64, goals: { perSecond: 1300 } },
  { what: '300 requests per second', load: 'open loop', count: 300, goals: { p50: 4, p99: 15 } },
  { what: '16 clients, one mapping', load: 'one mapping', count: 16, goals: { perSecond: 400 } },
];

/** The location of the log during a measurement. */
interface Subject {
  readonly store: string;
  /** The settings of a system with an empty log. */
  readonly settings: (round: number) => Readonly<Record<string, string>>;
  readonly hasGoals: boolean;
}

/**
 * New versions of mappings over HTTP, each answered when the read models contain it: with the log in PostgreSQL and, if
 * a server is available, in EventStoreDB.
 */
export const commandsBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchEventStore(async (url) => {
    const subjects: Subject[] = [{ store: 'PostgreSQL', settings: () => ({}), hasGoals: true }];
    if (url === null) say('No EventStoreDB is here (EVENTSTORED, or eventstored on the path): PostgreSQL only.');
    else subjects.push(eventStoreDbAt(url));
    const rounds = subjects.map(() => new Array<readonly Figure[]>());
    for (let round = 0; round < ROUNDS; round += 1)
      for (const [at, subject] of subjects.entries()) rounds[at]?.push(await measureAll(subject, round, say));
    const figures = rounds.map(medians);
    return [...figures.flat(), ...shareOf(figures)];
  });

const eventStoreDbAt = (url: string): Subject => ({
  store: 'EventStoreDB',
  settings: (round) => ({
    ROWGRAPH_EVENT_STORE: 'eventstoredb',
    ROWGRAPH_EVENT_STORE_URL: url,
    ROWGRAPH_EVENT_STORE_PREFIX: `round${round}.`,
  }),
  hasGoals: false,
});

/** The medians of the figures of several rounds; every round has the same figures. */
const medians = (rounds: readonly (readonly Figure[])[]): readonly Figure[] =>
  (rounds[0] ?? []).map((figure, at) => {
    const values = rounds.flatMap((round) => round[at]?.value ?? []);
    return { ...figure, value: quantile(values, 0.5) };
  });

const shareOf = ([onPostgres, onEventStoreDb]: readonly (readonly Figure[])[]): readonly Figure[] => {
  const [whole, part] = [onPostgres?.[0], onEventStoreDb?.[0]];
  if (whole === undefined || part === undefined) return [];
  const value = rounded((100 * part.value) / whole.value);
  return [{ what: `${ROWS[0]?.what ?? ''}, EventStoreDB to PostgreSQL`, value, unit: '%', goal: SHARE_GOAL }];
};

const measureAll = (
  { store, settings, hasGoals }: Subject,
  round: number,
  say: (line: string) => void,
): Promise<readonly Figure[]> =>
  withBenchDatabase((database) =>
    withBenchSystem(
      database,
      async (url) => {
        say(`warming up, log in ${store}`);
        await runClients(url, 'own mappings', 64, WARM_UP_SECONDS);
        const figures: Figure[] = [];
        for (const row of ROWS) {
          say(`${row.what} for ${SECONDS} s, log in ${store}`);
          figures.push(...(await measure(url, hasGoals ? row : { ...row, goals: {} })));
        }
        return figures.map((figure) => ({ ...figure, what: `${figure.what}, log in ${store}` }));
      },
      settings(round),
    ),
  );

const measure = async (url: string, { what, load, count, goals }: Row): Promise<readonly Figure[]> => {
  const { latencies } = await runClients(url, load, count, SECONDS);
  const quantileOf = (name: string, share: number, goal: number | undefined): Figure => ({
    ...{ what: `${what}, ${name}`, value: rounded(quantile(latencies, share)), unit: 'ms' },
    ...(goal !== undefined && { goal: { atMost: goal } }),
  });
  const { perSecond, p50, p99 } = goals;
  return [
    {
      ...{ what, value: rounded(latencies.length / SECONDS), unit: 'per second' },
      ...(perSecond !== undefined && { goal: { atLeast: perSecond } }),
    },
    quantileOf('p50', 0.5, p50),
    quantileOf('p99', 0.99, p99),
  ];
};
