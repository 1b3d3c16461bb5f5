import { type ApiClient } from '../../support/api-client';
import { type RunningSystem } from '../../support/running-system';
import { waitFor } from '../../support/wait-for';

export const INTERVALS = 'reconciliation=1h,resource_monitor=1s';

/** A part of restarted-system.test.ts. */
export const backgroundJobs = (shared: () => RunningSystem): void => {
  let system: RunningSystem;
  let olivia: ApiClient;
  beforeAll(() => {
    system = shared();
    olivia = system.as('olivia');
  });

  const job = async (name: string) => {
    const found = (await olivia.call('getJobsStatus')).data.jobs.find((known) => known.name === name);
    if (found === undefined) throw new Error(`${name} is not reported`);
    return found;
  };
  const trigger = (client: ApiClient, body: unknown) => client.refused('POST', '/api/ops/jobs/trigger', { body });

  describe('background jobs', () => {
    it('are listed with their schedules and states', async () => {
      await waitFor(
        'the resource monitor has run twice',
        async () => (await job('resource_monitor')).last_runs.length > 1,
      );
      await waitFor('all other jobs have run', async () => {
        const { jobs } = (await olivia.call('getJobsStatus')).data;
        return jobs.every(({ name, last_runs }) => name === 'verification' || last_runs.length > 0);
      });
      const { jobs, runs_on } = (await olivia.call('getJobsStatus')).data;
      expect(jobs.map(({ name, schedule }) => [name, schedule])).toEqual([
        ['reconciliation', 'every 60 minutes'],
        ['lifecycle', 'every 5 minutes'],
        ['export_reconciliation', 'every 5 seconds'],
        ['schema_cache', 'every 24 hours'],
        ['resource_monitor', 'every 1 second'],
        ['seal', 'every 60 seconds'],
        ['verification', 'every 7 days'],
      ]);
      expect(jobs.flatMap(({ last_runs }) => last_runs.map(({ error }) => error)).filter((e) => e !== null)).toEqual(
        [],
      );
      expect(runs_on).toContain(`:${system.processes('control plane')[0]?.pid ?? ''}:`);
      expect(await job('resource_monitor')).toMatchObject({
        last_success_at: expect.stringMatching(/Z$/) as string,
        last_failure_at: null,
        consecutive_failures: 0,
        health_status: 'healthy',
        open_trigger: null,
        next_run_at: expect.stringMatching(/Z$/) as string,
      });
      const [latest, before] = (await job('resource_monitor')).last_runs;
      expect(Date.parse(latest?.started_at ?? '')).toBeGreaterThanOrEqual(Date.parse(before?.started_at ?? '') + 1000);
    });

    it('run soon after a trigger, and cannot be triggered again within a minute', async () => {
      const body = { job_name: 'reconciliation', reason: 'looking for lost pods' };
      const { data } = await olivia.call('triggerJob', { body });
      expect(data).toEqual({
        ...body,
        status: 'queued',
        triggered_at: expect.stringMatching(/Z$/) as string,
        triggered_by: 'olivia',
      });
      await waitFor('the run of the job is reported', async () => {
        const { open_trigger, running_since, last_runs } = await job('reconciliation');
        return open_trigger === null && running_since === null && last_runs[0]?.triggered_by === 'olivia';
      });

      const { status, headers, body: refusal } = await olivia.send('POST', '/api/ops/jobs/trigger', { body });
      expect(status).toBe(429);
      const seconds = Number(headers['retry-after']);
      expect(seconds).toBeGreaterThan(30);
      expect(refusal).toMatchObject({
        error: { code: 'RATE_LIMIT_EXCEEDED', details: { retry_after_seconds: seconds } },
      });
    });

    it.each([
      [{}, ['job_name', 'reason']],
      [{ job_name: 'tidying', reason: 'x' }, ['job_name']],
      [{ job_name: 'lifecycle' }, ['reason']],
      [{ job_name: 'lifecycle', reason: '' }, ['reason']],
      [{ job_name: 'lifecycle', reason: 'x'.repeat(501) }, ['reason']],
      [{ job_name: 'lifecycle', reason: 7 }, ['reason']],
    ])('cannot be triggered by %j', async (body, fields) => {
      const { status, code, details } = await trigger(olivia, body);
      expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_ERROR' });
      expect((details['errors'] as { field: string }[]).map(({ field }) => field)).toEqual(fields);
    });

    it('seal the log and verify the system, and show both in the state', async () => {
      for (const job_name of ['seal', 'verification'] as const) {
        const before = (await job(job_name)).last_runs.length;
        await olivia.call('triggerJob', { body: { job_name, reason: 'an audit' } });
        await waitFor(`${job_name} has run`, async () => (await job(job_name)).last_runs.length > before);
      }
      const result = (await job('verification')).last_runs[0]?.result;
      expect(result).toMatchObject({ differences: 0 });
      const { seal, verification } = (await olivia.call('getOpsState')).data;
      expect(seal?.hash).toMatch(/^[0-9a-f]{64}$/);
      expect(verification).toMatchObject({ ...result, ended_at: expect.stringMatching(/Z$/) as string });
    });

    it('continue their schedules after a restart', async () => {
      const before = await job('reconciliation');
      await system.kill('control plane');
      await system.start();
      const pid = `:${system.processes('control plane')[0]?.pid ?? 0}:`;
      const isBack = async () => (await olivia.call('getJobsStatus')).data.runs_on?.includes(pid) === true;
      await waitFor('the jobs run again', isBack);
      const after = await job('reconciliation');
      expect(after.next_run_at).toBe(before.next_run_at);
      expect(after.last_runs).toEqual(before.last_runs);
    });
  });
};
