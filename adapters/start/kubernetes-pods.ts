import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type PodSpec } from '../../domain/ports/pod-runtime';
import { ApiClient, loadKubeConfig, RequestBudget } from '../kubernetes/api-client';
import { foreignPodsError } from '../kubernetes/foreign-pods';
import { KubernetesPodRuntime } from '../kubernetes/kubernetes-pod-runtime';
import { patchError } from '../kubernetes/patch-error';
import { POD_PATHS, POD_PORT } from '../kubernetes/pod-manifest';
import { reviewTokens } from '../kubernetes/review-tokens';
import { type StartFailure } from '../system/shutdown-steps';
import { type KubernetesSettings } from './kubernetes-settings';
import { type ChosenPodRuntime, podEnvironment } from './pods';
import { type Startup } from './startup';

/** The runtime of pods on Kubernetes, with the credentials of the kubeconfig or of the control plane's own pod. */
export const openKubernetesPods = async (
  kubernetes: KubernetesSettings,
  { settings, shutdownSteps, log: parentLog }: Startup,
): Promise<Either<StartFailure, ChosenPodRuntime>> => {
  const loaded = await loadKubeConfig();
  if (isLeft(loaded)) return left({ message: `ROWGRAPH_POD_RUNTIME=kubernetes: ${loaded.left}` });
  const namespace = kubernetes.namespace ?? loaded.right.namespace;
  if (namespace === null) {
    return left({
      message: 'ROWGRAPH_KUBERNETES_NAMESPACE is required: the context of the kubeconfig names no namespace',
    });
  }
  const environmentFor = (spec: PodSpec): Record<string, string> => ({
    ...podEnvironment(spec, settings),
    ROWGRAPH_POD_TOKEN_FILE: POD_PATHS.token,
    ROWGRAPH_POD_DATA_DIR: POD_PATHS.data,
    ROWGRAPH_POD_CACHE_DIR: POD_PATHS.cache,
    ROWGRAPH_POD_HOST: '0.0.0.0',
    ROWGRAPH_POD_PORT: String(POD_PORT),
    ROWGRAPH_POD_MEMORY_FILE: '/sys/fs/cgroup/memory.max',
    HOME: POD_PATHS.data,
    TMPDIR: POD_PATHS.data,
  });
  return right({
    isShared: true,
    open: async ({ logId: system, instanceIdOf }) => {
      const api = new ApiClient(loaded.right.config, new RequestBudget(kubernetes.requestsPerSecond));
      shutdownSteps.add('connections to Kubernetes', () => api.close());
      const manifest = { ...kubernetes, namespace, system, environmentFor };
      const obstacle = (await foreignPodsError(api, namespace, system)) ?? (await patchError(api, manifest));
      if (obstacle !== null) return left({ message: obstacle });
      const runtime = new KubernetesPodRuntime({ ...manifest, api, log: parentLog.child({ part: 'pods' }) });
      shutdownSteps.addLoop('pods', (signal) => runtime.run(signal));
      return right({ runtime, identifyPods: reviewTokens({ api, namespace, instanceIdOf }) });
    },
  });
};
