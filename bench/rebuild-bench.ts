import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type BenchDatabase, withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { type Figure, quantile, rounded } from './figure';
import { type Sample } from './list-clients';
import { type LoopReport } from './open-loop';
import { postgresPidOf, processorMsOfEnded, processorMsOfTree } from './processor-time';
import { fillQuietLog } from './quiet-log';
import { type TrafficReport } from './traffic-clients';

/** The number of events of the log. */
const EVENTS = Number(process.env['EVENTS'] ?? 200_000);
const SECONDS = 10;
const WARM_UP_SECONDS = 3;
/** When rebuilds are cancelled, as shares of the time of a whole one: while they read, and while they index. */
const CANCELLED_AT = [0.2, 0.8];

/** `rowgraph rebuild all` of a long log, alone and beside commands and lists; then cancelled. */
export const rebuildBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(async (database) => {
    const { pool } = database;
    say(`writing a log of ${EVENTS} events`);
    await fillQuietLog(pool, EVENTS);
    say('a rebuild alone');
    const alone = await rebuildAll(database);
    await pool.query('VACUUM ANALYZE');
    return withBenchSystem(database, async (url) => {
      await withTraffic(url, () => setTimeout(WARM_UP_SECONDS * 1000));
      say(`commands and lists for ${SECONDS} s`);
      const [before] = await withTraffic(url, () => setTimeout(SECONDS * 1000));
      say('the same beside a rebuild');
      const [during, beside] = await withTraffic(url, () => rebuildAll(database));
      say('rebuilds that are cancelled');
      const failures = [...during.commands.failures, ...during.reads.failures].filter((one) => !isRejected(one));
      const [failure] = [...failures, ...during.stale];
      if (failure !== undefined) say(`for example: ${failure.split('\n').at(-1)}`);
      const leftovers = await cancelRebuilds(database, alone.seconds * 1000);
      return [
        ...speedOf('rebuild of all read models', alone),
        ...speedOf('rebuild beside traffic', beside),
        ...effectsOf(before, during),
        { what: 'schemas and leases of cancelled rebuilds', value: leftovers, unit: 'left', goal: { atMost: 0 } },
      ];
    });
  });

/** A complete rebuild. */
interface Rebuild {
  readonly events: number;
  readonly seconds: number;
  readonly processorMs: number;
  readonly databaseMs: number;
}

const PROGRAM = join(__dirname, '../adapters/maintenance/cli.js');

const startRebuild = ({ connectionString, folder }: BenchDatabase) =>
  spawn(process.execPath, [PROGRAM, 'rebuild', 'all', '--json'], {
    env: { ROWGRAPH_DATABASE_URL: connectionString, ROWGRAPH_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });

const rebuildAll = async (database: BenchDatabase): Promise<Rebuild> => {
  const postgres = postgresPidOf(database.folder);
  const [processorBefore, databaseBefore, begunAt] = [
    processorMsOfEnded(),
    processorMsOfTree(postgres),
    performance.now(),
  ];
  const program = startRebuild(database);
  const [printed] = await Promise.all([text(program.stdout), once(program, 'exit')]);
  if (program.exitCode !== 0) throw new Error(`The rebuild exited with ${program.exitCode}.`);
  return {
    events: (JSON.parse(printed) as readonly { readonly events: number }[])[0]?.events ?? 0,
    seconds: (performance.now() - begunAt) / 1000,
    processorMs: processorMsOfEnded() - processorBefore,
    databaseMs: processorMsOfTree(postgres) - databaseBefore,
  };
};

/** Interrupts rebuilds; returns the number of schemas and leases that they leave. */
const cancelRebuilds = async (database: BenchDatabase, wholeMs: number): Promise<number> => {
  const before = await countLeftovers(database.pool);
  for (const share of CANCELLED_AT) {
    const program = startRebuild(database);
    const ended = Promise.all([text(program.stdout), once(program, 'exit')]);
    await setTimeout(share * wholeMs);
    program.kill('SIGINT');
    await ended;
  }
  return (await countLeftovers(database.pool)) - before;
};

const countLeftovers = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT ((SELECT count(*) FROM pg_namespace WHERE starts_with(nspname, 'rm_'))
       + (SELECT count(*) FROM es.leases WHERE starts_with(name, 'rebuild ') AND until > now()))::int AS count`,
  );
  return rows[0]?.count ?? NaN;
};

/** Runs some work while commands and lists arrive. */
const withTraffic = async <A>(url: string, work: () => Promise<A>): Promise<readonly [TrafficReport, A]> => {
  const program = spawn(process.execPath, [join(__dirname, 'traffic-clients.js'), url], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const reported = text(program.stdout);
  const done = await work();
  program.stdin.end();
  return [JSON.parse(await reported) as TrafficReport, done];
};

const speedOf = (what: string, { events, seconds, processorMs, databaseMs }: Rebuild): readonly Figure[] => {
  const perMillion = (ms: number): number => rounded((1000 * ms) / events);
  return [
    { what, value: rounded(events / seconds), unit: 'events/s' },
    { what: `${what}, processor time of its process`, value: perMillion(processorMs), unit: 's per million events' },
    { what: `${what}, processor time of PostgreSQL`, value: perMillion(databaseMs), unit: 's per million events' },
  ];
};

const effectsOf = (before: TrafficReport, during: TrafficReport): readonly Figure[] => {
  const none = { atMost: 0 };
  const [readsBefore, readsDuring] = [p95Of(before.reads.samples), p95Of(during.reads.samples)];
  return [
    { what: 'requests rejected with 429 before it', value: rejectedIn(before), unit: '' },
    { what: 'requests rejected with 429 beside it', value: rejectedIn(during), unit: '' },
    { what: 'commands beside the rebuild', value: during.commands.samples.length, unit: '' },
    { what: '… failed', value: failedIn(during.commands), unit: '', goal: none },
    { what: '… answered before the read models had them', value: during.pending, unit: '', goal: none },
    { what: 'reads beside the rebuild', value: during.reads.samples.length, unit: '' },
    { what: '… failed', value: failedIn(during.reads), unit: '', goal: none },
    { what: '… stale', value: during.stale.length, unit: '', goal: none },
    { what: 'reads, p95 before', value: readsBefore, unit: 'ms' },
    { what: 'reads, p95 beside the rebuild', value: readsDuring, unit: 'ms' },
    {
      what: 'reads, p95 beside to before',
      value: rounded(readsDuring / readsBefore),
      unit: 'times',
      goal: { atMost: 2 },
    },
    { what: 'commands, p95 before', value: p95Of(before.commands.samples), unit: 'ms' },
    { what: 'commands, p95 beside the rebuild', value: p95Of(during.commands.samples), unit: 'ms' },
  ];
};

/** A user may have so many requests in progress: the machine is too slow for this load. */
const isRejected = (failure: string): boolean => failure.startsWith('answered HTTP/1.1 429');

const rejectedIn = ({ commands, reads }: TrafficReport): number =>
  [...commands.failures, ...reads.failures].filter(isRejected).length;

const failedIn = ({ failures }: LoopReport): number => failures.filter((failure) => !isRejected(failure)).length;

const p95Of = (samples: readonly Sample[]): number =>
  rounded(
    quantile(
      samples.map(({ ms }) => ms),
      0.95,
    ),
  );
