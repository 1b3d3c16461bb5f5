import { signServiceToken } from '../../adapters/http/internal/service-token';
import { ExportJobsApi } from '../../pod/export-worker/export-jobs-api';
import { type WorkerJob } from '../../queries/views/export-job';
import { type ApiClient } from '../support/api-client';
import { expectRight } from '../support/given-when-then';
import { createInstance, createMapping, deleteInstance, findInstance } from '../support/instances';
import { logOf } from '../support/log-of';
import { type RunningSystem, TIMEOUT_MS } from '../support/running-system';
import { townMapping } from '../support/sample-mappings';
import { INTERNAL_SECRET, startTwoControlPlanes, type TwoControlPlanes } from '../support/two-control-planes';
import { waitFor } from '../support/wait-for';

jest.setTimeout(3 * TIMEOUT_MS);

const ANALYSTS = Array.from({ length: 20 }, (_, index) => `analyst-${index}`);
const AT_ONCE = ANALYSTS.flatMap((name) => Array.from({ length: 5 }, () => name));
const CAP = 50;

let both: TwoControlPlanes;
let first: RunningSystem;
let second: RunningSystem;
let mapping: number;
beforeAll(async () => {
  both = await startTwoControlPlanes({
    ROWGRAPH_EMBEDDED_WORKER: 'off',
    ROWGRAPH_JOB_INTERVALS: 'export_reconciliation=1s',
  });
  ({ first, second } = both);
  for (const username of ANALYSTS) await first.as('olivia').call('createUser', { body: { username } });
  mapping = await createMapping(first.as('ada'), townMapping);
});
afterAll(() => both.close());

/** A user at one of the two control planes, alternating. */
const byTurns = (index: number, username: string): ApiClient => (index % 2 === 0 ? first : second).as(username);

/** The internal API of one of the two, as a worker calls it. */
const workerAt = (system: RunningSystem, workerId: string): ExportJobsApi =>
  new ExportJobsApi({
    url: `http://127.0.0.1:${system.environment['ROWGRAPH_INTERNAL_PORT']}`,
    token: () => signServiceToken(INTERNAL_SECRET, { kind: 'worker' }, 600),
    workerId,
    onRetry: () => undefined,
  });
const never = new AbortController().signal;
const complete = (worker: ExportJobsApi, { id, attempt }: WorkerJob) =>
  worker.report(id, { attempt, status: 'completed', row_count: 1, size_bytes: 1 }, never);

/** Claims this many jobs, as soon as any can be claimed. */
const untilClaimed = async (worker: ExportJobsApi, count: number): Promise<readonly WorkerJob[]> => {
  const jobs: WorkerJob[] = [];
  const claim = async (): Promise<boolean> => {
    const known = jobs.map(({ id }) => id);
    jobs.push(...expectRight(await worker.claim(count - jobs.length, known)));
    return jobs.length === count;
  };
  await waitFor(`${count} jobs are claimed`, claim);
  return jobs;
};

const untilStatus = (client: ApiClient, id: number, status: string): Promise<void> =>
  waitFor(`instance ${id} is ${status}`, async () => (await findInstance(client, id)).status === status, TIMEOUT_MS);

