import { type KubeConfig } from '@kubernetes/client-node';
import { type Either, left, right } from 'fp-ts/Either';

/** The configuration of the client, and the namespace of its context. */
export interface LoadedKubeConfig {
  readonly config: KubeConfig;
  readonly namespace: string | null;
}

/**
 * Reads the file that `KUBECONFIG` names, `~/.kube/config`, or the service account of the pod that this program runs
 * in.
 */
export const loadKubeConfig = async (): Promise<Either<string, LoadedKubeConfig>> => {
  // A thousand modules that load slowly, so only loaded for pods on Kubernetes.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    return left(
      `the kubeconfig is not readable: ${error instanceof Error ? error.message : String(error)}; set KUBECONFIG to the path of one`,
    );
  }
  const server = config.getCurrentCluster()?.server;
  if (server?.startsWith('https://') !== true) {
    const found = server === undefined ? 'there is none' : `it is ${server}`;
    return left(
      `the Kubernetes API needs an address that begins with https:// (${found}); set KUBECONFIG, or run inside the cluster with a service account`,
    );
  }
  return right({ config, namespace: config.getContextObject(config.getCurrentContext())?.namespace ?? null });
};
