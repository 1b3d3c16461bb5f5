import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type WorkerJob } from '../../../queries/views/export-job';
import { runInDatabase } from '../../adapters/duckdb/warehouse-fixture';
import { containing, readParquet } from '../../contracts/query-engine/query-engine-contract';
import { freePort } from '../../support/free-port';
import { waitFor } from '../../support/wait-for';
import { holdQuery } from './held-query';
import { type RecordingControlPlane, startRecordingControlPlane, WORKER_TOKEN } from './recording-control-plane';
import { startWorker, type WorkerProcess } from './worker-process';

let folder: string;
let plane: RecordingControlPlane;
let worker: WorkerProcess;
let lastId = 0;
let metricsPort: number;

const environment = (): NodeJS.ProcessEnv => ({
  ROWGRAPH_WORKER_ID: 'worker/1',
  ROWGRAPH_WORKER_CONTROL_PLANE_URL: plane.url,
  ROWGRAPH_WORKER_TOKEN: WORKER_TOKEN,
  ROWGRAPH_WAREHOUSE_DIR: join(folder, 'warehouse'),
  ROWGRAPH_OBJECT_STORE_ROOT: pathToFileURL(join(folder, 'objects')).href,
  ROWGRAPH_WORKER_SCRATCH_DIR: join(folder, 'scratch'),
  ROWGRAPH_WORKER_MEMORY_MB: '300',
});

const NOT_BEGUN = {
  ...{
    claimed_by: null,
    claimed_at: null,
    queryengine_query_id: null,
    next_uri: null,
    next_poll_at: null,
    poll_count: 0,
  },
  ...{
    row_count: null,
    size_bytes: null,
    submitted_at: null,
    completed_at: null,
    error_message: null,
    traceparent: null,
  },
};

const newJob = (sql: string, columns: readonly string[], more: Partial<WorkerJob> = {}): WorkerJob => {
  lastId += 1;
  return {
    id: lastId,
    snapshot_id: 1,
    ...{ instance_id: 7, owner_username: 'bob', mapping_owner: 'ada' },
    status: 'claimed',
    job_type: 'node',
    entity_name: 'Customer',
    sql,
    column_names: columns,
    queryengine_catalog: 'bank',
    storage_path: `ada/1/v1/${lastId}/nodes/Customer/`,
    attempt: 1,
    ...NOT_BEGUN,
    ...more,
  };
};
const attemptFolder = (job: WorkerJob): string =>
  join(folder, `objects/ada/1/v1/${job.id}/nodes/Customer/attempt-${job.attempt}`);

const offer = (...jobs: WorkerJob[]): void => {
  plane.pending.push(...jobs);
  worker.child.send({ type: 'jobs_available' });
};
const reportsOf = (job: WorkerJob): readonly Record<string, unknown>[] =>
  plane.reports.filter((report) => report.jobId === job.id).map((report) => report.body);
const endOf = async (job: WorkerJob): Promise<Record<string, unknown>> => {
  const isEnd = (body: Record<string, unknown>): boolean => ['completed', 'failed'].includes(String(body['status']));
  await waitFor(`job ${job.id} has ended`, () => reportsOf(job).some(isEnd));
  return reportsOf(job).find(isEnd)!;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowgraph-worker-'));
  await runInDatabase(
    join(folder, 'warehouse/bank.duckdb'),
    "CREATE TABLE customer AS SELECT i AS id, 'n' || i AS name FROM range(1000) t(i)",
  );
  plane = await startRecordingControlPlane();
  metricsPort = await freePort();
  worker = startWorker({ ...environment(), ROWGRAPH_WORKER_METRICS_PORT: String(metricsPort) });
  await waitFor('the worker claims jobs', () => plane.claims.length > 0);
});
beforeEach(() => {
  plane.onReport = () => null;
});
afterAll(async () => {
  worker.child.kill('SIGKILL');
  await plane.down();
  await rm(folder, { recursive: true, force: true });
});

