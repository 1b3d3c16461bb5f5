import { isLeft } from 'fp-ts/Either';
import { pino } from 'pino';
import { type ApiClient } from '../../../../adapters/kubernetes/api-client';
import {
  KubernetesPodRuntime,
  type KubernetesPodRuntimeOptions,
} from '../../../../adapters/kubernetes/kubernetes-pod-runtime';
import { POD_SERVICE_ACCOUNT, WORKER_SERVICE_ACCOUNT } from '../../../../adapters/kubernetes/pod-manifest';
import { waitFor } from '../../../support/wait-for';
import { createNamespace } from './create-namespace';
import { type KubeApi } from './kube-api';

export interface OpenRuntime {
  readonly runtime: KubernetesPodRuntime;
  stop(): Promise<void>;
}

/** The runtime under test in a namespace, after it has read the pods there. */
export const openRuntime = async (
  api: ApiClient,
  namespace: string,
  change: Partial<KubernetesPodRuntimeOptions> = {},
): Promise<OpenRuntime> => {
  const runtime = new KubernetesPodRuntime({
    api,
    namespace,
    system: 'test',
    image: { graphdb_a: 'rowgraph/pod:test', graphdb_b: 'rowgraph/pod:test' },
    environmentFor: () => ({ ROWGRAPH_LOG_LEVEL: 'info' }),
    patch: {},
    lostNodeMs: 60_000,
    log: pino({ level: process.env['LOG'] ?? 'silent' }),
    ...change,
  });
  const stopping = new AbortController();
  const running = runtime.run(stopping.signal);
  const stop = (): Promise<void> => {
    stopping.abort();
    return running;
  };
  await waitFor('the pods are listed', async () => !isLeft(await runtime.listPods()));
  return { runtime, stop };
};

/** Creates a namespace in which pods of instances can be created. */
export const createPodNamespace = async (admin: KubeApi, name: string): Promise<() => Promise<void>> => {
  const remove = await createNamespace(admin, name);
  for (const account of [POD_SERVICE_ACCOUNT, WORKER_SERVICE_ACCOUNT]) {
    await admin.apply(`/api/v1/namespaces/${name}/serviceaccounts/${account}`, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { name: account, namespace: name },
    });
  }
  return remove;
};
