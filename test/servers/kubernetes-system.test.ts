import { type ApiClient } from '../support/api-client';
import { ask, createInstance, createMapping, deleteInstance, findInstance, untilRunning } from '../support/instances';
import { type RunningSystem, TIMEOUT_MS } from '../support/running-system';
import { townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';
import { describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { type PodObject } from './support/kubernetes/kube-objects';
import { permitted } from './support/kubernetes/restricted-account';
import {
  startSystemsOnKubernetes,
  type SystemsOnKubernetes,
  untilNothingIsLeft,
} from './support/kubernetes/systems-on-kubernetes';
import { type TestKubelet } from './support/kubernetes/test-kubelet';
import { usedPermissions } from './support/kubernetes/used-permissions';

jest.setTimeout(10 * TIMEOUT_MS);

const KINDS = ['graphdb_a', 'graphdb_b'] as const;
const COUNT = 'MATCH (p:Person) RETURN count(*)';
const GIB = 2 ** 30;

describeWithKubernetes('two control planes whose pods run on Kubernetes', () => {
  let systems: SystemsOnKubernetes;
  let kubelet: TestKubelet;
  let ada: ApiClient;
  let mapping: number;
  const ids: number[] = [];
  beforeAll(async () => {
    systems = await startSystemsOnKubernetes({
      ROWGRAPH_JOB_INTERVALS: 'reconciliation=2s,lifecycle=2s,export_reconciliation=2s,resource_monitor=2s',
    });
    kubelet = await systems.addKubelet();
    ada = systems.first.as('ada');
    mapping = await createMapping(ada, townMapping);
  });
  afterAll(() => systems.close());

  const podsOf = async (id: number): Promise<readonly PodObject[]> =>
    (await systems.pods()).filter(({ metadata }) => metadata?.labels?.['rowgraph/instance'] === String(id));
  const podOf = async (id: number): Promise<PodObject> => {
    const [pod, ...others] = await podsOf(id);
    if (pod === undefined || others.length > 0) throw new Error(`Instance ${id} has ${others.length + 1} pods.`);
    return pod;
  };
  const nameOf = async (id: number): Promise<string> => (await podOf(id)).metadata?.name ?? '';
  const uids = (): Promise<unknown> => Promise.all(ids.map(async (id) => (await podOf(id)).metadata?.uid));
  const limitOf = async (id: number): Promise<string | undefined> =>
    (await podOf(id)).status?.containerStatuses?.[0]?.resources?.limits?.['memory'];
  /** The instance answers a query through the ingress of a control plane. */
  const answers = (system: RunningSystem, id: number): Promise<void> =>
    waitFor(
      `instance ${id} answers`,
      async () => {
        const client = system.as('ada');
        const { instance_url } = await findInstance(client, id);
        const rows = await ask(client, new URL(instance_url ?? '').pathname, COUNT).catch(() => null);
        return JSON.stringify(rows) === '[[100]]';
      },
      TIMEOUT_MS,
    );
  const inTurns = (): readonly (readonly [RunningSystem, RunningSystem])[] => [
    [systems.first, systems.second],
    [systems.second, systems.first],
  ];
  const replaced = async (id: number, before: string): Promise<void> => {
    await waitFor(
      `the pod ${before} is replaced`,
      async () => {
        const pods = await podsOf(id);
        return pods.length === 1 && pods[0]?.metadata?.name !== before;
      },
      3 * TIMEOUT_MS,
    );
    const { pod_name } = await untilRunning(ada, id);
    expect(pod_name).toBe(await nameOf(id));
    await answers(systems.first, id);
  };

  it.each(KINDS)('start an instance of %s that answers queries through both', async (kind) => {
    const requestedAt = Date.now();
    const id = await createInstance(ada, mapping, kind, kind);
    await untilRunning(ada, id);
    console.info(`${kind}: running ${Date.now() - requestedAt} ms after the request`);
    ids.push(id);
    await answers(systems.first, id);
    await answers(systems.second, id);
    expect(await nameOf(id)).toMatch(/^graph-.+-1$/);
  });

  it('restart an instance that exceeded its memory, with twice the memory', async () => {
    const [id = 0] = ids;
    const before = await nameOf(id);
    const limit = Number(await limitOf(id));
    kubelet.killForMemory(before);
    await replaced(id, before);
    expect(Number(await limitOf(id))).toBe(2 * limit);
  });

  it('resize a running pod', async () => {
    const [, id = 0] = ids;
    const before = await podOf(id);
    const { data } = await ada.call('updateInstanceMemory', { id, body: { memory_gb: 8 } });
    expect(['now', 'pending']).toContain(data.takes_effect);
    await waitFor('the pod has the new memory limit', async () => Number(await limitOf(id)) === 8 * GIB);
    expect((await podOf(id)).metadata?.uid).toBe(before.metadata?.uid);
    await answers(systems.second, id);
  });

  it('move the pods of a drained node to another one', async () => {
    expect(ids).toHaveLength(KINDS.length);
    const before = await Promise.all(ids.map(nameOf));
    const other = await systems.addKubelet();
    await kubelet.drain();
    await Promise.all(ids.map((id, index) => replaced(id, before[index] ?? '')));
    expect(other.pods()).toHaveLength(ids.length);
    await kubelet.stop();
    kubelet = other;
  });

  it('start the pods of a failed node on another one', async () => {
    expect(ids).toHaveLength(KINDS.length);
    const before = await Promise.all(ids.map(nameOf));
    const died = Date.now();
    const other = await systems.addKubelet();
    await kubelet.die();
    await Promise.all(ids.map((id, index) => replaced(id, before[index] ?? '')));
    console.info(`${ids.length} instances run again ${Date.now() - died} ms after the death of their node`);
    await kubelet.stop();
    kubelet = other;
  });

  it('continue the work of a killed one, and keep running pods', async () => {
    const before = await uids();
    for (const [victim, other] of inTurns()) {
      const id = await createInstance(victim.as('ada'), mapping, 'begun');
      await victim.kill('control plane');
      await untilRunning(other.as('ada'), id);
      await Promise.all([...ids, id].map((running) => answers(other, running)));
      await deleteInstance(other.as('ada'), id);
      await victim.start();
    }
    expect(await uids()).toEqual(before);
  });

  it('keep running pods while each of them is upgraded, and while neither runs', async () => {
    const before = await uids();
    for (const [upgraded, other] of inTurns()) {
      await upgraded.stop();
      await Promise.all(ids.map((id) => answers(other, id)));
      await upgraded.start({ ROWGRAPH_POD_IMAGE: 'rowgraph:next' });
      await Promise.all(ids.map((id) => answers(upgraded, id)));
    }
    for (const [system] of inTurns()) await system.stop();
    for (const [system] of inTurns()) await system.start();
    for (const [system] of inTurns()) await Promise.all(ids.map((id) => answers(system, id)));
    expect(await uids()).toEqual(before);
  });

  it('use exactly the permissions of deploy/kubernetes/rbac.yaml', async () => {
    const used = () => usedPermissions(`system:serviceaccount:${systems.namespace}:rowgraph`);
    // A server-side apply of a new object is logged as patch, and needs create as well.
    const expected = [...permitted()].filter((permission) => permission !== 'create pods').sort();
    await waitFor('the audit log contains the requests', () => used().size >= expected.length);
    expect([...used()].sort()).toEqual(expected);
    const refused = systems.proxy.requests.filter(({ status }) => status === 401 || status === 403);
    expect(refused).toEqual([]);
  });

  it('leave nothing behind', async () => {
    await Promise.all(ids.map((id) => deleteInstance(ada, id)));
    await untilNothingIsLeft(systems);
    expect(kubelet.pods()).toEqual([]);
  });
});