describe('two control planes on one database', () => {
  it('each show what was written to the other, at once to requests with its position, else soon', async () => {
    for (let round = 0; round < 30; round++) {
      const [writer, reader] = [byTurns(round, 'ada'), byTurns(round + 1, 'ada')];
      const name = `Town ${round}`;
      const { data, headers } = await writer.call('createMapping', { body: { ...townMapping, name } });
      const at = { 'X-Min-Position': String(headers['x-event-position']) };
      expect((await reader.call('getMapping', { id: data.id, headers: at })).data.name).toBe(name);
    }
    const { id } = (await first.as('ada').call('createMapping', { body: townMapping })).data;
    const path = `/api/mappings/${id}`;
    await waitFor(
      'the second control plane returns the resource',
      async () => (await second.as('ada').send('GET', path)).status === 200,
    );
  });

  it('execute a request with an idempotency key once, on either or on both at once', async () => {
    const body = { ...townMapping, name: 'Only once' };
    const ask = async (index: number, key: string) => {
      const headers = { 'Idempotency-Key': key };
      return byTurns(index, 'bob').send('POST', '/api/mappings', { body, headers });
    };
    const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => ask(index, 'together')));
    const again = await ask(1, 'together');
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 201, body: { data: { id: idOf(again.body) } } });
    }
    expect(await both.query(`SELECT count(*)::int AS there FROM mappings WHERE name = 'Only once'`)).toEqual([
      { there: 1 },
    ]);
  });

  it(`accept exactly ${CAP} of ${AT_ONCE.length} concurrent instance requests`, async () => {
    const body = { mapping_id: mapping, name: 'rush', wrapper_type: 'graphdb_a' };
    const answers = await Promise.all(
      AT_ONCE.map((username, index) => byTurns(index, username).send('POST', '/api/instances', { body })),
    );
    const refused = answers.filter(({ status }) => status !== 201);
    expect(answers.length - refused.length).toBe(CAP);
    for (const { status, body } of refused) {
      expect({ status, body }).toMatchObject({
        status: 409,
        body: { error: { code: 'CONCURRENCY_LIMIT_EXCEEDED', details: { limit_type: 'cluster_total' } } },
      });
    }
  });

  it('assign each export job to one of eight workers, once, and continue every instance', async () => {
    const jobs: number[] = [];
    const work = async (worker: ExportJobsApi): Promise<void> => {
      while (jobs.length < 2 * CAP) {
        for (const job of expectRight(await worker.claim(3, []))) {
          jobs.push(job.id);
          expect(await complete(worker, job)).toBe('accepted');
        }
      }
    };
    const workers = Array.from({ length: 8 }, (_, n) => workerAt(n % 2 === 0 ? first : second, `worker-${n}`));
    await Promise.all(workers.map(work));
    expect(new Set(jobs).size).toBe(jobs.length);
    const claims = (await logOf(first)).filter(({ type }) => type === 'ExportJobClaimed');
    expect(claims).toHaveLength(2 * CAP);
    expect(new Set(claims.map(({ streamId }) => streamId)).size).toBe(2 * CAP);
    const starting = `SELECT count(*)::int AS n FROM instances WHERE status = 'starting'`;
    await waitFor('all instances are starting', async () => (await both.query(starting))[0]?.['n'] === CAP, TIMEOUT_MS);
  });

  it('free every slot again, whichever receives the deletion', async () => {
    const { data } = await first.as('olivia').call('listInstances', { query: { limit: 100 } });
    await Promise.all(data.map(({ id }, index) => deleteInstance(byTurns(index, 'olivia'), id)));
    const taken = async (): Promise<unknown> => (await second.as('olivia').call('getClusterInstances')).data.total;
    await waitFor('no slot is in use', async () => (await taken()) === 0, TIMEOUT_MS);
  });

  it('release the exports of dead workers, whose queries no other worker may poll', async () => {
    const [silent, killed] = [workerAt(first, 'silent'), workerAt(second, 'embedded-killed-1')];
    const id = await createInstance(first.as('ada'), mapping, 'its workers vanish');
    const [ofSilent] = await untilClaimed(silent, 1);
    const [ofKilled] = await untilClaimed(killed, 1);
    const query = {
      status: 'submitted',
      queryengine_query_id: 'q',
      next_uri: 'duckdb:q',
      owned_by_worker: true,
    } as const;
    const ago = new Date(Date.now() - 60_000).toISOString();
    expect(await silent.report(ofSilent?.id ?? 0, { attempt: 1, ...query, next_poll_at: ago }, never)).toBe('accepted');
    expect(expectRight(await killed.pollable(10))).toEqual([]);
    await both.query(`INSERT INTO es.leases (name, owner, epoch, until)
      VALUES ('workers:embedded-killed-', 'x', 1, now() - interval '1 minute')`);
    const again = await untilClaimed(workerAt(first, 'next'), 2);
    expect(new Map(again.map(({ id, attempt }) => [id, attempt]))).toEqual(
      new Map([
        [ofSilent?.id, 2],
        [ofKilled?.id, 2],
      ]),
    );
    await deleteInstance(first.as('ada'), id);
  });

  it('continue what was requested at a killed one, and fire its timers', async () => {
    const [ada, worker] = [second.as('ada'), workerAt(second, 'survivor')];
    const held = await createInstance(first.as('ada'), mapping, 'its worker dies');
    const lost = await untilClaimed(workerAt(first, 'victim'), 2);
    const leases = lost.map(({ id }) => `'lease:${id}'`).join();
    const isSet = `SELECT count(*)::int AS n FROM es.timers WHERE timer_id IN (${leases})`;
    await waitFor('the timers of both leases are set', async () => (await both.query(isSet))[0]?.['n'] === 2);
    const fresh = await createInstance(first.as('ada'), mapping, 'just requested');
    await first.kill('control plane');
    await both.query(`UPDATE es.timers SET due_at = now() WHERE timer_id IN (${leases})`);

    const done: WorkerJob[] = [];
    const exportAll = async (): Promise<boolean> => {
      for (const job of expectRight(await worker.claim(10, []))) {
        expect(await complete(worker, job)).toBe('accepted');
        done.push(job);
      }
      return done.length === 4;
    };
    await waitFor('every export has completed', exportAll, TIMEOUT_MS);
    expect(done.map(({ attempt }) => attempt).sort()).toEqual([1, 1, 2, 2]);
    for (const job of lost) expect(await complete(worker, job)).toBe('refused');
    for (const id of [held, fresh]) await untilStatus(ada, id, 'starting');
  });

  it('both work again after the killed one was restarted', async () => {
    await first.start();
    const id = await createInstance(first.as('bob'), mapping);
    await waitFor(
      'the second control plane returns the instance',
      async () => (await second.as('bob').send('GET', `/api/instances/${id}`)).status === 200,
    );
  });
});

const idOf = (body: unknown): number => (body as { readonly data: { readonly id: number } }).data.id;
