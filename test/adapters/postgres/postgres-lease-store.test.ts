import { right } from 'fp-ts/Either';
import { type Pool } from 'pg';
import { pino } from 'pino';
import { watchReadiness } from '../../../adapters/metrics/health';
import { createPostgresJobRuns } from '../../../adapters/postgres/postgres-job-runs';
import { createPostgresLeaseStore, leasePorts } from '../../../adapters/postgres/postgres-lease-store';
import { START } from '../../../domain/kernel/event';
import { type Lease } from '../../../domain/ports/lease-store';
import { createCatchUp } from '../../../projections/catch-up';
import { createTestPool } from '../../support/create-test-pool';
import { createTestDatabase, type TestDatabase } from '../../support/postgres';
import { waitFor } from '../../support/wait-for';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  pool = createTestPool({ connectionString: database.connectionString });
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const acquired = async (name: string, owner = 'a', seconds = 60) => {
  const lease = await createPostgresLeaseStore(pool).acquire(name, owner, seconds);
  if (lease === null) throw new Error('the lease is taken');
  return lease;
};

/** Acquires the lease of another owner as soon as it expires. */
const onceLapsed = async (name: string): Promise<Lease> => {
  const leases: Lease[] = [];
  await waitFor(`the lease ${name} has expired`, async () => {
    const lease = await createPostgresLeaseStore(pool).acquire(name, 'b', 60);
    if (lease !== null) leases.push(lease);
    return lease !== null;
  });
  const [lease] = leases;
  return lease ?? acquired(name);
};

describe('a lease', () => {
  it('is granted to one of many simultaneous requests', async () => {
    const store = createPostgresLeaseStore(pool);
    const owners = Array.from({ length: 10 }, (_, index) => `replica ${index}`);
    const leases = await Promise.all(owners.map((owner) => store.acquire('crowd', owner, 60)));
    expect(leases.filter((lease) => lease !== null)).toHaveLength(1);
  });

  it('is free after it expired or was released, with a higher epoch', async () => {
    const store = createPostgresLeaseStore(pool);
    const first = await acquired('free', 'a', 0.05);
    const second = await onceLapsed('free');
    expect(second).toEqual({ name: 'free', owner: 'b', epoch: first.epoch + 1 });
    await store.release(second);
    expect((await acquired('free', 'c')).epoch).toBe(first.epoch + 2);
  });

  it('is renewed by its holder only', async () => {
    const store = createPostgresLeaseStore(pool);
    const lapsed = await acquired('renewed', 'a', 0.05);
    const held = await onceLapsed('renewed');
    expect(await store.renew(held, 60)).toBe(true);
    expect(await store.renew(lapsed, 60)).toBe(false);
    await store.release(lapsed);
    expect(await store.acquire('renewed', 'c', 60)).toBeNull();
  });
});

describe('leases that cannot be renewed', () => {
  it('are named by /ready while another process locks their table, until they are renewed again', async () => {
    const ports = leasePorts(pool, pino({ level: 'silent' }), 100);
    const readiness = watchReadiness({
      pool,
      eventLog: { store: { head: () => Promise.resolve(right(START)) }, name: 'log', kind: 'postgres' },
      catchUp: createCatchUp(),
      waitingReaders: new Map(),
      writes: { failures: () => ({}) },
      disk: { problem: () => Promise.resolve(null), onFailure: () => Promise.resolve() },
      leases: ports,
    });
    const lease = await ports.leases.acquire('watched', 'a', 60);
    if (lease === null) throw new Error('the lease is taken');
    expect(await readiness()).toEqual({});
    const locker = await pool.connect();
    await locker.query('BEGIN; LOCK TABLE es.leases IN ACCESS EXCLUSIVE MODE');
    const renewal = ports.leases.renew(lease, 60);
    await waitFor('the lease is late', async () => 'leases' in (await readiness()));
    expect(await readiness()).toEqual({
      leases: 'the lease of watched cannot be renewed: the database does not answer',
    });
    await locker.query('ROLLBACK');
    locker.release();
    expect(await renewal).toBe(true);
    expect(await readiness()).toEqual({});
  });
});

describe('the runs of a job', () => {
  const at = (second: number): Date => new Date(Date.UTC(2026, 2, 1, 12, 0, second));

  it('are started by the lease holder only', async () => {
    const runs = createPostgresJobRuns(pool);
    const lease = await acquired('jobs');
    expect(await runs.takeOver('lifecycle', at(3))).toEqual({ lastStartedAt: null, nextRunAt: at(3) });
    expect(await runs.begin('lifecycle', at(1), lease)).toBe(true);
    await createPostgresLeaseStore(pool).release(lease);
    expect(await runs.begin('lifecycle', at(2), lease)).toBe(false);
    expect(await runs.takeOver('lifecycle', at(4))).toEqual({ lastStartedAt: at(1), nextRunAt: at(3) });
  });

  it('are kept up to the latest hundred', async () => {
    const runs = createPostgresJobRuns(pool);
    await runs.takeOver('schema_cache', at(0));
    for (let n = 0; n < 105; n++) {
      const outcome =
        n % 2 === 0
          ? ({ kind: 'succeeded', result: { n } } as const)
          : ({ kind: 'failed', errorCode: 'SERVICE_UNAVAILABLE', errorMessage: `run ${n}` } as const);
      const ended = { startedAt: at(n), endedAt: at(n + 1), triggeredBy: null, outcome };
      await runs.end('schema_cache', ended, at(n + 60));
    }
    const { rows } = await pool.query<{ count: string; first: unknown }>(
      `SELECT count(*), min(error ->> 'message') FILTER (WHERE error IS NOT NULL) AS first FROM es.job_runs`,
    );
    expect(rows[0]?.count).toBe('100');
    expect((await runs.takeOver('schema_cache', at(0))).nextRunAt).toEqual(at(164));
    const { rows: progress } = await pool.query('SELECT * FROM es.job_progress WHERE job_name = $1', ['schema_cache']);
    expect(progress).toMatchObject([{ last_success_at: at(105), running_since: null }]);
  });
});
