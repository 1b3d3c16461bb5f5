import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { processIdentity } from '../../adapters/system/process-table';
import { createSampleGraph, type SampleGraph } from '../contracts/graph-engine/sample-graph';
import { type ControlPlaneServer, startControlPlane } from '../pod/graph/support/control-plane-server';
import { scratchDirectory } from '../pod/graph/support/loaded-engine';
import { childrenOf, type PodAnswer, type PodProcess, startPod } from '../pod/graph/support/pod-process';
import { waitFor } from '../support/wait-for';

describe('the pod program', () => {
  let sample: SampleGraph;
  let controlPlane: ControlPlaneServer;
  let directory: string;
  let pod: PodProcess;

  beforeEach(async () => {
    sample = await createSampleGraph();
    controlPlane = await startControlPlane(sample.mapping, sample.snapshot);
    directory = await scratchDirectory();
  });

  afterEach(async () => {
    pod.child.kill('SIGKILL');
    await pod.ended;
    await controlPlane.close();
    await sample.snapshot.remove();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = async (): Promise<void> => {
    pod = await startPod(controlPlane, directory);
  };

  const running = async (): Promise<void> => {
    await start();
    await waitFor('the pod reports running', () => controlPlane.statuses().some(({ status }) => status === 'running'));
  };

  const query = (text: string, more: object = {}): Promise<PodAnswer> =>
    pod.call('POST', '/query', { query: text, ...more });

  test('is alive but not ready while the graph is loading', async () => {
    controlPlane.failWith(({ path }) => (path.endsWith('/mapping') ? 503 : null));
    await start();
    expect(await pod.call('GET', '/health')).toMatchObject({ status: 200 });
    expect(await pod.call('GET', '/openapi.json')).toMatchObject({ status: 200 });
    expect(await pod.call('GET', '/ready')).toMatchObject({
      status: 503,
      body: { detail: expect.any(String) as string },
    });
    const detail = { detail: expect.any(String) as string };
    expect(await query('RETURN 1')).toMatchObject({ status: 503, body: detail });
    expect(await pod.call('GET', '/algo/status/none')).toMatchObject({ status: 503, body: detail });
    expect((await pod.call('GET', '/status')).body).toMatchObject({
      status: 'loading',
      ready: false,
      node_count: null,
    });
    controlPlane.failWith(() => null);
    await waitFor('the pod is ready', async () => (await pod.call('GET', '/ready')).status === 200);
  });

  test('ends with its parent process, and its database with it', async () => {
    await running();
    const children = await childrenOf(pod.child.pid!);
    expect(children.map((pid) => processIdentity(pid)?.command)).toEqual([expect.stringContaining('database-main')]);
    pod.child.disconnect();
    expect(await pod.ended).toBe(1);
    await waitFor('the database has ended', () => children.every((pid) => processIdentity(pid) === null));
  });

  test('finishes a running query on SIGTERM, reports stopping and exits with 0', async () => {
    await running();
    const text = 'UNWIND range(1, 1500) AS a UNWIND range(1, 20000) AS b RETURN count(a + b) AS c';
    const slow = query(text);
    await query('RETURN 1');
    pod.child.kill('SIGTERM');
    expect((await slow).body['rows']).toEqual([[30_000_000]]);
    expect(await pod.ended).toBe(0);
    expect(controlPlane.statuses().at(-1)).toEqual({ status: 'stopping' });
  });

  test('reports data that does not fit before it exits', async () => {
    await sample.snapshot.export('nodes/City', "SELECT 1::BIGINT AS id, 'Bern' AS title UNION ALL SELECT 1, 'Basel'", {
      attempt: 2,
    });
    await start();
    expect(await pod.ended).toBe(1);
    expect(controlPlane.statuses().at(-1)).toMatchObject({
      status: 'failed',
      error_code: 'DATA_LOAD_ERROR',
      failed_phase: 'checking',
      error_message: expect.stringContaining('node City: 1 row repeats the key') as string,
      stack_trace: expect.any(String) as string,
    });
  });

  test('reports a failed load without paths of the server', async () => {
    await rm(join(sample.snapshot.root, 'ada/1/v1/7/nodes/City'), { recursive: true });
    await start();
    expect(await pod.ended).toBe(1);
    const report = controlPlane.statuses().at(-1);
    expect(report).toMatchObject({
      error_message: expect.stringContaining('ada/1/v1/7/nodes/City/') as string,
    });
    expect(JSON.stringify(report)).not.toContain(sample.snapshot.root);
    expect(JSON.stringify(report)).not.toContain(process.cwd());
  });

  test('reports an unknown mapping', async () => {
    controlPlane.failWith(({ path }) => (path.endsWith('/mapping') ? 404 : null));
    await start();
    expect(await pod.ended).toBe(1);
    expect(controlPlane.statuses().at(-1)).toMatchObject({ status: 'failed', error_code: 'MAPPING_FETCH_ERROR' });
  });

  test.each([404, 409])(
    'exits without a failure when a starting report is answered %i, since its instance has ended',
    async (status) => {
      controlPlane.failWith(() => status);
      await start();
      expect(await pod.ended).toBe(0);
      expect(controlPlane.statuses()).toEqual([{ status: 'starting' }]);
      expect(pod.output()).toContain('refused the starting report');
      expect(pod.output()).not.toMatch(/"level":[456]0/);
    },
  );

  test('exits as a failure when its token does not allow a starting report', async () => {
    controlPlane.failWith(() => 403);
    await start();
    expect(await pod.ended).toBe(1);
    expect(pod.output()).toMatch(/"level":60.*refused the starting report/);
  });

  test('waits for a control plane that restarts', async () => {
    let failures = 0;
    controlPlane.failWith(({ path }) => (path.endsWith('/status') && failures++ < 3 ? 502 : null));
    await running();
    expect(controlPlane.statuses().map(({ status }) => status)).toEqual([
      'starting',
      'starting',
      'starting',
      'starting',
      'running',
    ]);
  });

  test('reports activity once for many queries', async () => {
    await running();
    await Promise.all(Array.from({ length: 10 }, () => query('RETURN 1')));
    await waitFor('the pod reports activity', () => controlPlane.calls.some(({ path }) => path.endsWith('/activity')));
    await query('RETURN 1');
    expect(controlPlane.calls.filter(({ path }) => path.endsWith('/activity'))).toHaveLength(1);
  });
});
