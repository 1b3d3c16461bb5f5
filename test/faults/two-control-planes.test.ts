import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port';
import { runToItsEnd } from '../support/run-to-its-end';
import { type RunningSystem, TIMEOUT_MS } from '../support/running-system';
import { startTwoControlPlanes, type TwoControlPlanes } from '../support/two-control-planes';
import { waitFor } from '../support/wait-for';

jest.setTimeout(3 * TIMEOUT_MS);

let both: TwoControlPlanes;
let first: RunningSystem;
let second: RunningSystem;
beforeAll(async () => {
  both = await startTwoControlPlanes({
    ROWGRAPH_JOB_INTERVALS: 'reconciliation=1s,lifecycle=1s,export_reconciliation=1s,resource_monitor=1s',
  });
  ({ first, second } = both);
});
afterAll(() => both.close());

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

describe('two control planes on one database', () => {
  it('run the jobs on one of them, whichever receives a trigger', async () => {
    expect(await runsOn(second, first)).toBe(true);
    await trigger(second, 'reconciliation');
    await waitFor('the first control plane has run the job', () => wasRunFor(second, 'reconciliation'));
    expect(await runsOn(second, first)).toBe(true);
  });

  it('prevent the start of a third one that would run its own pods', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rowgraph-third-'));
    const { code, lines } = await runToItsEnd({
      ...first.environment,
      ROWGRAPH_DATA_DIR: folder,
      ROWGRAPH_PORT: String(await freePort()),
      ROWGRAPH_INTERNAL_PORT: String(await freePort()),
      ROWGRAPH_POD_RUNTIME: 'process',
    });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(
      /^Another control plane or a rowgraph command uses this database: process \d+ on .* must be the only one/,
    );
    await rm(folder, { recursive: true });
  });

  it('continue when the one that runs the jobs is killed, including triggered jobs', async () => {
    await first.kill('control plane');
    await trigger(second, 'lifecycle');
    await waitFor('the triggered job has run', () => wasRunFor(second, 'lifecycle'));
    expect(await runsOn(second, second)).toBe(true);
  });

  it('keep the jobs when the killed one restarts, and hand them over at once at a stop', async () => {
    await first.start();
    expect(await runsOn(first, second)).toBe(true);
    const pid = second.processes('control plane')[0]?.pid ?? 0;
    await second.stop();
    // The stopped control plane has released the lease, so the first one does not wait until it expires.
    expect(
      await both.query(`SELECT 1 FROM es.leases WHERE name = 'jobs' AND owner LIKE '%:${pid}:%' AND until > now()`),
    ).toEqual([]);
  });
});
