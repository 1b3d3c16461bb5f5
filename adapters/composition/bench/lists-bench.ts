import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { type Figure, quantile, rounded } from './figure';
import { type Sample } from './list-clients';
import { fillReadModels, INSTANCES, MAPPINGS } from './list-world';

const CLIENTS = 32;
const SECONDS = 20;

/** Lists of instances over HTTP, every filter and sort, by many clients at once, beside large read models. */
export const listsBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(async ({ connectionString, pool, folder }) =>
    withBenchSystem({ connectionString, folder }, async (url) => {
      say(`filling the read models with ${INSTANCES} instances and ${MAPPINGS} mappings`);
      await fillReadModels(pool);
      say('warming up');
      await load(url, 3);
      say(`${CLIENTS} clients for ${SECONDS} s`);
      return figuresOf(await load(url, SECONDS));
    }),
  );

const load = async (url: string, seconds: number): Promise<readonly Sample[]> => {
  const program = join(__dirname, 'list-clients.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, url, String(CLIENTS), String(seconds)], {
    maxBuffer: 512 * 1024 * 1024,
  });
  return JSON.parse(stdout) as readonly Sample[];
};

const figuresOf = (samples: readonly Sample[]): readonly Figure[] => {
  const all = samples.map(({ ms }) => ms);
  const kinds = [...new Set(samples.map(({ kind }) => kind))].sort();
  const p95 = (values: readonly number[]): number => rounded(quantile(values, 0.95));
  return [
    { what: 'lists', value: rounded(samples.length / SECONDS), unit: 'lists/s', goal: { atLeast: 1500 } },
    { what: 'all lists, p50', value: rounded(quantile(all, 0.5)), unit: 'ms' },
    { what: 'all lists, p95', value: p95(all), unit: 'ms', goal: { atMost: 30 } },
    ...kinds.map((kind): Figure => {
      const values = samples.filter((sample) => sample.kind === kind).map(({ ms }) => ms);
      return { what: `${kind}, p95`, value: p95(values), unit: 'ms', goal: { atMost: 30 } };
    }),
  ];
};
