import { rm } from 'node:fs/promises';
import { type InstanceMapping } from '../../../../adapters/contracts/graph-pod/instance-mapping';
import { waitFor } from '../../../support/wait-for';
import { type ControlPlaneServer, startControlPlane } from '../support/control-plane-server';
import { scratchDirectory } from '../support/loaded-engine';
import { childrenOf, cpuTicksOf, isAlive, type PodProcess, startPod } from '../support/pod-process';
import { createSnapshot, mappingOf, type Snapshot } from '../support/snapshot';

/** Sparse in one type of edges and dense in the other, so that the runs below take long. */
const crowdIn = async (snapshot: Snapshot): Promise<InstanceMapping> => {
  await snapshot.export('nodes/Crowd', 'SELECT range AS id FROM range(20000)');
  await snapshot.export('nodes/Place', 'SELECT range AS id FROM range(10)');
  await snapshot.export('edges/MEETS', 'SELECT range % 20000 AS a, (range * 7919) % 19997 AS b FROM range(200000)');
  await snapshot.export(
    'edges/WORKS_WITH',
    'SELECT x.range AS a, y.range AS b FROM range(900) x, range(900) y WHERE a < b',
  );
  const edge = { from_node: 'Crowd', to_node: 'Crowd', from_key: 'a', to_key: 'b', properties: [] };
  return mappingOf(snapshot, {
    node_definitions: ['Crowd', 'Place'].map((label) => ({
      label,
      primary_key: { name: 'id', type: 'INT64' },
      properties: [],
    })),
    edge_definitions: [
      { type: 'MEETS', ...edge },
      { type: 'WORKS_WITH', ...edge },
    ],
  });
};

describe.each(['graphdb_a', 'graphdb_b'] as const)('a long run on an instance of kind %s', (kind) => {
  let snapshot: Snapshot;
  let controlPlane: ControlPlaneServer;
  let directory: string;
  let pod: PodProcess;
  let atRest: readonly number[];

  beforeAll(async () => {
    snapshot = await createSnapshot();
    controlPlane = await startControlPlane(await crowdIn(snapshot), snapshot);
    directory = await scratchDirectory();
    pod = await startPod(controlPlane, directory, kind);
    await waitFor('the pod reports running', () => controlPlane.statuses().some(({ status }) => status === 'running'));
    atRest = await childrenOf(pod.child.pid!);
  });

  afterAll(async () => {
    pod.child.kill('SIGKILL');
    await pod.ended;
    await controlPlane.close();
    await snapshot.remove();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });

  const start = async (path: string, body: object): Promise<string> => {
    const { status, text, body: answer } = await pod.call('POST', path, body, 'ada');
    if (status !== 202) throw new Error(`${path} was answered ${status}: ${text}`);
    const started = 'data' in answer ? (answer['data'] as Record<string, unknown>) : answer;
    return String(started['execution_id']);
  };
  const statusOf = async (id: string): Promise<unknown> => {
    const { body } = await pod.call('GET', `/algo/status/${id}`);
    return 'data' in body ? body['data'] : body;
  };
  const unlocked = { lock: { locked: false }, running_queries: 0 };

  const cancelled = async (id: string, computing: number): Promise<void> => {
    const ticks = await cpuTicksOf(computing);
    await waitFor('the run uses CPU time', async () => (await cpuTicksOf(computing)) > ticks + 20);
    expect(await pod.call('DELETE', `/algo/executions/${id}`, undefined, 'ada')).toMatchObject({ status: 200 });
    expect(await isAlive(computing)).toBe(false);
    expect((await pod.call('GET', '/lock')).body).toEqual(unlocked);
    expect(await statusOf(id)).toMatchObject({ status: 'cancelled' });
  };

  test('has an estimate of its duration', async () => {
    const [path, body] =
      kind === 'graphdb_a'
        ? ['/graphlib/betweenness', {}]
        : ['/algo/betweenness', { result_property: 'x', parameters: { sampling_size: 20_000 }, timeout_ms: 60_000 }];
    const { body: started } = await pod.call('POST', path, body, 'ada');
    expect(started).toMatchObject({
      estimated_seconds: expect.any(Number) as number,
      warnings: [
        expect.stringMatching(/^betweenness\w* will take about \d{3} s on this graph.*makes it an estimate/) as string,
      ],
    });
    await pod.call('DELETE', `/algo/executions/${String(started['execution_id'])}`, undefined, 'ada');
  });

  const worker = async (): Promise<number> => {
    let found: number | undefined;
    await waitFor('the run has a process', async () => {
      found = (await childrenOf(pod.child.pid!)).find((pid) => !atRest.includes(pid));
      return found !== undefined;
    });
    return found!;
  };

  if (kind === 'graphdb_b') {
    test('releases the lock and the processor at once when it is cancelled, and the next one may start', async () => {
      const slow = { result_property: 'x', parameters: { sampling_size: 20_000 } };
      await cancelled(await start('/algo/betweenness', slow), await worker());
      const next = await start('/algo/wcc', { result_property: 'part' });
      await waitFor('the next run has completed', async () =>
        JSON.stringify(await statusOf(next)).includes('completed'),
      );
    });
    return;
  }

  test.each([
    ['/graphlib/shortest_path', { source: 7, target: 'Crowd:8' }, 'source'],
    ['/algo/shortest_path', { source_id: 'Place:7', target_id: '8' }, 'target_id'],
  ])('%s of a key of several labels is rejected with the correct form', async (path, body, field) => {
    const key = field === 'source' ? 7 : 8;
    expect(await pod.call('POST', path, body, 'ada')).toMatchObject({
      status: 400,
      body: {
        error: { message: expect.stringContaining(`Crowd:${key} or Place:${key}`) as string, details: { field } },
      },
    });
    expect((await pod.call('GET', '/lock')).body).toEqual(unlocked);
  });

  const pagerank = { node_label: 'Crowd', property_name: 'rank', max_iterations: 1_000_000, tolerance: 0 };
  describe.each([
    ['of a kernel', '/graphlib/betweenness', {}],
    ['of the graph library', '/graphlib/simmelian_strength', { edge_types: ['WORKS_WITH'] }],
    ["of the instance's own algorithms", '/algo/pagerank', pagerank],
  ])('%s', (_, path, body) => {
    test('releases the lock and the processor at once when it is cancelled', async () => {
      await cancelled(await start(path, body), await worker());
    });

    test('fails at its time limit, and leaves no lock and no process', async () => {
      const id = await start(path, { ...body, timeout_ms: 1_000 });
      await waitFor('the lock is released', async () => !(await pod.call('GET', '/lock')).text.includes('true'));
      expect(await statusOf(id)).toMatchObject({
        status: 'failed',
        error: expect.stringContaining('limit of 1000 ms') as string,
      });
      expect(await childrenOf(pod.child.pid!)).toEqual(atRest);
    });
  });

  test('ends with its pod, even when that is killed', async () => {
    await start('/graphlib/betweenness', {});
    const computing = await worker();
    await waitFor('the run uses CPU time', async () => (await cpuTicksOf(computing)) > 60);
    pod.child.kill('SIGKILL');
    await waitFor('the process of the run has ended', async () => !(await isAlive(computing)));
  });
});
