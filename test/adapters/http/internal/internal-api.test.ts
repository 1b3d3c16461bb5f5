import { isLeft } from 'fp-ts/Either';
import { changeInstance } from '../../../../commands/instance/change-instance';
import { requestContext } from '../../../../commands/kit/command-context';
import { createUser } from '../../../../commands/user/change-user';
import { exportJobStream } from '../../../../domain/export-job';
import { GIB } from '../../../../domain/instance';
import { ExportJobsApi } from '../../../../pod/export-worker/export-jobs-api';
import { listExportJobs } from '../../../../queries/export-jobs';
import { instanceDirectory } from '../../../../queries/instances';
import { expectRight } from '../../../support/given-when-then';
import { waitFor } from '../../../support/wait-for';
import { type Answered, type InternalSystem, startInternalSystem, UNVERIFIABLE } from './internal-system';

let system: InternalSystem;
beforeAll(async () => {
  system = await startInternalSystem('control-plane');
});
afterAll(() => system.close());

interface JobBody {
  readonly id: number;
  readonly snapshot_id: number;
  readonly entity_name: string;
  readonly status: string;
  readonly attempt: number;
}
const jobsIn = ({ data }: Answered): readonly JobBody[] => (data as { readonly jobs: readonly JobBody[] }).jobs;
const jobsOf = async (snapshotId: number, status = ''): Promise<readonly JobBody[]> =>
  jobsIn(await system.asWorker('GET', `/snapshots/${snapshotId}/export-jobs${status}`));
const patch = (id: number, body: object) => system.asWorker('PATCH', `/export-jobs/${id}`, body);
const claimAll = async (worker_id = 'w1') =>
  jobsIn(await system.asWorker('POST', '/export-jobs/claim', { worker_id, limit: 100 }));

/** A new instance whose two jobs are claimed. */
const claimed = async () => {
  const ids = await system.newInstance();
  await waitFor('the export jobs are planned', async () => (await jobsOf(ids.snapshotId)).length === 2);
  await claimAll();
  const [node, edge] = await jobsOf(ids.snapshotId);
  return { ...ids, node: node?.id ?? 0, edge: edge?.id ?? 0 };
};
const completeBoth = async ({ node, edge }: { readonly node: number; readonly edge: number }) => {
  expect(await patch(node, { status: 'completed', row_count: 2, size_bytes: 200 })).toMatchObject({ status: 200 });
  expect(await patch(edge, { status: 'completed', row_count: 0, size_bytes: 100 })).toMatchObject({ status: 200 });
};

