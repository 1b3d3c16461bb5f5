import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAllDocuments, stringify } from 'yaml';
import { packageRoot } from '../../../../adapters/system/package-root';
import { type KubeApi } from './kube-api';

/** The parts of an access control object that name other objects. */
interface RbacObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly subjects?: readonly object[];
  readonly roleRef?: { readonly kind: string; readonly name: string };
}

const RBAC = 'deploy/kubernetes/rbac.yaml';

/**
 * Gives an account exactly the permissions of `deploy/kubernetes/rbac.yaml`, in this namespace, and writes a kubeconfig
 * with its token into the folder. `server`: another address of the API server, such as that of a proxy.
 */
export const createControlPlaneAccount = async (
  admin: KubeApi,
  namespace: string,
  folder: string,
  server: Pick<KubeApi, 'url' | 'authority'> = admin,
): Promise<{ readonly kubeconfig: string; readonly remove: () => Promise<void> }> => {
  const documents = parseAllDocuments(readFileSync(join(packageRoot, RBAC), 'utf8'));
  const objects = documents
    .flatMap((document) => (document.toJS() as RbacObject | null) ?? [])
    .filter(({ kind }) => kind !== 'Namespace')
    .map((object) => inNamespace(object, namespace));
  for (const object of objects) await admin.apply(pathOf(object), object);
  // The first one is the control plane's.
  const account = objects.find(({ kind }) => kind === 'ServiceAccount')?.metadata.name ?? '';
  const { status } = await admin.call<{ status: { token: string } }>(
    'POST',
    `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`,
    { spec: { expirationSeconds: 8 * 3600 } },
  );
  const kubeconfig = join(folder, 'kubeconfig');
  const content = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'test',
        cluster: { server: server.url, 'certificate-authority-data': Buffer.from(server.authority).toString('base64') },
      },
    ],
    users: [{ name: 'test', user: { token: status.token } }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test', namespace } }],
    'current-context': 'test',
  };
  await writeFile(kubeconfig, stringify(content), { mode: 0o600 });
  return {
    kubeconfig,
    // The others are removed with their namespace.
    remove: async () => {
      const ofCluster = objects.filter(({ kind }) => kind.startsWith('Cluster'));
      for (const object of ofCluster) await admin.send('DELETE', pathOf(object));
    },
  };
};

/** Moves an object and the accounts it names into a namespace; cluster-wide objects get a name of their own. */
const inNamespace = (object: RbacObject, namespace: string): RbacObject => {
  const { kind, metadata, subjects, roleRef } = object;
  const isOfCluster = kind.startsWith('Cluster');
  const ownName = (name: string): string => (name.startsWith('system:') ? name : `${namespace}-${name}`);
  return {
    ...object,
    metadata: isOfCluster ? { ...metadata, name: ownName(metadata.name) } : { ...metadata, namespace },
    ...(subjects === undefined ? {} : { subjects: subjects.map((subject) => ({ ...subject, namespace })) }),
    ...(roleRef?.kind === 'ClusterRole' ? { roleRef: { ...roleRef, name: ownName(roleRef.name) } } : {}),
  };
};

const pathOf = ({ apiVersion, kind, metadata: { name, namespace } }: RbacObject): string => {
  const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  const place = namespace === undefined ? '' : `/namespaces/${namespace}`;
  return `${group}${place}/${kind.toLowerCase().replace(/y$/, 'ie')}s/${name}`;
};
