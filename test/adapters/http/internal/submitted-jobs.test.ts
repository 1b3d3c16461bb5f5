import { waitFor } from '../../../support/wait-for';
import { type InternalSystem, startInternalSystem } from './internal-system';

let system: InternalSystem;
beforeAll(async () => {
  system = await startInternalSystem('submitter');
});
afterAll(() => system.close());

const node = {
  job_type: 'node',
  entity_name: 'Person',
  queryengine_query_id: 'q-1',
  next_uri: 'http://engine/1',
  storage_path: 's3://bucket/nodes/Person/',
};
const edge = { ...node, job_type: 'edge', entity_name: 'KNOWS', queryengine_query_id: 'q-2' };
const submit = (snapshotId: number, jobs: readonly object[]) =>
  system.asWorker('POST', `/snapshots/${snapshotId}/export-jobs`, { jobs });

describe('export jobs from an external submitter', () => {
  it('run at once, are listed, polled and completed, and make the snapshot ready', async () => {
    const { instanceId, snapshotId } = await system.newInstance();
    expect(await system.asWorker('GET', `/snapshots/${snapshotId}/export-jobs`)).toMatchObject({ data: { jobs: [] } });
    const { status, data } = await submit(snapshotId, [node, { ...edge, submitted_at: '2026-01-01T00:00:00Z' }]);
    expect(status).toBe(201);
    expect(data).toEqual({
      created: 2,
      jobs: [
        { id: expect.any(Number) as number, entity_name: 'Person', status: 'submitted' },
        { id: expect.any(Number) as number, entity_name: 'KNOWS', status: 'submitted' },
      ],
    });
    const { jobs } = data as { readonly jobs: readonly { readonly id: number }[] };
    const list = async (status: string) =>
      (await system.asWorker('GET', `/snapshots/${snapshotId}/export-jobs?status=${status}`)).data;
    expect(await list('running')).toMatchObject({
      jobs: [
        { ...node, status: 'submitted', poll_count: 0, attempt: 0, next_poll_at: expect.any(String) as string },
        { ...edge, status: 'submitted', submitted_at: '2026-01-01T00:00:00.000Z' },
      ],
    });
    expect(await list('pending')).toEqual({ jobs: [] });
    await waitFor(
      'the snapshot is being created',
      async () => (await system.snapshot(snapshotId))?.status === 'creating',
    );
    for (const { id } of jobs) {
      const done = { status: 'completed', row_count: id, size_bytes: 10, attempt: 0 };
      expect(await system.asWorker('PATCH', `/export-jobs/${id}`, done)).toMatchObject({ status: 200 });
    }
    await waitFor('the snapshot is ready', async () => (await system.snapshot(snapshotId))?.status === 'ready');
    expect(await system.snapshot(snapshotId)).toMatchObject({ size_bytes: 20, node_counts: { Person: jobs[0]?.id } });
    await system.untilInstanceIs(instanceId, 'starting');
  });

  it('are accepted once', async () => {
    const { snapshotId } = await system.newInstance();
    const answers = await Promise.all([1, 2, 3].map(() => submit(snapshotId, [node, edge])));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({ error: { code: 'JOBS_ALREADY_EXIST' } });
    expect((await system.asWorker('GET', `/snapshots/${snapshotId}/export-jobs`)).data).toMatchObject({
      jobs: { length: 2 },
    });
  });

  it('may be left pending for workers', async () => {
    const { snapshotId } = await system.newInstance();
    const pending = [node, edge].map((job) => ({ ...job, status: 'pending' }));
    expect(await submit(snapshotId, pending)).toMatchObject({
      status: 201,
      data: { jobs: [{ status: 'pending' }, {}] },
    });
    expect(await system.asWorker('POST', '/export-jobs/claim', { worker_id: 'w' })).toMatchObject({
      data: { claimed: 2, jobs: [{ sql: 'SELECT id, name FROM people', status: 'claimed' }, {}] },
    });
  });

  it.each([
    ['none', [], 'jobs'],
    ['not all definitions', [node], 'jobs'],
    ['an unknown definition', [node, { ...edge, entity_name: 'LIKES' }], 'jobs.1.entity_name'],
    ['a definition twice', [node, edge, node], 'jobs.2.entity_name'],
    ['a job without address', [{ ...node, next_uri: undefined }, edge], 'jobs.0.next_uri'],
    ['a job that has ended', [{ ...node, status: 'completed' }, edge], 'jobs.0.status'],
  ])('are rejected when they name %s', async (_what, jobs, field) => {
    const { snapshotId } = await system.newInstance();
    expect(await submit(snapshotId, jobs)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_FAILED', details: { field } },
    });
    expect(await submit(snapshotId, [node, edge])).toMatchObject({ status: 201 });
  });
});