describe('an export job at the internal API', () => {
  it('is claimed with everything a worker needs', async () => {
    const { snapshotId } = await claimed();
    expect((await system.asWorker('GET', `/snapshots/${snapshotId}/export-jobs`)).data).toMatchObject({
      jobs: [
        {
          snapshot_id: snapshotId,
          job_type: 'node',
          entity_name: 'Person',
          status: 'claimed',
          sql: 'SELECT id, name FROM people',
          column_names: ['id', 'name'],
          queryengine_catalog: null,
          attempt: 1,
          claimed_by: 'w1',
          claimed_at: expect.any(String) as string,
          queryengine_query_id: null,
          next_uri: null,
          next_poll_at: null,
          poll_count: 0,
          row_count: null,
          size_bytes: null,
          submitted_at: null,
          completed_at: null,
          error_message: null,
        },
        { job_type: 'edge', entity_name: 'KNOWS' },
      ],
    });
  });

  it('stores what a worker reports about its query, and keeps omitted fields', async () => {
    const { node, snapshotId } = await claimed();
    const submitted = {
      status: 'running',
      queryengine_query_id: 'q1',
      next_uri: 'http://engine/1',
      next_poll_at: '2030-01-01T00:00:00.000Z',
      poll_count: 3,
      submitted_at: '2026-01-01T00:00:00.000Z',
    };
    expect(await patch(node, submitted)).toMatchObject({ status: 200, data: { id: node, status: 'submitted' } });
    const { status: _status, ...stored } = submitted;
    const job = async () => (await jobsOf(snapshotId, '?status=running'))[0];
    expect(await job()).toMatchObject({ ...stored, status: 'submitted' });

    await patch(node, { next_uri: 'http://engine/2' });
    expect(await job()).toMatchObject({ ...stored, next_uri: 'http://engine/2' });
    expect(await patch(node, {})).toMatchObject({ status: 200, data: { status: 'submitted' } });
  });

  it('records its claim and submission as events, and its polls as a row', async () => {
    const { node, snapshotId } = await claimed();
    const types = async () =>
      expectRight(await system.ports.store.readStream(exportJobStream(node))).map(({ type }) => type);
    await patch(node, { status: 'submitted', next_uri: 'u0', next_poll_at: '2020-01-01T00:00:00Z' });
    const before = await types();
    expect(before.at(-1)).toBe('ExportJobSubmitted');
    for (let poll = 1; poll <= 3; poll++) {
      const next = { next_uri: `u${poll}`, poll_count: poll, next_poll_at: '2020-01-01T00:00:00Z' };
      expect(await patch(node, next)).toMatchObject({ status: 200 });
      const polled = jobsIn(await system.asWorker('GET', '/export-jobs/pollable?limit=100'));
      expect(polled).toMatchObject([{ id: node, next_uri: `u${poll}`, poll_count: poll }]);
    }
    expect(await types()).toEqual(before);
    await patch(node, { status: 'pending' });
    expect((await jobsOf(snapshotId, '?status=pending'))[0]).toMatchObject({ id: node, poll_count: 0, next_uri: null });
    await claimAll();
    await patch(node, { status: 'submitted', next_uri: 'v0' });
    expect((await jobsOf(snapshotId, '?status=running'))[0]).toMatchObject({
      attempt: 2,
      poll_count: 0,
      next_uri: 'v0',
    });
    await patch(node, { status: 'completed', row_count: 1 });
  });

  it('is polled by one worker at a time', async () => {
    const { node } = await claimed();
    await patch(node, { status: 'submitted', next_poll_at: '2020-01-01T00:00:00Z' });
    const pollable = async () => jobsIn(await system.asWorker('GET', '/export-jobs/pollable?limit=100'));
    const seen = [...(await pollable()), ...(await pollable())];
    expect(seen.map(({ id }) => id)).toEqual([node]);
    await patch(node, { status: 'completed', row_count: 1 });
  });

  it('requires a row count to be completed, and accepts results only with a status', async () => {
    const { node } = await claimed();
    const refused = async (body: object, field: string) =>
      expect(await patch(node, body)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_FAILED', details: { field } },
      });
    await refused({ status: 'completed' }, 'row_count');
    await refused({ row_count: 3 }, 'row_count');
    await refused({ status: 'done' }, 'status');
    await refused({ status: 'completed', row_count: -1 }, 'row_count');
    await refused({ status: 'submitted', next_poll_at: 'soon' }, 'next_poll_at');
  });

  it('keeps its result, and accepts the same result again', async () => {
    const { node } = await claimed();
    const result = { status: 'completed', row_count: 7, size_bytes: 70, completed_at: '2026-01-02T03:04:05.000Z' };
    const { status: _status, ...view } = result;
    for (let time = 1; time <= 2; time++) {
      expect(await patch(node, result)).toMatchObject({
        status: 200,
        data: { id: node, status: 'completed', ...view },
      });
    }
    expect(await patch(node, { status: 'failed', error_message: 'no' })).toMatchObject({
      status: 409,
      error: { code: 'INVALID_STATE_TRANSITION', details: { current_status: 'completed' } },
    });
  });

  it('rejects a result without a claim, and one of an earlier attempt', async () => {
    const { snapshotId } = await system.newInstance();
    await waitFor('the export jobs are planned', async () => (await jobsOf(snapshotId)).length === 2);
    const [node] = await jobsOf(snapshotId, '?status=pending');
    expect(await patch(node?.id ?? 0, { status: 'completed', row_count: 1 })).toMatchObject({ status: 409 });
    await claimAll();
    expect(await patch(node?.id ?? 0, { status: 'completed', row_count: 1, attempt: 2 })).toMatchObject({
      status: 409,
      error: { code: 'INVALID_STATE_TRANSITION' },
    });
  });

  it('a released job goes to another worker without a further attempt', async () => {
    const { snapshotId, node } = await claimed();
    expect(await patch(node, { status: 'pending', attempt: 1 })).toMatchObject({ data: { status: 'pending' } });
    expect(await claimAll('w2')).toMatchObject([{ id: node, attempt: 2 }]);
    expect(await patch(node, { status: 'pending', attempt: 1 })).toMatchObject({ status: 409 });
    expect(await patch(node, { status: 'completed', row_count: 1, attempt: 2 })).toMatchObject({ status: 200 });
    const { items } = await listExportJobs(system.db, {}, { offset: 0, limit: 100 });
    expect(items.filter(({ snapshot_id }) => snapshot_id === snapshotId).map(({ attempts }) => attempts)).toEqual([
      1, 1,
    ]);
  });

  it('is reported to its worker as ended as soon as its instance is deleted', async () => {
    const { instanceId, node, edge } = await claimed();
    const url = system.origin.replace('/api/internal', '');
    const settings = { url, token: () => system.workerToken(), workerId: 'w1', onRetry: () => undefined };
    const worker = new ExportJobsApi(settings);
    const statuses = async () => expectRight(await worker.statusesOf([edge, 99_999, node]));
    expect(await statuses()).toEqual([node, edge].map((id) => ({ id, status: 'claimed', attempt: 1 })));

    const command = { type: 'RequestDeletion', reason: 'no use' } as const;
    const actor = { username: 'olivia', role: 'ops' } as const;
    const context = requestContext(system.ports.ids, actor, system.ports.ids.uuid());
    expectRight(await changeInstance(system.ports, instanceId, command, context));
    await waitFor('the jobs are deleted', async () => (await statuses()).length === 0);
  });

  it.each(['', '?ids=', '?ids=7,,8', '?ids=7,x', `?ids=${'7,'.repeat(100)}7`])(
    'is not reported for %s',
    async (query) => {
      expect(await system.asWorker('GET', `/export-jobs${query}`)).toMatchObject({
        status: 400,
        error: { code: 'VALIDATION_FAILED', details: { field: 'ids' } },
      });
    },
  );

  it.each([99_999, 'x', '01'])('does not exist: %s', async (id) => {
    expect(await system.asWorker('PATCH', `/export-jobs/${id}`, { status: 'failed' })).toMatchObject({
      status: 404,
      error: { code: 'RESOURCE_NOT_FOUND' },
    });
  });
});

