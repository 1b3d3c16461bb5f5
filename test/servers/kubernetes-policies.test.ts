import { type ApiClient } from '../support/api-client';
import {
  ask,
  createInstance,
  createMapping,
  deleteInstance,
  findInstance,
  findProgress,
  untilRunning,
  untilSettled,
} from '../support/instances';
import { TIMEOUT_MS } from '../support/running-system';
import { townMapping } from '../support/sample-mappings';
import { waitFor } from '../support/wait-for';
import { addContainers, addedContainer, addNoContainers } from './support/kubernetes/add-containers';
import { describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { type ContainerState, type PodObject } from './support/kubernetes/kube-objects';
import { startSystemsOnKubernetes, type SystemsOnKubernetes } from './support/kubernetes/systems-on-kubernetes';
import { type TestKubelet } from './support/kubernetes/test-kubelet';

jest.setTimeout(10 * TIMEOUT_MS);

const COUNT = 'MATCH (p:Person) RETURN count(*)';

describeWithKubernetes('instances in a namespace with policies', () => {
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
  afterEach(async () => {
    await addNoContainers(systems.admin, systems.namespace);
    await Promise.all(ids.splice(0).map((id) => deleteInstance(ada, id)));
  });
  afterAll(() => systems.close());

  const add = (containers: Parameters<typeof addContainers>[2]): Promise<void> =>
    addContainers(systems.admin, systems.namespace, containers);
  const create = async (): Promise<number> => {
    const id = await createInstance(ada, mapping);
    ids.push(id);
    return id;
  };
  const podOf = async (id: number): Promise<PodObject | undefined> =>
    (await systems.pods()).find(({ metadata }) => metadata?.labels?.['rowgraph/instance'] === String(id));
  const statusOf = async (id: number, container: string) => {
    const { containerStatuses = [], initContainerStatuses = [] } = (await podOf(id))?.status ?? {};
    return [...containerStatuses, ...initContainerStatuses].find(({ name }) => name === container);
  };
  /** Reports a state of another container, and waits until the API server has it. */
  const set = async (id: number, container: string, state: ContainerState): Promise<void> => {
    kubelet.setState((await podOf(id))?.metadata?.name ?? '', container, state);
    const [kind] = Object.keys(state);
    const hasState = async () => Object.keys((await statusOf(id, container))?.state ?? {})[0] === kind;
    await waitFor(`the container ${container} is ${kind}`, hasState);
  };
  const answers = async (id: number): Promise<void> => {
    const { instance_url } = await findInstance(ada, id);
    for (const system of [systems.first, systems.second])
      expect(await ask(system.as('ada'), new URL(instance_url ?? '').pathname, COUNT)).toEqual([[100]]);
  };
  const untilDetail = async (id: number, text: string): Promise<void> => {
    const detailOf = async (client: ApiClient) => (await findProgress(client, id)).detail;
    for (const system of [systems.first, systems.second])
      await waitFor(
        `the progress contains "${text}"`,
        async () => (await detailOf(system.as('ada')))?.includes(text) === true,
        TIMEOUT_MS,
      );
  };

  it('keep running and answering, whatever happens to the containers that a policy adds', async () => {
    const native = addedContainer('native', 'native:1', { restartPolicy: 'Always' });
    await add({ containers: [addedContainer('mesh', 'mesh:1')], initContainers: [native] });
    const id = await create();
    await untilRunning(ada, id);
    const uid = (await podOf(id))?.metadata?.uid;
    for (const state of [
      { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s restarting failed container' } },
      { terminated: { exitCode: 1, reason: 'Error' } },
      { terminated: { exitCode: 137, reason: 'OOMKilled' } },
      { terminated: { exitCode: 0, reason: 'Completed' } },
    ])
      for (const container of ['native', 'mesh']) {
        await set(id, container, state);
        await answers(id);
      }
    const { memory_gb } = await findInstance(ada, id);
    expect((await podOf(id))?.metadata?.uid).toBe(uid);

    kubelet.killForMemory((await podOf(id))?.metadata?.name ?? '');
    await waitFor(
      'another pod replaces it',
      async () => ![uid, undefined].includes((await podOf(id))?.metadata?.uid),
      TIMEOUT_MS,
    );
    expect((await untilRunning(ada, id)).memory_gb).toBe(2 * (memory_gb ?? 0));
  });

  it('start and answer although an added container has no image', async () => {
    await add({ containers: [addedContainer('mesh', 'no-such-image:1')] });
    const id = await create();
    await untilRunning(ada, id);
    expect(await statusOf(id, 'mesh')).toMatchObject({ state: { waiting: { reason: 'ImagePullBackOff' } } });
    expect((await podOf(id))?.status?.phase).toBe('Pending');
    await answers(id);
  });

  it.each([
    ['an init container', {}],
    ['a native sidecar', { restartPolicy: 'Always' }],
  ])('show in their progress that %s cannot start', async (_, change) => {
    await add({ initContainers: [addedContainer('setup', 'no-such-image:1', change)] });
    const id = await create();
    await untilDetail(id, 'container setup: ImagePullBackOff: failed to resolve reference: not found');
  });

  it('fail with the words of an init container that fails', async () => {
    await add({ initContainers: [addedContainer('setup', 'fails:1')] });
    const { status, error_message } = await untilSettled(ada, await create());
    expect([status, error_message]).toEqual(['failed', expect.stringContaining('container setup: Error, exit code 1')]);
  });

  it('wait for quota with the words of the server, and start when there is quota', async () => {
    const quota = `/api/v1/namespaces/${systems.namespace}/resourcequotas/small`;
    const kind = { apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name: 'small' } };
    await systems.admin.apply(quota, { ...kind, spec: { hard: { pods: '0' } } });
    const hasQuota = async () =>
      (await systems.admin.call<{ status?: { hard?: object } }>('GET', quota)).status?.hard !== undefined;
    await waitFor('the quota applies', hasQuota);
    const id = await create();
    await untilDetail(id, 'exceeded quota: small, requested: pods=1, used: pods=0, limited: pods=0');
    await systems.admin.call('DELETE', quota);
    await untilRunning(ada, id, 2 * TIMEOUT_MS);
    expect(await findProgress(ada, id)).not.toHaveProperty('detail');
  });
});
