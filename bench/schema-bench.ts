import { setTimeout as sleep } from 'node:timers/promises';
import { right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { createPool } from '../adapters/postgres/pool';
import { createPostgresSchemaCache } from '../adapters/postgres/postgres-schema-cache';
import { uuids } from '../adapters/system/uuids';
import { type EngineTable } from '../domain/ports/query-engine';
import { type SchemaPage } from '../domain/ports/schema-cache';
import { withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { type Figure, quantile, rounded } from './figure';

const SCHEMAS = 20;
const TABLES = 1000;
const COLUMNS = 50;
const SEARCHES = 1000;
const GOAL_MS = 20;
const WORDS =
  'account address amount balance city client country created currency customer date email event first id invoice item key last name number order owner payment person phone price product quantity rate region sale segment status street tax time total type user value zip'.split(
    ' ',
  );

/** Prefix search over HTTP in a cache of a million columns. */
export const schemaBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(async ({ connectionString, pool, folder }) =>
    withBenchSystem({ connectionString, folder }, async (url) => {
      await untilRefreshed(pool);
      const long = createPool({ connectionString, max: 2, statementTimeoutMs: 0 });
      const cache = createPostgresSchemaCache(long, uuids.uuid);
      say(`caching ${SCHEMAS * TABLES * COLUMNS} columns`);
      await cache.replaceCatalog({ catalog: 'bench', readAt: new Date(), problem: null, isComplete: true }, pages());
      await long.end();
      await pool.query('ANALYZE schema_cache.tables, schema_cache.columns');
      const figures: Figure[] = [];
      for (const clients of [1, 4]) {
        say(`${SEARCHES} searches by ${clients} at once`);
        for (const kind of ['columns', 'tables']) figures.push(await measureSearch(url, kind, clients));
      }
      return figures;
    }),
  );

/** The refresh at the start would remove the rows that are inserted before its end. */
const untilRefreshed = async (pool: Pool): Promise<void> => {
  for (let last: unknown = null; ;) {
    await sleep(2000);
    const { rows } = await pool.query<{ last_refresh: Date | null }>('SELECT last_refresh FROM schema_cache.state');
    const now = rows[0]?.last_refresh?.getTime() ?? null;
    if (now !== null && now === last) return;
    last = now;
  }
};

async function* pages(): AsyncGenerator<ReturnType<typeof right<SchemaPage>>> {
  for (let schema = 0; schema < SCHEMAS; schema += 1) {
    for (let first = 0; first < TABLES; first += 500) {
      await Promise.resolve();
      const tables = Array.from({ length: 500 }, (_, index) => tableOf(first + index));
      yield right({ schema: `schema_${schema}`, tables });
    }
  }
}

const word = (number: number): string => WORDS[number % WORDS.length] ?? '';
const nameOf = (number: number): string => `${word(number)}_${word(number * 7 + 3)}_${number}`;

const tableOf = (number: number): EngineTable => ({
  name: nameOf(number),
  type: 'TABLE',
  columns: Array.from({ length: COLUMNS }, (_, index) => ({
    name: nameOf(number * 3 + index),
    type: 'varchar',
    nullable: true,
    ordinalPosition: index + 1,
    defaultValue: null,
  })),
});

const measureSearch = async (url: string, kind: string, clients: number): Promise<Figure> => {
  const latencies: number[] = [];
  let asked = 0;
  const client = async (): Promise<void> => {
    while (asked < SEARCHES) {
      asked += 1;
      // From one letter, with which a twentieth of all names start, to a whole name.
      const prefix = nameOf((asked * 13) % TABLES).slice(0, 1 + (asked % 12));
      const sent = performance.now();
      const answer = await fetch(`${url}/api/schema/search/${kind}?q=${prefix}`, {
        headers: { 'X-Username': 'olivia' },
      });
      const { data } = (await answer.json()) as { data: readonly unknown[] };
      latencies.push(performance.now() - sent);
      if (answer.status !== 200 || data.length === 0) throw new Error(`nothing found by ${prefix}: ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  const what = `search for ${kind}, ${clients} at once, p95`;
  return { what, value: rounded(quantile(latencies, 0.95)), unit: 'ms', goal: { atMost: GOAL_MS } };
};
