import { createPostgresEventStore } from '../adapters/postgres/postgres-event-store';
import { createPostgresLeaseStore } from '../adapters/postgres/postgres-lease-store';
import { auditTrailProjection } from '../projections/audit-trail';
import { type Projection } from '../projections/projection';
import { rebuildProjections } from '../projections/rebuild';
import { readModels } from '../projections/replay-schema';
import { measureAnswers } from './audit-answers';
import { type BenchDatabase, withBenchDatabase } from './bench-database';
import { withBenchSystem } from './bench-system';
import { runClients } from './commands-bench';
import { type Figure, quantile, rounded } from './figure';
import { postgresPidOf, processorMsOfTree } from './processor-time';
import { fillQuietLog, setCheckpoint } from './quiet-log';

/** The number of events of the log. */
const EVENTS = Number(process.env['EVENTS'] ?? 1_000_000);
const CLIENTS = 64;
const SECONDS = 10;
const WARM_UP_SECONDS = 3;
/** With and without the audit trail in turn, so that a slow moment of the machine affects both. */
const ROUNDS = 3;
/** A checkpoint that no log reaches: the projection has nothing to do. */
const BEYOND = '9000000000000000000';

/** The audit trail, earlier moments and causes over HTTP in a long log; filling the read models; commands beside them. */
export const auditBench = (say: (line: string) => void): Promise<readonly Figure[]> =>
  withBenchDatabase(async (database) => {
    const { pool } = database;
    say(`writing a log of ${EVENTS} events`);
    await fillQuietLog(pool, EVENTS);
    const filled = await fillReadModels(database, say);
    const answers = await withBenchSystem(database, (url) => measureAnswers(pool, url, say));
    return [...filled, ...answers, ...(await measureCommands(database, say))];
  });

/** Fills all read models, and the audit trail again alone. */
const fillReadModels = async (database: BenchDatabase, say: (line: string) => void): Promise<readonly Figure[]> => {
  const { pool } = database;
  say('filling the read models');
  const all = await fill(database, readModels, 'filling all read models');
  const trail = await fill(database, [auditTrailProjection], 'filling the audit trail');
  await pool.query('VACUUM ANALYZE');
  return [...all, ...trail];
};

const fill = async (
  { pool, connectionString, folder }: BenchDatabase,
  projections: readonly Projection[],
  what: string,
): Promise<readonly Figure[]> => {
  const store = createPostgresEventStore({ pool, connectionString });
  const postgres = postgresPidOf(folder);
  const [before, databaseBefore, begunAt] = [process.cpuUsage(), processorMsOfTree(postgres), performance.now()];
  try {
    const { events } = await rebuildProjections({ pool, store, leases: createPostgresLeaseStore(pool) }, projections);
    const seconds = (performance.now() - begunAt) / 1000;
    const { user, system } = process.cpuUsage(before);
    const ofDatabase = (processorMsOfTree(postgres) - databaseBefore) / 1000;
    return [
      { what, value: rounded(events / seconds), unit: 'events/s' },
      { what: `${what}, processor time of the API`, value: rounded((user + system) / 1e6), unit: 's' },
      { what: `${what}, processor time of PostgreSQL`, value: rounded(ofDatabase), unit: 's' },
    ];
  } finally {
    await store.close();
  }
};

const measureCommands = async (database: BenchDatabase, say: (line: string) => void): Promise<readonly Figure[]> => {
  const measure = async (what: string, position: string | null): Promise<number> => {
    say(`commands ${what} the audit trail for ${SECONDS} s`);
    const perSecond = await withBenchSystem(database, async (url) => {
      const load = { load: 'own mappings', count: CLIENTS } as const;
      // A running reader continues at a checkpoint that was moved.
      await setCheckpoint(database.pool, auditTrailProjection, position);
      await runClients(url, load, WARM_UP_SECONDS);
      return (await runClients(url, load, SECONDS)).samples.length / SECONDS;
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
