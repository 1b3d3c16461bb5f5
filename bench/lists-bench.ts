import { type Pool } from 'pg';
import { type BenchDatabase, withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { type Figure, quantile, rounded } from './figure';
import { changeInstances, fillReadModel, INSTANCES } from './list-world';
import { type Load, type LoadReport } from './load-clients';
import { postgresPidOf, processorMsOfTree } from './processor-time';
import { runClients } from './run-clients';

const CLIENTS = 32;
const SECONDS = 10;
/** The rate of events, and of reports of pods, while the last lists are measured. */
const WRITES_PER_SECOND = 20;

/**
 * Lists of instances with every filter and sort order, and single instances, over HTTP with many concurrent clients.
 */
export const listsBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(async (database) =>
    withBenchSystem(database, async (url) => {
      say(`filling the read model with ${INSTANCES} instances`);
      await fillReadModel(database.pool);
      say('warming up');
      await runClients(url, 'lists', CLIENTS, 5);
      say(`${CLIENTS} clients for ${SECONDS} s`);
      const atRest = await measure(database, url, 'lists');
      const one = await measure(database, url, 'one instance');
      say(`the same beside ${WRITES_PER_SECOND} events and as many reports per second`);
      const beside = await whileWriting(database.pool, () => measure(database, url, 'lists'));
      return [
        ...summaryOf(atRest, 'lists', { atLeast: 600, p95: 80 }),
        ...summaryOf(beside, 'lists beside writes', { atLeast: 400 }),
        ...summaryOf(one, 'one instance', { atLeast: 1500 }),
      ];
    }),
  );

interface Measured extends LoadReport {
  /** Processor time by process; the API runs in this process. */
  readonly apiMs: number;
  readonly databaseMs: number;
}

const measure = async ({ folder }: BenchDatabase, url: string, what: Load): Promise<Measured> => {
  const pid = postgresPidOf(folder);
  const [before, databaseBefore] = [process.cpuUsage(), processorMsOfTree(pid)];
  const report = await runClients(url, what, CLIENTS, SECONDS);
  const { user, system } = process.cpuUsage(before);
  return { ...report, apiMs: (user + system) / 1000, databaseMs: processorMsOfTree(pid) - databaseBefore };
};

const whileWriting = async <A>(pool: Pool, work: () => Promise<A>): Promise<A> => {
  let writing = Promise.resolve();
  const write = (): void => void (writing = writing.then(() => changeInstances(pool)));
  const timer = setInterval(write, 1000 / WRITES_PER_SECOND);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await writing;
  }
};

interface Goals {
  /** Answers per second. */
  readonly atLeast: number;
  /** ms. */
  readonly p95?: number;
}

const summaryOf = (measured: Measured, what: string, { atLeast, p95 }: Goals): readonly Figure[] => {
  const { latencies, apiMs, databaseMs, processorMs } = measured;
  const each = (who: string, ms: number): Figure => ({
    what: `${what}, processor time of ${who}`,
    value: rounded(ms / latencies.length),
    unit: 'ms each',
  });
  return [
    { what, value: rounded(latencies.length / SECONDS), unit: 'per second', goal: { atLeast } },
    {
      ...{ what: `${what}, p95`, value: rounded(quantile(latencies, 0.95)), unit: 'ms' },
      ...(p95 === undefined ? {} : { goal: { atMost: p95 } }),
    },
    each('the API', apiMs),
    each('PostgreSQL', databaseMs),
    each('the clients', processorMs),
  ];
};
