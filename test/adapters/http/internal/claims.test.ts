import { appendEvents } from '../../../projections/sample-events';
import { jobPlanned } from '../../../support/domain-samples';
import { waitFor } from '../../../support/wait-for';
import { type InternalSystem, startInternalSystem } from './internal-system';

let system: InternalSystem;
beforeAll(async () => {
  system = await startInternalSystem('control-plane');
});
afterAll(() => system.close());

const JOBS = 1000;
const WORKERS = 8;

it('a thousand export jobs go to eight workers, each to exactly one', async () => {
  const ids = Array.from({ length: JOBS }, (_, index) => 10_000 + index);
  const { data: plan } = jobPlanned();
  await Promise.all(
    ids.map((id) => {
      const data = { ...plan, jobId: id, snapshotId: Math.floor(id / 10) };
      return appendEvents(system.ports.store, `export_job-${id}`, [{ type: 'ExportJobPlanned', data }]);
    }),
  );
  const claim = async (worker: string, limit: number): Promise<readonly number[]> => {
    const { data } = await system.asWorker('POST', '/export-jobs/claim', { worker_id: worker, limit });
    return (data as { readonly jobs: readonly { readonly id: number }[] }).jobs.map(({ id }) => id);
  };
  await waitFor('the read model contains the jobs', async () => {
    return (await system.db('export_jobs').count<{ count: number }[]>({ count: '*' }))[0]?.count === JOBS;
  });
  const work = async (worker: string): Promise<readonly number[]> => {
    const mine: number[] = [];
    for (;;) {
      const got = await claim(worker, 25);
      if (got.length === 0) return mine;
      mine.push(...got);
    }
  };
  const shares = await Promise.all(Array.from({ length: WORKERS }, (_, index) => work(`worker-${index}`)));
  expect(shares.flat().sort((a, b) => a - b)).toEqual(ids);
  // Each worker got a share.
  expect(Math.min(...shares.map((share) => share.length))).toBeGreaterThan(0);
});

it('a claim that the read model does not show yet is answered from its event', async () => {
  const { data: plan } = jobPlanned();
  await appendEvents(system.ports.store, 'export_job-20000', [
    { type: 'ExportJobPlanned', data: { ...plan, jobId: 20_000 } },
  ]);
  const { data } = await system.db.transaction(async (blocked) => {
    await waitFor(
      'the read model contains the job',
      async () => (await blocked('export_jobs').where('id', 20_000)).length > 0,
    );
    await blocked.raw('LOCK TABLE export_jobs IN SHARE MODE');
    return system.asWorker('POST', '/export-jobs/claim', { worker_id: 'early', limit: 1 });
  });
  expect(data).toMatchObject({ jobs: [{ id: 20_000, attempt: 1, status: 'claimed', claimed_by: 'early' }] });
});