describe('the export worker', () => {
  it('logs its start and its limits in one line', () => {
    expect(worker.output().trim().split('\n')).toHaveLength(1);
    expect(worker.output()).toContain(`export worker worker/1 takes up to 4 jobs at a time from ${plane.url}`);
    expect(plane.claims[0]).toEqual({ worker_id: 'worker/1', limit: 4, working_on: [] });
  });

  it('exports a quick query and reports it completed directly, with rows and bytes', async () => {
    const job = newJob('SELECT name, id FROM customer', ['id', 'name'], { attempt: 2 });
    offer(job);

    const end = await endOf(job);
    const bytes = await readFile(join(attemptFolder(job), 'part-0.parquet'));
    expect(reportsOf(job)).toHaveLength(1);
    expect(end).toEqual({ attempt: 2, status: 'completed', row_count: 1000, size_bytes: bytes.length });
    expect(JSON.parse(await readFile(join(attemptFolder(job), 'manifest.json'), 'utf8'))).toEqual({
      files: [
        {
          file: 'part-0.parquet',
          rows: 1000,
          bytes: bytes.length,
          sha256: createHash('sha256').update(bytes).digest('hex'),
        },
      ],
      rows: 1000,
    });
    const { rows } = await readParquet([join(attemptFolder(job), 'part-0.parquet')]);
    expect(Object.keys(rows[0]!)).toEqual(['id', 'name']);
  });

  it('exports a query without rows to an empty typed file', async () => {
    const job = newJob('SELECT id FROM customer WHERE id < 0', ['id']);
    offer(job);

    expect(await endOf(job)).toMatchObject({ status: 'completed', row_count: 0 });
    expect(await readParquet([join(attemptFolder(job), 'part-0.parquet')])).toEqual({
      rows: [],
      types: { id: 'BIGINT' },
    });
  });

  it('reports the definition, the missing column and the existing columns', async () => {
    const job = newJob('SELECT id, name FROM customer', ['id', 'foo']);
    offer(job);
    expect(await endOf(job)).toEqual({
      attempt: 1,
      status: 'failed',
      can_retry: false,
      error_message: containing('node Customer: column "foo"'),
    });
  });

  it('reports the position of an error in a query', async () => {
    const job = newJob('SELECT id,\n  nothere FROM customer', ['id'], { job_type: 'edge', entity_name: 'OWNS' });
    offer(job);
    const { error_message: message } = await endOf(job);
    expect(message).toMatch(/^edge OWNS: .*nothere.*\(line 2, column 3\)$/s);
  });

  it('cuts a long message at 4,000 characters', async () => {
    const job = newJob(`SELECT "${'x'.repeat(9000)}" FROM customer`, ['id']);
    offer(job);
    expect(String((await endOf(job))['error_message'])).toHaveLength(4000);
  });

  it('reports a failed store as a failure, never as zero rows', async () => {
    const job = newJob('SELECT id FROM customer', ['id']);
    await mkdir(join(attemptFolder(job), '..'), { recursive: true });
    await writeFile(attemptFolder(job), 'a file where the folder belongs');
    offer(job);
    const end = await endOf(job);
    expect(end).toMatchObject({
      status: 'failed',
      error_message: containing('ada/1/v1/'),
    });
    expect(end['error_message']).not.toContain(folder);
  });

  it('works on as many jobs as its limit allows, and claims more when one has ended', async () => {
    plane.claims.splice(0);
    const queries = await Promise.all(Array.from({ length: 6 }, () => holdQuery(ownScratch())));
    const jobs = queries.map(({ sql }) => newJob(sql, ['id']));
    offer(...jobs);
    await waitFor('four exports are in progress', async () => (await jobsUnderWay()).length === 4);
    expect(plane.pending).toEqual(jobs.slice(4));

    for (const [index, { end }] of queries.entries()) {
      await end();
      expect(await endOf(jobs[index]!)).toMatchObject({ status: 'completed', row_count: 1 });
      await waitFor('the next job is claimed', () => plane.pending.length <= Math.max(0, 1 - index));
    }
    for (const { limit, working_on: others } of plane.claims) {
      expect(Number(limit) + (others as number[]).length).toBe(4);
    }
  });

  it('claims jobs at once when its parent process announces them', async () => {
    const untilClaim = async (announce: () => void): Promise<number> => {
      const [before, startedAt] = [plane.claims.length, performance.now()];
      announce();
      await waitFor('the worker claims jobs again', () => plane.claims.length > before);
      return performance.now() - startedAt;
    };
    const inSilence = () => untilClaim(() => undefined);
    await inSilence();
    const intervalMs = await inSilence();
    let announcedMs = 0;
    for (let round = 0; round < 10; round += 1)
      announcedMs += await untilClaim(() => worker.child.send({ type: 'jobs_available' }));
    expect(announcedMs).toBeLessThan(10 * intervalMs);
  });

  it('reports a slow query as submitted, keeps its record current and completes it as soon as it ends', async () => {
    const query = await holdQuery(ownScratch());
    const job = newJob(query.sql, ['id']);
    offer(job);
    await waitFor('the worker has sent two reports', () => reportsOf(job).length >= 2);
    await query.end();
    const completed = await endOf(job);

    const [submitted, rescheduled] = reportsOf(job);
    expect(submitted).toMatchObject({
      attempt: 1,
      status: 'submitted',
      poll_count: 0,
      next_uri: containing('duckdb:'),
      owned_by_worker: true,
    });
    const address = submitted!['next_uri'];
    expect(address).toBe(`duckdb:${String(submitted!['queryengine_query_id'])}`);
    expect(rescheduled).toEqual({ attempt: 1, next_uri: address, poll_count: 1, next_poll_at: containing('Z') });
    expect(completed).toMatchObject({ status: 'completed', row_count: 1 });
  });

  it('drops a job whose report is rejected: the query is cancelled, the files are deleted', async () => {
    const job = newJob(ENDLESS, ['id']);
    await mkdir(attemptFolder(job), { recursive: true });
    plane.onReport = ({ jobId }) => (jobId === job.id ? { status: 409 } : null);
    offer(job);

    await waitFor('the files are deleted', () => !existsSync(attemptFolder(job)));
    await waitFor('the scratch folder is deleted', async () => (await jobsUnderWay()).length === 0);
    expect(reportsOf(job)).toEqual([]);
  });

  it('cancels the queries of lost jobs without waiting for a rejected report', async () => {
    const jobs = Array.from({ length: 4 }, () => newJob(ENDLESS, ['id'], { attempt: 2 }));
    const [failed, deleted, lapsed, kept] = jobs.map(({ id }) => id);
    // The read models may not contain the latest claim yet.
    jobs.forEach(({ id }) => plane.statuses.set(id, { status: 'pending', attempt: 1 }));
    offer(...jobs);
    await waitFor('four exports are in progress', async () => (await jobsUnderWay()).length === 4);
    plane.statuses.set(failed!, { status: 'failed', attempt: 2 });
    plane.statuses.set(deleted!, null);
    plane.statuses.set(lapsed!, { status: 'claimed', attempt: 3 });
    plane.questions.splice(0);

    await waitFor('three of the exports have ended', async () => (await jobsUnderWay()).length === 1);
    await waitFor('the worker asks about the last job only', () => plane.questions.at(-1)?.length === 1);
    expect(plane.questions.at(0)).toEqual(jobs.map(({ id }) => id));
    expect(plane.questions.at(-1)).toEqual([kept]);
    expect(await jobsUnderWay()).toEqual([`job-${kept}-attempt-2`]);
    jobs.slice(0, 3).forEach((job) => expect(reportsOf(job)).toEqual([]));
    plane.statuses.set(kept!, { status: 'pending', attempt: 2 });
    await waitFor('the last export has ended', async () => (await jobsUnderWay()).length === 0);
  });

  it('keeps the files of a job that another worker has completed with them', async () => {
    const job = newJob(ENDLESS, ['id']);
    await mkdir(attemptFolder(job), { recursive: true });
    offer(job);
    await waitFor('the export is in progress', async () => (await jobsUnderWay()).length > 0);
    plane.statuses.set(job.id, { status: 'completed', attempt: 1 });

    await waitFor('the export has ended', async () => (await jobsUnderWay()).length === 0);
    expect(existsSync(attemptFolder(job))).toBe(true);
  });

  it('deletes what it exported when the job has ended meanwhile, but not files that were already completed', async () => {
    const lost = newJob('SELECT id FROM customer', ['id']);
    const done = newJob('SELECT id FROM customer', ['id']);
    let answered = 0;
    plane.onReport = ({ jobId }) => {
      answered += 1;
      const details = { current_status: jobId === lost.id ? 'failed' : 'completed', attempt: 1 };
      return { status: 409, body: { error: { code: 'INVALID_STATE_TRANSITION', message: 'no', details } } };
    };
    offer(done, lost);

    await waitFor('both reports are answered', () => answered === 2);
    await waitFor('the files are deleted', () => !existsSync(attemptFolder(lost)));
    expect(await readdir(attemptFolder(done))).toEqual(['manifest.json', 'part-0.parquet']);
  });

  it('fails a job whose export ran in another process', async () => {
    const address = 'duckdb:0b3c2c5e000040008000000000000000';
    plane.pollable.push(newJob('SELECT id FROM customer', ['id'], { next_uri: address, poll_count: 3 }));
    const job = plane.pollable[0]!;
    expect(await endOf(job)).toMatchObject({
      attempt: 1,
      status: 'failed',
      error_message: containing(`node Customer: unknown export ${address}`),
      can_retry: true,
    });
  });

  it('repeats the report of a finished job until the control plane is reachable', async () => {
    const job = newJob('SELECT id FROM customer', ['id']);
    let refusals = 0;
    plane.onReport = () => ((refusals += 1) <= 2 ? { status: refusals === 1 ? 503 : 401 } : null);
    offer(job);
    await waitFor('a report is rejected', () => refusals > 0);
    await plane.down();
    await plane.up();

    expect(await endOf(job)).toMatchObject({ status: 'completed', row_count: 1000 });
    expect(refusals).toBeGreaterThanOrEqual(3);
    const after = newJob('SELECT id FROM customer', ['id']);
    offer(after);
    expect(await endOf(after)).toMatchObject({ status: 'completed' });
  });

  it('exports Prometheus metrics', async () => {
    const job = newJob('SELECT id FROM customer', ['id']);
    const measured = async (): Promise<string> => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const value = async (sample: string): Promise<number> => {
      const line = (await measured()).split('\n').find((one) => one.startsWith(`${sample} `));
      return Number(line?.split(' ')[1] ?? 0);
    };
    const rows = await value('rowgraph_worker_exported_rows_total');
    const completed = await value('rowgraph_worker_jobs_total{outcome="completed"}');
    offer(job);
    const { size_bytes: bytes } = await endOf(job);
    await waitFor(
      'the metric counts no job in progress',
      async () => (await value('rowgraph_worker_jobs_under_way')) === 0,
    );
    expect(await value('rowgraph_worker_exported_rows_total')).toBe(rows + 1000);
    expect(await value('rowgraph_worker_jobs_total{outcome="completed"}')).toBe(completed + 1);
    expect(await value('rowgraph_worker_job_duration_seconds_count{outcome="completed"}')).toBe(completed + 1);
    expect(await value('rowgraph_worker_exported_bytes_total')).toBeGreaterThanOrEqual(Number(bytes));
    for (const sample of [
      'jobs_total{outcome="failed"}',
      'jobs_total{outcome="dropped"}',
      'polls_total{what="claim",outcome="answered"}',
      'reports_repeated_total',
    ]) {
      expect(await value(`rowgraph_worker_${sample}`)).toBeGreaterThan(0);
    }
    expect((await fetch(`http://127.0.0.1:${metricsPort}/`)).status).toBe(404);
  });

  it('leaves no scratch files behind', async () => {
    await waitFor('the scratch folders are deleted', async () =>
      (await scratchFolders()).every((name) => name.startsWith('duckdb-')),
    );
  });
});

