import { auditTrailProjection } from '../projections/audit-trail';
import { measureAnswers } from './audit-answers';
import { type BenchDatabase, withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { type Figure, quantile, rounded } from './figure';
import { runProgram } from './maintenance-program';
import { fillQuietLog, setCheckpoint } from './quiet-log';
import { runClients } from './run-clients';

/** The number of events of the log. */
const EVENTS = Number(process.env['EVENTS'] ?? 1_000_000);
const CLIENTS = 64;
const SECONDS = 10;
const WARM_UP_SECONDS = 3;
/** With and without the audit trail in turn, so that a slow moment of the machine affects both. */
const ROUNDS = 3;
/** A checkpoint that no log reaches: the projection has nothing to do. */
const BEYOND = '9000000000000000000';

/** The audit trail, earlier moments and causes over HTTP in a long log; commands with and without the audit trail. */
export const auditBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(async (database) => {
    const { pool } = database;
    say(`writing a log of ${EVENTS} events`);
    await fillQuietLog(pool, EVENTS);
    say('filling the read models');
    await runProgram(database, ['rebuild', 'all']);
    await pool.query('VACUUM ANALYZE');
    const answers = await withBenchSystem(database, (url) => measureAnswers(pool, url, say));
    return [...answers, ...(await measureCommands(database, say))];
  });

const measureCommands = async (database: BenchDatabase, say: (line: string) => void): Promise<readonly Figure[]> => {
  const measure = async (what: string, position: string | null): Promise<number> => {
    say(`commands ${what} the audit trail for ${SECONDS} s`);
    const perSecond = await withBenchSystem(database, async (url) => {
      // A running reader continues at a checkpoint that was moved.
      await setCheckpoint(database.pool, auditTrailProjection, position);
      await runClients(url, 'own mappings', CLIENTS, WARM_UP_SECONDS);
      return (await runClients(url, 'own mappings', CLIENTS, SECONDS)).latencies.length / SECONDS;
    });
    await setCheckpoint(database.pool, auditTrailProjection, null);
    return perSecond;
  };
  const [alone, beside]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone.push(await measure('without', BEYOND));
    beside.push(await measure('with', null));
  }
  const [without, with_] = [quantile(alone, 0.5), quantile(beside, 0.5)];
  return [
    { what: 'commands without the audit trail', value: rounded(without), unit: 'per second' },
    { what: 'commands with the audit trail', value: rounded(with_), unit: 'per second' },
    {
      ...{ what: 'commands, fewer with the audit trail', value: rounded((100 * (without - with_)) / without) },
      ...{ unit: '%', goal: { atMost: 10 } },
    },
  ];
};