describe('a snapshot at the internal API', () => {
  const report = (id: number, body: object) => system.asWorker('PUT', `/snapshots/${id}/status`, body);
  const measures = { size_bytes: 300, node_counts: { Person: 2 }, edge_counts: { KNOWS: 0 } };

  it('shows the progress that the worker reports together with that of its jobs', async () => {
    const ids = await claimed();
    const progress = { current_step: 'node Person', completed_steps: 0, total_steps: 2 };
    expect(await report(ids.snapshotId, { status: 'creating', phase: 'exporting', progress })).toMatchObject({
      status: 200,
      data: { updated: true },
    });
    expect(await system.snapshot(ids.snapshotId)).toMatchObject({
      status: 'creating',
      progress: { phase: 'exporting', ...progress },
    });
    await report(ids.snapshotId, { status: 'creating', phase: 'uploading' });
    expect(await system.snapshot(ids.snapshotId)).toMatchObject({ progress: { phase: 'uploading', ...progress } });
  });

  it('becomes ready when all its jobs are completed, with the values that the worker measured', async () => {
    const ids = await claimed();
    expect(await report(ids.snapshotId, { status: 'ready', ...measures })).toMatchObject({
      status: 409,
      error: { code: 'INVALID_STATE_TRANSITION', details: { snapshot_id: ids.snapshotId } },
    });
    await completeBoth(ids);
    const measured = { ...measures, size_bytes: 12_345 };
    for (let time = 1; time <= 2; time++) {
      expect(await report(ids.snapshotId, { status: 'ready', ...measured })).toMatchObject({ status: 200 });
    }
    expect(await system.snapshot(ids.snapshotId)).toMatchObject({ status: 'ready', progress: null, ...measured });
    expect(await report(ids.snapshotId, { status: 'creating' })).toMatchObject({ status: 409 });
    expect(await report(ids.snapshotId, { status: 'failed', error_message: 'no' })).toMatchObject({ status: 409 });
    await system.untilInstanceIs(ids.instanceId, 'starting');
  });

  it('a job that a full disk failed gives its code to its snapshot and its instance', async () => {
    const ids = await claimed();
    const failure = { status: 'failed', error_code: 'STARTUP_FAILED', error_message: 'no space left on device' };
    expect(await patch(ids.node, failure)).toMatchObject({ status: 200 });
    expect(await patch(ids.edge, failure)).toMatchObject({ status: 200 });
    await system.untilInstanceIs(ids.instanceId, 'failed');
    expect(await system.instance(ids.instanceId)).toMatchObject({
      error_code: 'STARTUP_FAILED',
      error_message: expect.stringContaining('no space left on device') as string,
    });
  });

  it('a failed snapshot keeps the reason and the place, and ends its jobs and its instance', async () => {
    const ids = await claimed();
    const failure = {
      status: 'failed',
      error_message: 'the disk is full',
      failed_step: 'edge KNOWS',
      partial_results: { node_counts: { Person: 2 } },
    };
    expect(await report(ids.snapshotId, failure)).toMatchObject({ status: 200 });
    expect(await system.snapshot(ids.snapshotId)).toMatchObject({
      status: 'failed',
      error_message: 'the disk is full',
      failed_step: 'edge KNOWS',
      node_counts: { Person: 2 },
      edge_counts: {},
    });
    await system.untilInstanceIs(ids.instanceId, 'failed');
    expect(await system.instance(ids.instanceId)).toMatchObject({ error_code: 'DATA_LOAD_ERROR' });
    await waitFor(
      'the jobs of the failed instance have failed',
      async () => (await jobsOf(ids.snapshotId, '?status=failed')).length === 2,
    );
    expect(await report(ids.snapshotId, { status: 'ready', ...measures })).toMatchObject({ status: 409 });
  });

  it.each([
    [{ status: 'ready' }, 'size_bytes'],
    [{ status: 'ready', size_bytes: 1, node_counts: {} }, 'edge_counts'],
    [{ status: 'pending' }, 'status'],
    [{ status: 'creating', progress: { completed_steps: -1, total_steps: 1 } }, 'progress.completed_steps'],
  ])('rejects a report by %j', async (body, field) => {
    expect(await report(1, body)).toMatchObject({
      status: 400,
      error: { code: 'VALIDATION_FAILED', details: { field } },
    });
  });

  it('an unknown snapshot is 404', async () => {
    const gone = { status: 404, error: { code: 'RESOURCE_NOT_FOUND', details: { snapshot_id: 99_999 } } };
    expect(await report(99_999, { status: 'creating' })).toMatchObject(gone);
    expect(await system.asWorker('GET', '/snapshots/99999/export-jobs')).toMatchObject(gone);
    expect(await system.asWorker('POST', '/snapshots/99999/export-jobs', { jobs: [] })).toMatchObject(gone);
  });

  it('accepts no external jobs where the control plane plans them', async () => {
    const { snapshotId } = await system.newInstance();
    expect(await system.asWorker('POST', `/snapshots/${snapshotId}/export-jobs`, { jobs: [] })).toMatchObject({
      status: 409,
      error: { code: 'JOBS_ALREADY_EXIST', details: { snapshot_id: snapshotId, job_count: 2 } },
    });
  });
});

