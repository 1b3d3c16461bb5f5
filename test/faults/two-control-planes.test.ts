import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { createTestDatabase, type TestDatabase } from '../support/postgres';
import { PATIENCE_MS, type RunningSystem, startRunningSystem } from '../support/running-system';
import { waitFor } from '../support/wait-for';

jest.setTimeout(3 * PATIENCE_MS);

const TAKEOVER_MS = 15_000;
let database: TestDatabase;
let objects: string;
let first: RunningSystem;
let second: RunningSystem;
beforeAll(async () => {
  database = await createTestDatabase();
  objects = await mkdtemp(join(tmpdir(), 'rowgraph-objects-'));
  const settings = {
    ROWGRAPH_DATABASE_URL: database.connectionString,
    ROWGRAPH_OBJECT_STORE_DIR: objects,
    // Pods that are local processes belong to one machine and one control plane.
    ROWGRAPH_POD_RUNTIME: 'none',
    ROWGRAPH_JOB_INTERVALS: 'reconciliation=1s,lifecycle=1s,export_reconciliation=1s,resource_monitor=1s',
  };
  first = await startRunningSystem(undefined, settings);
  // The users are there: both have the same ones.
  second = await startRunningSystem(undefined, settings, () => Promise.resolve());
});
afterAll(async () => {
  await Promise.all([first.close(), second.close()]);
  await rm(objects, { recursive: true, force: true });
  await database.drop();
});

const status = async (system: RunningSystem) => (await system.as('olivia').call('getJobsStatus')).data;
const runsOn = async (asked: RunningSystem, runner: RunningSystem): Promise<boolean> => {
  const pid = runner.processes('control plane')[0]?.pid ?? 0;
  return (await status(asked)).runs_on?.includes(`:${pid}:`) === true;
};
const trigger = (system: RunningSystem, job_name: string) =>
  system.as('olivia').call('triggerJob', { body: { job_name, reason: 'a test' } });
const wasRunFor = async (system: RunningSystem, name: string): Promise<boolean> => {
  const job = (await status(system)).jobs.find((known) => known.name === name);
  return job?.open_trigger === null && job.last_runs.some(({ triggered_by }) => triggered_by === 'olivia');
};
const rows = async (sql: string): Promise<readonly unknown[]> => {
  const client = new Client({ connectionString: database.connectionString });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
};

describe('two control planes on one database', () => {
  it('run the jobs on one of them, whichever is told to', async () => {
    expect(await runsOn(second, first)).toBe(true);
    await trigger(second, 'reconciliation');
    await waitFor('the first one has run it', () => wasRunFor(second, 'reconciliation'));
    expect(await runsOn(second, first)).toBe(true);
  });

  it('go on within 15 seconds when the one that runs them is killed, also with what was ordered', async () => {
    await first.kill('control plane');
    const killedAt = performance.now();
    await trigger(second, 'lifecycle');
    await waitFor('the second one runs the jobs', () => runsOn(second, second), TAKEOVER_MS);
    await waitFor('what was ordered was run', () => wasRunFor(second, 'lifecycle'), TAKEOVER_MS);
    expect(performance.now() - killedAt).toBeLessThan(TAKEOVER_MS);
  });

  it('leave the jobs where they are when the killed one comes back, and hand over at once at a stop', async () => {
    await first.start();
    expect(await runsOn(first, second)).toBe(true);
    await second.stop();
    await waitFor('the first one runs the jobs again', () => runsOn(first, first), 5_000);
  });

  it('have run no job twice at once', async () => {
    const runs = await rows('SELECT job_name FROM es.job_runs');
    expect(runs.length).toBeGreaterThan(20);
    expect(
      await rows(
        `SELECT a.* FROM es.job_runs a JOIN es.job_runs b ON a.job_name = b.job_name AND a.id < b.id
         WHERE a.started_at < b.ended_at AND b.started_at < a.ended_at`,
      ),
    ).toEqual([]);
  });
});
