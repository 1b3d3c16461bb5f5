import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BenchDatabase, withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { type CommandLoad } from './command-clients';
import { withBenchEventStore } from './event-store/bench-event-store';
import { type Figure, quantile, rounded } from './figure';
import { type LoadReport } from './list-clients';
import { postgresPidOf, processorMsOfTree } from './processor-time';

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
  readonly load: CommandLoad;
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
 * New versions of mappings over HTTP, each answered when the read models contain it, and the time of each step: with
 * the log in PostgreSQL and, if a server is available, in EventStoreDB.
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
      async (url, internalUrl) => {
        say(`warming up, log in ${store}`);
        await runClients(url, { load: 'own mappings', count: 64 }, WARM_UP_SECONDS);
        const figures: Figure[] = [];
        for (const row of ROWS) {
          say(`${row.what} for ${SECONDS} s, log in ${store}`);
          figures.push(...(await measure(database, url, internalUrl, hasGoals ? row : { ...row, goals: {} })));
        }
        return figures.map((figure) => ({ ...figure, what: `${figure.what}, log in ${store}` }));
      },
      settings(round),
    ),
  );

const measure = async (
  { folder }: BenchDatabase,
  url: string,
  internalUrl: string,
  row: Row,
): Promise<readonly Figure[]> => {
  const postgres = postgresPidOf(folder);
  const [before, databaseBefore, stepsBefore] = [
    process.cpuUsage(),
    processorMsOfTree(postgres),
    await steps(internalUrl),
  ];
  const { samples, processorMs } = await runClients(url, row, SECONDS);
  const { user, system } = process.cpuUsage(before);
  const stepsAfter = await steps(internalUrl);
  const latencies = samples.map(({ ms }) => ms);
  const each = (what: string, ms: number): Figure => ({
    what: `${row.what}, ${what}`,
    value: rounded(ms / samples.length),
    unit: 'ms each',
  });
  const quantileOf = (name: string, share: number, goal: number | undefined): Figure => ({
    ...{ what: `${row.what}, ${name}`, value: rounded(quantile(latencies, share)), unit: 'ms' },
    ...(goal !== undefined && { goal: { atMost: goal } }),
  });
  const { perSecond, p50, p99 } = row.goals;
  return [
    {
      ...{ what: row.what, value: rounded(samples.length / SECONDS), unit: 'per second' },
      ...(perSecond !== undefined && { goal: { atLeast: perSecond } }),
    },
    quantileOf('p50', 0.5, p50),
    quantileOf('p99', 0.99, p99),
    ...Object.keys(STEPS).map((step) => each(step, (stepsAfter[step] ?? 0) - (stepsBefore[step] ?? 0))),
    each('processor time of the API', (user + system) / 1000),
    each('processor time of PostgreSQL', processorMsOfTree(postgres) - databaseBefore),
    each('processor time of the clients', processorMs),
  ];
};

/** The steps of a write, and the metrics with their total time. */
const STEPS: Readonly<Record<string, RegExp>> = {
  'from request to answer': /^rowgraph_http_request_duration_seconds_sum\{api="public",method="PUT"\} (.*)$/m,
  'in the append': /^rowgraph_append_duration_seconds_sum\{stream="mapping"\} (.*)$/m,
  'waiting for the read models': /^rowgraph_catch_up_duration_seconds_sum (.*)$/m,
};

/** Milliseconds spent in each step so far. */
const steps = async (internalUrl: string): Promise<Readonly<Record<string, number>>> => {
  const text = await (await fetch(`${internalUrl}/metrics`)).text();
  return Object.fromEntries(
    Object.entries(STEPS).map(([step, metric]) => [step, 1000 * Number(metric.exec(text)?.[1] ?? 0)]),
  );
};

/** Loads a system from a separate process. */
export const runClients = async (
  url: string,
  { load, count }: Pick<Row, 'load' | 'count'>,
  seconds: number,
): Promise<LoadReport> => {
  const args = [join(__dirname, 'command-clients.js'), url, String(count), String(seconds), load];
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as LoadReport;
};