describe('a stopping export worker', () => {
  it('finishes its job on SIGTERM and exits with code 0', async () => {
    const own = startWorker({ ...environment(), ROWGRAPH_WORKER_ID: 'stopping' });
    const job = newJob('SELECT 1 AS id WHERE sleep_ms(1000) IS NULL', ['id']);
    await waitFor('the worker claims jobs', () => plane.claims.some((claim) => claim['worker_id'] === 'stopping'));
    plane.pending.push(job);
    await waitFor('the job is claimed', () => plane.pending.length === 0);
    own.child.kill('SIGTERM');
    worker.child.kill('SIGTERM');

    expect(await own.exited).toBe(0);
    expect(await worker.exited).toBe(0);
    expect(await endOf(job)).toMatchObject({ status: 'completed' });
    expect(await scratchFolders()).toEqual([]);
  });

  it('releases a job that does not finish in time, without files and with its query cancelled', async () => {
    const tokenFile = join(folder, 'token');
    await writeFile(tokenFile, `${WORKER_TOKEN}\n`);
    const { ROWGRAPH_WORKER_TOKEN: _token, ...others } = environment();
    const own = startWorker({
      ...{ ...others, ROWGRAPH_WORKER_TOKEN_FILE: tokenFile },
      ...{ ROWGRAPH_WORKER_ID: 'stopping', ROWGRAPH_WORKER_FINISH_SECONDS: '1' },
    });
    const [job, done] = [newJob(ENDLESS, ['id']), newJob('SELECT 1 AS id', ['id'])];
    plane.pending.push(job, done);
    await waitFor('both jobs are claimed', () => plane.pending.length === 0);
    await endOf(done);
    own.child.kill('SIGTERM');
    // The first control plane that is asked may be about to stop as well.
    let refusals = 0;
    plane.onReport = () => (refusals++ === 0 ? { status: 503 } : null);

    expect(await own.exited).toBe(0);
    expect(reportsOf(job)).toEqual([{ attempt: 1, status: 'pending' }]);
    expect(refusals).toBe(2);
    expect(existsSync(attemptFolder(job))).toBe(false);
    expect(await scratchFolders()).toEqual([]);
  });

  it('reports a job that it has completed, also after its time to finish', async () => {
    const own = startWorker({
      ...environment(),
      ...{ ROWGRAPH_WORKER_ID: 'stopping', ROWGRAPH_WORKER_FINISH_SECONDS: '1' },
    });
    let availableAt = Infinity;
    let refusals = 0;
    plane.onReport = () => {
      if (Date.now() >= availableAt) return null;
      refusals += 1;
      return { status: 503 };
    };
    const job = newJob('SELECT 1 AS id', ['id']);
    plane.pending.push(job);
    await waitFor('a report is rejected', () => refusals > 0);
    availableAt = Date.now() + 2_000;
    own.child.kill('SIGTERM');

    expect(await own.exited).toBe(0);
    expect(reportsOf(job)).toEqual([expect.objectContaining({ status: 'completed', row_count: 1 })]);
  });

  it('continues with a token that is replaced in its file', async () => {
    const file = join(folder, 'token');
    await writeFile(file, `${WORKER_TOKEN}\n`);
    const { ROWGRAPH_WORKER_TOKEN: _token, ...others } = environment();
    const own = startWorker({ ...others, ROWGRAPH_WORKER_ID: 'rotating', ROWGRAPH_WORKER_TOKEN_FILE: file });
    const claims = (): number => plane.claims.filter((claim) => claim['worker_id'] === 'rotating').length;
    await waitFor('the worker claims jobs', () => claims() > 0);
    plane.token = 'the-next-token';
    await waitFor('the claim is rejected', () => own.output().includes('returned 401'));
    const before = claims();
    await writeFile(file, plane.token);
    await waitFor('the worker claims jobs again', () => claims() > before);
    plane.token = WORKER_TOKEN;
    own.child.kill('SIGTERM');
    expect(await own.exited).toBe(0);
  });

  it('exits when its parent process has ended', async () => {
    const own = startWorker({ ...environment(), ROWGRAPH_WORKER_ID: 'orphan' });
    await waitFor('the worker claims jobs', () => plane.claims.some((claim) => claim['worker_id'] === 'orphan'));
    own.child.disconnect();
    expect(await own.exited).toBe(0);
  });

  it('does not start with invalid settings, and lists all of them', async () => {
    const own = startWorker({
      ROWGRAPH_WORKER_ID: 'x',
      ROWGRAPH_OBJECT_STORE_ROOT: '/data',
      ROWGRAPH_WORKER_CONCURRENCY: '0',
    });
    expect(await own.exited).toBe(1);
    expect(own.output()).toContain('ROWGRAPH_WORKER_CONTROL_PLANE_URL is required');
    expect(own.output()).toContain('ROWGRAPH_WORKER_TOKEN is required');
    expect(own.output()).toContain('ROWGRAPH_OBJECT_STORE_ROOT must be a URL that begins with file://');
    expect(own.output()).toContain('ROWGRAPH_WORKER_CONCURRENCY must be an integer from 1 to 100');
  });

  it('does not start without its warehouse', async () => {
    const own = startWorker({
      ...environment(),
      ROWGRAPH_WORKER_ID: 'lost',
      ROWGRAPH_WAREHOUSE_DIR: join(folder, 'nowhere'),
    });
    expect(await own.exited).toBe(1);
    expect(own.output()).toContain(join(folder, 'nowhere'));
  });
});

const ownScratch = (): string => join(folder, 'scratch/worker%2F1');
const scratchFolders = async (): Promise<readonly string[]> =>
  (
    await Promise.all(['worker%2F1', 'stopping'].map((name) => readdir(join(folder, 'scratch', name)).catch(() => [])))
  ).flat();

const ENDLESS = 'SELECT 1 AS id WHERE sleep_ms(600000) IS NULL';

/** The scratch folders of jobs, which exist while their queries run. */
const jobsUnderWay = async (): Promise<readonly string[]> =>
  (await scratchFolders()).filter((name) => name.startsWith('job-'));
