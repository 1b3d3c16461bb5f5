import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Pool } from 'pg';
import { type BenchDatabase, withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { type Figure, quantile, rounded } from './figure';
import { type LoadReport } from './list-clients';
import { changeInstances, fillReadModels, INSTANCES, MAPPINGS } from './list-world';
import { processorMsOfTree } from './processor-time';

const CLIENTS = 32;
const SECONDS = 20;
/** Events and reports of pods, each, while the last lists are measured. */
const WRITES_PER_SECOND = 20;

/** Lists of instances over HTTP, every filter and sort, by many clients at once, beside large read models. */
export const listsBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(async (database) =>
    withBenchSystem(database, async (url) => {
      say(`filling the read models with ${INSTANCES} instances and ${MAPPINGS} mappings`);
      await fillReadModels(database.pool);
      say('warming up');
      await load(url, 10);
      say(`${CLIENTS} clients for ${SECONDS} s`);
      const atRest = await measure(database, url);
      say(`the same beside ${WRITES_PER_SECOND} events and as many reports per second`);
      const beside = await whileWriting(database.pool, () => measure(database, url));
      return [
        ...summaryOf(atRest, 'lists'),
        ...figuresByKind(atRest.samples),
        ...summaryOf(beside, 'lists beside writes'),
      ];
    }),
  );

interface Measured extends LoadReport {
  /** Processor time by who used it; the API runs in this process. */
  readonly apiMs: number;
  readonly databaseMs: number;
}

const measure = async ({ folder }: BenchDatabase, url: string): Promise<Measured> => {
  const pid = Number(readFileSync(join(folder, 'postgres', 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0]);
  const [before, databaseBefore] = [process.cpuUsage(), processorMsOfTree(pid)];
  const report = await load(url, SECONDS);
  const { user, system } = process.cpuUsage(before);
  return { ...report, apiMs: (user + system) / 1000, databaseMs: processorMsOfTree(pid) - databaseBefore };
};

const load = async (url: string, seconds: number): Promise<LoadReport> => {
  const program = join(__dirname, 'list-clients.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, String(CLIENTS), String(seconds)], {
    maxBuffer: 512 * 1024 * 1024,
  });
  return JSON.parse(stdout) as LoadReport;
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

const p95 = (values: readonly number[]): number => rounded(quantile(values, 0.95));

const summaryOf = ({ samples, apiMs, databaseMs, processorMs }: Measured, what: string): readonly Figure[] => {
  const all = samples.map(({ ms }) => ms);
  const perList = (who: string, ms: number): Figure => ({
    what: `${what}, processor time of ${who}`,
    value: rounded(ms / samples.length),
    unit: 'ms each',
  });
  return [
    { what, value: rounded(samples.length / SECONDS), unit: 'lists/s', goal: { atLeast: 1500 } },
    { what: `${what}, p50`, value: rounded(quantile(all, 0.5)), unit: 'ms' },
    { what: `${what}, p95`, value: p95(all), unit: 'ms', goal: { atMost: 30 } },
    perList('the API', apiMs),
    perList('PostgreSQL', databaseMs),
    perList('the clients', processorMs),
  ];
};

const figuresByKind = (samples: LoadReport['samples']): readonly Figure[] =>
  [...new Set(samples.map(({ kind }) => kind))].sort().map((kind): Figure => {
    const values = samples.filter((sample) => sample.kind === kind).map(({ ms }) => ms);
    return { what: `${kind}, p95`, value: p95(values), unit: 'ms', goal: { atMost: 30 } };
  });
