import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { fillWarehouse } from '../../../support/sample-mappings';
import { startTwoControlPlanes, type TwoControlPlanes } from '../../../support/two-control-planes';
import { waitFor } from '../../../support/wait-for';
import { type ApiServerProxy, startApiServerProxy } from './api-server-proxy';
import { type Balancer, startBalancer } from './balancer';
import { createControlPlaneAccount } from './control-plane-account';
import { createNamespace } from './create-namespace';
import { adminKubeconfig } from './describe-with-kubernetes';
import { type KubeApi, openKubeApi } from './kube-api';
import { type PodObject } from './kube-objects';
import { podPatchFor, startTestKubelet, type TestKubelet, type TestKubeletOptions } from './test-kubelet';

/**
 * Two control planes whose pods run on test kubelets of a real cluster, with an account that has only the documented
 * permissions.
 */
export interface SystemsOnKubernetes extends TwoControlPlanes {
  readonly namespace: string;
  readonly admin: KubeApi;
  /** Between the control planes and the API server. */
  readonly proxy: ApiServerProxy;
  pods(): Promise<readonly PodObject[]>;
  /** Adds another node. */
  addKubelet(options?: Omit<TestKubeletOptions, 'namespace'>): Promise<TestKubelet>;
}

export const startSystemsOnKubernetes = async (
  settings: Readonly<Record<string, string>> = {},
  prepare: (warehouse: string) => Promise<void> = fillWarehouse,
): Promise<SystemsOnKubernetes> => {
  const admin = openKubeApi(adminKubeconfig());
  const namespace = `rowgraph-${randomBytes(4).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), 'on-kubernetes-'));
  const removeNamespace = await createNamespace(admin, namespace);
  const proxy = await startApiServerProxy(admin, folder);
  const balancer = await startBalancer();
  const account = await createControlPlaneAccount(admin, namespace, folder, proxy);
  const patchFile = join(folder, 'pod-patch.yaml');
  await writeFile(patchFile, stringify(podPatchFor(namespace)));
  const both = await startTwoControlPlanes(
    {
      KUBECONFIG: account.kubeconfig,
      ROWGRAPH_POD_RUNTIME: 'kubernetes',
      ROWGRAPH_KUBERNETES_NAMESPACE: namespace,
      ROWGRAPH_POD_IMAGE: 'rowgraph:test',
      ROWGRAPH_POD_PATCH_FILE: patchFile,
      ROWGRAPH_POD_LOST_NODE_TIMEOUT: '5s',
      ROWGRAPH_INTERNAL_URL: balancer.url,
      ...settings,
    },
    prepare,
  );
  balancer.targets = internalPortsOf(both).map((port) => ({ host: '127.0.0.1', port }));
  const kubelets: TestKubelet[] = [];
  const pods = async (): Promise<readonly PodObject[]> =>
    (await admin.call<{ readonly items: PodObject[] }>('GET', `/api/v1/namespaces/${namespace}/pods`)).items;
  return {
    ...both,
    namespace,
    admin,
    proxy,
    pods,
    addKubelet: async (options) => {
      const kubelet = await startTestKubelet(admin, { namespace, ...options });
      kubelets.push(kubelet);
      return kubelet;
    },
    close: async () => {
      await both.close();
      await account.remove();
      await removeNamespace();
      await Promise.all(kubelets.map((kubelet) => kubelet.stop()));
      closeAll(proxy, balancer);
      await rm(folder, { recursive: true, force: true });
    },
  };
};

const internalPortsOf = ({ first, second }: TwoControlPlanes): readonly number[] =>
  [first, second].map(({ environment }) => Number(environment['ROWGRAPH_INTERNAL_PORT']));

const closeAll = (...open: readonly Pick<Balancer, 'close'>[]): void => open.forEach((each) => each.close());

/** Waits until the cluster has no object of the systems, and no work, timer or slot of theirs is left. */
export const untilNothingIsLeft = async ({ pods, query }: SystemsOnKubernetes): Promise<void> => {
  const work = `SELECT (SELECT count(*)::int FROM es.timers WHERE timer_id <> 'sweep') + (SELECT count(*)::int FROM es.effects) AS open`;
  await waitFor('all pods are deleted', async () => (await pods()).length === 0);
  await waitFor('no work is in progress', async () => (await query(work))[0]?.['open'] === 0);
};