describe('a pod at the internal API', () => {
  let instanceId: number;
  const put = (path: string, body: object) => system.asPod(instanceId, 'PUT', `/instances/${instanceId}/${path}`, body);
  const updated = { status: 200, data: { updated: true } };

  beforeEach(async () => {
    ({ instanceId } = await system.newInstance());
    const actor = { username: 'system', role: 'system' } as const;
    const start = { type: 'StartInstance', memoryBytes: 4 * GIB, snapshotBytes: 1 } as const;
    const context = requestContext(system.ports.ids, actor, 'r1');
    expectRight(await changeInstance(system.ports, instanceId, start, context));
  });

  it('reports that it runs and the size of the graph; its address stays below the base URL', async () => {
    const body = {
      status: 'running',
      pod_ip: '10.0.0.7',
      instance_url: 'http://graphs/seven',
      graph_stats: { node_count: 5, edge_count: 0 },
    };
    expect(await put('status', { status: 'starting' })).toMatchObject(updated);
    expect(await put('status', body)).toMatchObject(updated);
    await system.untilInstanceIs(instanceId, 'running');
    expect(await system.instance(instanceId)).toMatchObject({
      instance_url: expect.stringMatching(/^http:\/\/graphs\/[0-9a-f-]{36}$/) as unknown,
      graph_stats: { node_count: 5, edge_count: 0 },
    });
    expect(await put('status', { status: 'starting' })).toMatchObject({
      status: 409,
      error: { code: 'INVALID_STATE_TRANSITION', details: { current_status: 'running' } },
    });
  });

  it('reports why it failed, and a later report of stopping does not hide the failure', async () => {
    const failure = {
      error_code: 'SCHEMA_CREATE_ERROR',
      error_message: 'the key is taken',
      failed_phase: 'creating_schema',
      stack_trace: 'at create',
    };
    expect(await put('status', { status: 'failed', ...failure })).toMatchObject(updated);
    await system.untilInstanceIs(instanceId, 'failed');
    expect(await system.instance(instanceId)).toMatchObject(failure);
    expect(await put('status', { status: 'stopping' })).toMatchObject({ status: 409 });
  });

  it('reports its measures; omitted ones keep their values', async () => {
    const at = '2026-01-02T03:04:05.000Z';
    const metrics = { memory_usage_bytes: 1000, cpu_usage_cores: 0.5, disk_usage_bytes: 2000, last_activity_at: at };
    expect(await put('metrics', { ...metrics, query_count_since_last: 3, avg_query_time_ms: 1.5 })).toMatchObject(
      updated,
    );
    expect(await put('metrics', { disk_usage_bytes: 3000 })).toMatchObject(updated);
    expect(await system.instance(instanceId)).toMatchObject({ ...metrics, disk_usage_bytes: 3000 });
    expect(await put('metrics', { memory_usage_bytes: '1' })).toMatchObject({ status: 400 });
  });

  it('a running pod has the memory that it reported last', async () => {
    await put('metrics', { memory_usage_bytes: 1000 });
    const directory = instanceDirectory(system.db);
    const mine = async () => (await directory.memoryUse()).filter((one) => one.instanceId === instanceId);
    expect(await mine()).toEqual([]);
    await put('status', { status: 'running' });
    await system.untilInstanceIs(instanceId, 'running');
    const before = Date.now();
    await put('metrics', { memory_usage_bytes: 2000 });
    await put('metrics', { disk_usage_bytes: 3000 });
    const [measured] = await mine();
    expect(measured).toMatchObject({ usedBytes: 2000 });
    expect(measured?.measuredAt.getTime()).toBeGreaterThanOrEqual(before);
    expect(await directory.unsettled()).toContain(instanceId);
  });

  it('reports progress and activity, and reads its mapping without queries', async () => {
    const steps = [{ name: 'Person', status: 'completed', type: 'node', row_count: 2 }];
    expect(await put('progress', { phase: 'loading_nodes', steps })).toMatchObject(updated);
    expect(await system.instance(instanceId)).toMatchObject({ reported_progress: { phase: 'loading_nodes', steps } });
    expect(await system.asPod(instanceId, 'POST', `/instances/${instanceId}/activity`)).toMatchObject({ status: 204 });
    expect((await system.instance(instanceId))?.last_activity_at).not.toBeNull();
    const { status, data } = await system.asPod(instanceId, 'GET', `/instances/${instanceId}/mapping`);
    expect(status).toBe(200);
    expect(data).toMatchObject({
      mapping_version: 1,
      storage_path: expect.stringMatching(/\/$/) as string,
      node_definitions: [{ label: 'Person', primary_key: { name: 'id', type: 'INT64' } }],
      edge_definitions: [{ type: 'KNOWS', from_node: 'Person', to_node: 'Person' }],
    });
    expect(JSON.stringify(data)).not.toContain('SELECT');
  });

  it('may report for its own instance only, and is not a worker', async () => {
    const other = (await system.newInstance()).instanceId;
    expect(await system.asPod(instanceId, 'PUT', `/instances/${other}/status`, { status: 'running' })).toMatchObject({
      status: 403,
      error: { code: 'PERMISSION_DENIED' },
    });
    expect(await system.asPod(instanceId, 'POST', '/export-jobs/claim', { worker_id: 'w' })).toMatchObject({
      status: 403,
    });
    expect(await system.asWorker('PUT', `/instances/${instanceId}/status`, { status: 'running' })).toMatchObject({
      status: 403,
    });
    expect(await system.asPod(99_999, 'PUT', '/instances/99999/status', { status: 'running' })).toMatchObject({
      status: 404,
    });
  });

  it('asks whether a user may run algorithms', async () => {
    const context = requestContext(system.ports.ids, { username: 'olivia', role: 'ops' }, 'r1');
    for (const [username, role] of [
      ['ann', 'analyst'],
      ['adam', 'admin'],
      ['bea', 'analyst'],
    ] as const) {
      const user = { username, displayName: null, email: null, role };
      const created = await createUser(system.ports, user, context);
      if (isLeft(created)) throw new Error(created.left.message);
    }
    const { instanceId: own } = await system.newInstance('ann');
    const slug = (await system.ports.store.readStream(`instance-${own}`)) as never as {
      right: { data: { urlSlug: string } }[];
    };
    const path = `/instances/${slug.right[0]?.data.urlSlug ?? ''}/authorize`;
    const ask = (username: string) => system.asPod(own, 'GET', path, undefined, { 'X-Username': username });
    const answer = (username: string, role: string | null, allowed: boolean) => ({
      status: 200,
      data: { allowed, username, role, owner_username: 'ann' },
    });
    await waitFor('the user is listed with its role', async () => JSON.stringify(await ask('bea')).includes('analyst'));
    expect(await ask('ann')).toMatchObject(answer('ann', 'analyst', true));
    expect(await ask('adam')).toMatchObject(answer('adam', 'admin', true));
    expect(await ask('bea')).toMatchObject(answer('bea', 'analyst', false));
    expect(await ask('nobody')).toMatchObject(answer('nobody', null, false));
    expect(await system.asPod(own, 'GET', path)).toMatchObject({ status: 401 });
    expect(await system.asPod(instanceId, 'GET', path, undefined, { 'X-Username': 'ann' })).toMatchObject({
      status: 403,
    });
    expect(await system.asPod(own, 'GET', '/instances/unknown/authorize')).toMatchObject({ status: 404 });
  });

  it('reads the key that signs its requests, which differs between pods', async () => {
    const key = async (id: number): Promise<unknown> =>
      (await system.asPod(id, 'GET', `/instances/${id}/request-key`)).data;
    const other = (await system.newInstance()).instanceId;
    expect(await key(instanceId)).toEqual({ request_key: expect.stringMatching(/^[0-9a-f]{64}$/) as string });
    expect(await key(other)).not.toEqual(await key(instanceId));
    expect(await system.asPod(instanceId, 'GET', `/instances/${other}/request-key`)).toMatchObject({ status: 403 });
  });

  it('a pod gets neither its mapping nor addresses nor a key once a newer pod has replaced it', async () => {
    const paths = ['mapping', 'files?job_type=node&name=Person', 'request-key'];
    const statusesOf = (life: number) =>
      Promise.all(paths.map(async (path) => (await system.asPodOfLife(instanceId, life, path)).status));
    const isListed = async () => (await system.asPodOfLife(instanceId, 1, 'mapping')).status === 200;
    await waitFor('the read model has the instance', isListed);
    const before = await statusesOf(1);
    expect(before).toEqual([200, 409, 200]);
    const actor = { username: 'system', role: 'system' } as const;
    const context = requestContext(system.ports.ids, actor, 'r2');
    const restart = { type: 'RestartInstance', reason: 'a test' } as const;
    expectRight(await changeInstance(system.ports, instanceId, restart, context));
    const isReplaced = async () => (await system.asPodOfLife(instanceId, 1, 'mapping')).status === 403;
    await waitFor('the read model has the newer pod', isReplaced);
    expect([await statusesOf(1), await statusesOf(2)]).toEqual([[403, 403, 403], before]);
  });

  it('is answered 503 while its token cannot be verified', async () => {
    const headers = { Authorization: `Bearer ${UNVERIFIABLE}`, 'X-Component': 'wrapper' };
    const answer = await fetch(`${system.origin}/instances/${instanceId}/mapping`, { headers });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: { code: 'SERVICE_UNAVAILABLE' } });
  });

  it('must send the header of its component', async () => {
    const wrong = await system.asPod(
      instanceId,
      'PUT',
      `/instances/${instanceId}/status`,
      { status: 'running' },
      {
        'X-Component': 'worker',
      },
    );
    expect(wrong).toMatchObject({ status: 401, error: { code: 'INVALID_COMPONENT' } });
    expect((await fetch(`${system.origin}/export-jobs/pollable`)).status).toBe(401);
  });
});
