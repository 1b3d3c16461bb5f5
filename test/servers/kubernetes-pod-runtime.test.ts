import { randomUUID } from 'node:crypto';
import { describePodRuntime } from '../contracts/pod-runtime/pod-runtime-contract';
import { waitFor } from '../support/wait-for';
import { adminKubeconfig, describeWithKubernetes } from './support/kubernetes/describe-with-kubernetes';
import { type KubeApi, MERGE, openKubeApi } from './support/kubernetes/kube-api';
import { type PodObject } from './support/kubernetes/kube-objects';
import { openClient } from './support/kubernetes/open-client';
import { createPodNamespace, openRuntime } from './support/kubernetes/open-runtime';

/** The memory that the contract makes a pod use. */
const HELD_BYTES = 300 * 1024 * 1024;

/** Amounts of memory keep the form in which they were requested: bytes, or a larger unit. */
const bytesOf = (amount: string): number =>
  Number.parseInt(amount) * (amount.endsWith('Gi') ? 2 ** 30 : amount.endsWith('Mi') ? 2 ** 20 : 1);

describeWithKubernetes('the contract of pod runtimes', () => {
  const namespace = `contract-${randomUUID().slice(0, 8)}`;
  const path = `/api/v1/namespaces/${namespace}/pods`;
  let admin: KubeApi;
  let removeNamespace: () => Promise<void>;

  beforeAll(async () => {
    admin = openKubeApi(adminKubeconfig());
    removeNamespace = await createPodNamespace(admin, namespace);
  });
  afterAll(() => removeNamespace());

  const pods = async (): Promise<readonly PodObject[]> =>
    (await admin.call<{ readonly items: readonly PodObject[] }>('GET', path)).items;
  const namesOf = async (urlSlug: string): Promise<readonly string[]> =>
    (await pods()).flatMap(({ metadata }) => (metadata?.name?.includes(urlSlug) === true ? [metadata.name] : []));

  describePodRuntime('Kubernetes', async () => {
    const api = await openClient(adminKubeconfig());
    const { runtime, stop } = await openRuntime(api, namespace);
    return {
      runtime,
      running: async (instanceId) =>
        (await pods()).filter(
          ({ metadata, status }) =>
            metadata?.labels?.['rowgraph/instance'] === String(instanceId) &&
            !['Failed', 'Succeeded'].includes(status?.phase ?? ''),
        ).length,
      // As the kubelet would report it; no program runs in these pods.
      exit: async (urlSlug, exitCode) => {
        const terminated = { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' };
        const containerStatuses = [
          { name: 'graph', image: '', imageID: '', ready: false, restartCount: 0, state: { terminated } },
        ];
        const status = { phase: exitCode === 0 ? 'Succeeded' : 'Failed', containerStatuses };
        for (const name of await namesOf(urlSlug))
          await admin.call('PATCH', `${path}/${name}/status`, { status }, MERGE);
      },
      // The limit that the kubelet has applied decides.
      exceedMemory: async (urlSlug) => {
        for (const { metadata, status } of await pods()) {
          const limit = status?.containerStatuses?.[0]?.resources?.limits?.['memory'];
          const isExceeded = limit !== undefined && HELD_BYTES > bytesOf(limit);
          if (metadata?.name?.includes(urlSlug) !== true || !isExceeded) continue;
          const annotations = { 'rowgraph.test/fate': 'oom', 'rowgraph.test/fate-after': '1ms' };
          await admin.call('PATCH', `${path}/${metadata.name}`, { metadata: { annotations } }, MERGE);
        }
      },
      close: async () => {
        await stop();
        api.close();
        await admin.call('DELETE', `${path}?gracePeriodSeconds=0`);
        await waitFor('all pods are deleted', async () => (await pods()).length === 0);
      },
    };
  });
});
