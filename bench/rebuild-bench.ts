import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { type Pool } from 'pg';
import { type BenchDatabase, withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { type Figure, quantile, rounded } from './figure';
import { processorFigures, type ProgramRun, runProgram, startProgram } from './maintenance-program';
import { type LoopReport } from './open-loop';
import { fillQuietLog } from './quiet-log';
import { type TrafficReport } from './traffic-clients';

/** The number of events of the log. */
const EVENTS = Number(process.env['EVENTS'] ?? 200_000);
const SECONDS = 10;
const WARM_UP_SECONDS = 3;
/** When rebuilds are cancelled, as shares of the time of a whole one: while they read, and while they index. */
const CANCELLED_AT = [0.2, 0.8];

const REBUILD = ['rebuild', 'all', '--json'];
const VERIFY = ['verify', '--json'];
const TIME_MACHINE = ['time-machine', '--as-of', new Date().toISOString(), '--port', '0'];

/** The programs that replay a long log: alone, and beside commands and lists; rebuilds also cancelled. */
export const rebuildBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(async (database) => {
    const { pool } = database;
    say(`writing a log of ${EVENTS} events`);
    await fillQuietLog(pool, EVENTS);
    say('a rebuild alone');
    const rebuilt = await runProgram(database, REBUILD);
    await pool.query('VACUUM ANALYZE');
    return withBenchSystem(database, async (url) => {
      say('a verification and a time machine alone');
      const verified = await runProgram(database, VERIFY);
      const served = await runProgram(database, TIME_MACHINE, 'it prints');
      await withTraffic(url, () => setTimeout(WARM_UP_SECONDS * 1000));
      say(`commands and lists for ${SECONDS} s`);
      const [before] = await withTraffic(url, () => setTimeout(SECONDS * 1000));
      say('the same beside a rebuild');
      const [duringRebuild, besideRebuild] = await withTraffic(url, () => runProgram(database, REBUILD));
      say('the same beside a verification');
      const [duringVerify, besideVerify] = await withTraffic(url, () => runProgram(database, VERIFY));
      say('rebuilds that are cancelled');
      const leftovers = await cancelRebuilds(database, rebuilt.seconds * 1000);
      return [
        ...speedOf('rebuild of all read models', rebuilt),
        ...figuresOf('verify', verified, 60),
        ...figuresOf('time machine ready', served, 40),
        ...trafficOf('before', before, say),
        ...speedOf('rebuild beside traffic', besideRebuild),
        ...trafficOf('beside the rebuild', duringRebuild, say),
        timesOf('beside the rebuild', before, duringRebuild),
        ...figuresOf('verify beside traffic', besideVerify),
        ...trafficOf('beside verify', duringVerify, say),
        timesOf('beside verify', before, duringVerify),
        { what: 'schemas and leases of cancelled rebuilds', value: leftovers, unit: 'left', goal: { atMost: 0 } },
      ];
    });
  });

/** Interrupts rebuilds; returns the number of schemas and leases that they leave. */
const cancelRebuilds = async (database: BenchDatabase, wholeMs: number): Promise<number> => {
  const before = await countLeftovers(database.pool);
  for (const share of CANCELLED_AT) {
    const program = startProgram(database, REBUILD);
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

const speedOf = (what: string, run: ProgramRun): readonly Figure[] => {
  const events = (JSON.parse(run.printed) as readonly { readonly events: number }[])[0]?.events ?? 0;
  return [{ what, value: rounded(events / run.seconds), unit: 'events/s' }, ...processorFigures(what, run, events)];
};

/** `goalSeconds` is for a log of a million events. */
const figuresOf = (what: string, run: ProgramRun, goalSeconds?: number): readonly Figure[] => {
  const goal = goalSeconds === undefined ? {} : { goal: { atMost: (goalSeconds * EVENTS) / 1e6 } };
  return [
    { what, value: rounded(run.seconds), unit: 's', ...goal },
    ...processorFigures(what, run, EVENTS),
    { what: `${what}, peak memory`, value: run.megabytes, unit: 'MB', goal: { atMost: 300 } },
  ];
};

const trafficOf = (when: string, report: TrafficReport, say: (line: string) => void): readonly Figure[] => {
  const { commands, reads, stale, pending } = report;
  const failures = [...commands.failures, ...reads.failures];
  const [failure] = [...failures.filter((one) => !isRejected(one)), ...stale];
  if (failure !== undefined) say(`for example: ${failure.split('\n').at(-1)}`);
  const none = { unit: '', goal: { atMost: 0 } };
  return [
    { what: `commands ${when}`, value: commands.latencies.length, unit: '' },
    { what: `commands ${when}, failed`, value: failedIn(commands), ...none },
    { what: `commands ${when}, answered before the read models had them`, value: pending, ...none },
    { what: `commands ${when}, p95`, value: p95Of(commands), unit: 'ms' },
    { what: `reads ${when}`, value: reads.latencies.length, unit: '' },
    { what: `reads ${when}, failed`, value: failedIn(reads), ...none },
    { what: `reads ${when}, stale`, value: stale.length, ...none },
    { what: `reads ${when}, p95`, value: p95Of(reads), unit: 'ms' },
    { what: `requests ${when}, rejected with 429`, value: failures.filter(isRejected).length, unit: '' },
  ];
};

const timesOf = (when: string, before: TrafficReport, during: TrafficReport): Figure => ({
  what: `reads, p95 ${when} to before`,
  value: rounded(p95Of(during.reads) / p95Of(before.reads)),
  ...{ unit: 'times', goal: { atMost: 2 } },
});

/** A user may have so many requests in progress: the machine is too slow for this load. */
const isRejected = (failure: string): boolean => failure.startsWith('answered HTTP/1.1 429');

const failedIn = ({ failures }: LoopReport): number => failures.filter((failure) => !isRejected(failure)).length;

const p95Of = ({ latencies }: LoopReport): number => rounded(quantile(latencies, 0.95));
