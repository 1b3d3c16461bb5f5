import { childrenOf, type PodProcess } from './support/pod-process';
import { openRunningPod, type RunningPod } from './support/running-pod';

const killEngine = async (pod: PodProcess): Promise<void> => {
  const [engine] = await childrenOf(pod.child.pid!);
  process.kill(engine!, 'SIGKILL');
};

/** The database of graphdb_a runs in the process of the pod. */
describe('a pod of graphdb_b whose engine is killed', () => {
  let running: RunningPod;
  beforeAll(async () => {
    running = await openRunningPod('graphdb_b');
  });
  afterAll(() => running.close());

  test('restarts it, or exits with a special code when the kernel killed it for its memory', async () => {
    const { pod, controlPlane, writeLimit } = running;
    await writeLimit('memory.events', 'low 0\nhigh 0\nmax 31\noom 1\noom_kill 0\noom_group_kill 0\n');
    await killEngine(pod);
    const answer = await pod.call('POST', '/query', { query: 'MATCH (p:Person) RETURN count(p)' });
    expect(answer.body['rows']).toEqual([[3]]);

    await writeLimit('memory.events', 'low 0\nhigh 0\nmax 62\noom 2\noom_kill 1\noom_group_kill 0\n');
    await killEngine(pod);
    expect(await pod.ended).toBe(112);
    expect(controlPlane.statuses().map(({ status }) => status)).toEqual(['starting', 'running']);
  });
});

describe('a pod of graphdb_b whose engine cannot open its graph again', () => {
  let running: RunningPod;
  beforeAll(async () => {
    running = await openRunningPod('graphdb_b');
  });
  afterAll(() => running.close());

  test('exits without a report of a failure, so that another pod loads the graph', async () => {
    const { pod, controlPlane, writeLimit } = running;
    await writeLimit('engine/graph.rdb', 'damaged');
    await killEngine(pod);
    expect(await pod.ended).toBe(1);
    expect(controlPlane.statuses().map(({ status }) => status)).toEqual(['starting', 'running']);
  });
});
