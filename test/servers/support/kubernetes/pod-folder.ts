import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type KubeApi } from './kube-api';
import { type Container, type PodObject } from './kube-objects';

/** A pod's volumes as folders, its variables, and the files a container finds at fixed paths. */
export interface PodFolder {
  /** The folder on this machine of a path in the container. */
  readonly pathOf: (pathInContainer: string) => string;
  /** The variables of the container, with paths and addresses on this machine. */
  readonly environment: Readonly<Record<string, string>>;
  readonly writeMemoryLimit: (bytes: number) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export interface PodFolderOptions {
  readonly api: KubeApi;
  readonly root: string;
  readonly podIp: string;
  /** A token of the pod's account for an audience. */
  readonly tokenFor: (audience: string | undefined, seconds: number | undefined) => Promise<string>;
  /** The address on this machine for a value that names a Service. */
  readonly locally: (value: string) => Promise<string>;
}

type Volume = NonNullable<NonNullable<PodObject['spec']>['volumes']>[number];
type Texts = Readonly<Record<string, string>>;

const CGROUP = '/sys/fs/cgroup';
const MEMORY_FILE = `${CGROUP}/memory.max`;
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';

/** Creates a folder for every volume, with the content that the cluster provides, and determines the variables. */
export const createPodFolder = async (pod: PodObject, options: PodFolderOptions): Promise<PodFolder> => {
  const { api, root, podIp, locally } = options;
  const container = containerOf(pod);
  const mounts = [...(container.volumeMounts ?? [])].sort((a, b) => b.mountPath.length - a.mountPath.length);
  const pathOf = (path: string): string => {
    const mount = mounts.find(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`));
    // Images contain the changed programs of FalkorDB; here the pods of a node share the folder of their changed copies.
    if (mount?.name === 'cache') return join(dirname(root), 'programs', path.slice(mount.mountPath.length));
    if (mount !== undefined) return join(root, mount.name, mount.subPath ?? '', path.slice(mount.mountPath.length));
    return path.startsWith(CGROUP) ? join(root, 'cgroup', path.slice(CGROUP.length)) : path;
  };
  const writeMemoryLimit = async (bytes: number): Promise<void> => writeFile(pathOf(MEMORY_FILE), `${bytes}\n`);
  await mkdir(pathOf(CGROUP), { recursive: true });
  await writeFile(pathOf(`${CGROUP}/memory.events`), 'oom 0\noom_kill 0\n');
  await writeMemoryLimit(bytesOf(container.resources?.limits?.['memory']));
  const fields: Texts = {
    'metadata.name': pod.metadata?.name ?? '',
    'metadata.namespace': pod.metadata?.namespace ?? '',
    'metadata.uid': pod.metadata?.uid ?? '',
    'status.podIP': podIp,
  };
  const volumes = pod.spec?.volumes ?? [];
  for (const { name } of mounts) {
    const volume = volumes.find((one) => one.name === name);
    if (volume !== undefined) await fill(join(root, name), volume, fields, options);
  }
  const environment: Record<string, string> = {};
  for (const { name, value = '', valueFrom } of container.env ?? []) {
    const { fieldRef, secretKeyRef, configMapKeyRef } = valueFrom ?? {};
    const secret = secretKeyRef && (await secretData(api, fields, secretKeyRef.name))[secretKeyRef.key];
    const config = configMapKeyRef && (await configData(api, fields, configMapKeyRef.name))[configMapKeyRef.key];
    const referred = secret ?? config ?? fields[fieldRef?.fieldPath ?? ''];
    if (valueFrom !== undefined && referred === undefined) {
      throw new Error(`The test kubelet does not find the value of ${name}: ${JSON.stringify(valueFrom)}`);
    }
    // A container has every address of its own network.
    environment[name] = referred ?? (value === '0.0.0.0' ? podIp : await locally(pathOf(value)));
  }
  if (mounts.some(({ mountPath }) => mountPath === ACCOUNT)) {
    environment['KUBECONFIG'] = await writeKubeconfig(
      api,
      join(root, 'kubeconfig'),
      await options.tokenFor(undefined, 3600),
    );
  }
  return {
    pathOf,
    environment,
    writeMemoryLimit,
    remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }),
  };
};

const fill = async (folder: string, volume: Volume, fields: Texts, options: PodFolderOptions): Promise<void> => {
  const { api, tokenFor } = options;
  const { secret, configMap, projected, persistentVolumeClaim } = volume;
  if (persistentVolumeClaim !== undefined) {
    return symlink(await hostPathOf(api, fields, persistentVolumeClaim.claimName), folder);
  }
  await mkdir(folder, { recursive: true });
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  };
  const files: Record<string, string> = {
    ...(secret?.secretName === undefined ? {} : await secretData(api, fields, secret.secretName)),
    ...(configMap === undefined ? {} : await configData(api, fields, configMap.name)),
  };
  for (const { serviceAccountToken: token, configMap: part, downwardAPI } of projected?.sources ?? []) {
    if (token !== undefined) files[token.path] = await tokenFor(token.audience, token.expirationSeconds);
    if (part !== undefined) Object.assign(files, await configData(api, fields, part.name));
    for (const { path, fieldRef } of downwardAPI?.items ?? []) files[path] = fields[fieldRef?.fieldPath ?? ''] ?? '';
  }
  for (const [path, text] of Object.entries(files)) await write(path, text);
};

const inNamespace = (fields: Texts, kind: string, name = ''): string =>
  `/api/v1/namespaces/${fields['metadata.namespace']}/${kind}/${name}`;

const secretData = async (api: KubeApi, fields: Texts, name?: string): Promise<Texts> => {
  const { data = {} } = await api.call<{ readonly data?: Texts }>('GET', inNamespace(fields, 'secrets', name));
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8')]),
  );
};

const configData = async (api: KubeApi, fields: Texts, name?: string): Promise<Texts> =>
  (await api.call<{ readonly data?: Texts }>('GET', inNamespace(fields, 'configmaps', name))).data ?? {};

const hostPathOf = async (api: KubeApi, fields: Texts, claim: string): Promise<string> => {
  interface Spec<S> {
    readonly spec: S;
  }
  const claimPath = inNamespace(fields, 'persistentvolumeclaims', claim);
  const { volumeName } = (await api.call<Spec<{ readonly volumeName: string }>>('GET', claimPath)).spec;
  const volume = `/api/v1/persistentvolumes/${volumeName}`;
  return (await api.call<Spec<{ readonly hostPath: { readonly path: string } }>>('GET', volume)).spec.hostPath.path;
};

/** Replaces the address and the files that a container finds at fixed places. */
const writeKubeconfig = async ({ url, authority }: KubeApi, path: string, token: string): Promise<string> => {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(authority).toString('base64') };
  const context = { cluster: 'here', user: 'me' };
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'here' },
    clusters: [{ name: 'here', cluster }],
    users: [{ name: 'me', user: { token } }],
    contexts: [{ name: 'here', context }],
  };
  await writeFile(path, JSON.stringify(config), { mode: 0o600 });
  return path;
};

/** The container of the pod's program: `graph` among those of an instance, the only one of other pods. */
export const containerOf = (pod: PodObject): Container => {
  const containers = pod.spec?.containers ?? [];
  const container = containers.find(({ name }) => name === 'graph') ?? containers[0];
  if (container === undefined) throw new Error(`Pod ${pod.metadata?.name} has no container.`);
  return container;
};

const UNITS: Texts = { '': '1', k: '1e3', M: '1e6', G: '1e9', Ki: '1024', Mi: '1048576', Gi: '1073741824' };

/** The bytes of a quantity such as `512Mi`. */
export const bytesOf = (quantity: string | undefined): number => {
  const [, count = '', unit = ''] = /^([0-9.]+)([A-Za-z]*)$/.exec(quantity ?? '') ?? [];
  return Number(count) * Number(UNITS[unit] ?? Number.NaN);
};
