import { waitFor } from '../../../support/wait-for';
import { type KubeApi } from './kube-api';

/** A namespace with the Pod Security level `restricted`, and its removal with everything in it. */
export const createNamespace = async (admin: KubeApi, name: string): Promise<() => Promise<void>> => {
  await admin.apply(`/api/v1/namespaces/${name}`, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
  const account = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  await waitFor('the namespace has its service account', async () => (await admin.send('GET', account)).status === 200);
  return async () => {
    await admin.send('DELETE', `/api/v1/namespaces/${name}`);
    const isGone = async (): Promise<boolean> => (await admin.send('GET', `/api/v1/namespaces/${name}`)).status === 404;
    await waitFor('the namespace is deleted', isGone);
  };
};
