import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { startProgram } from '../../../../adapters/local-process/start-program';
import { type LaunchedProcess } from '../../../../adapters/system/launch-process';
import { programPath } from '../../../../adapters/system/package-root';
import { type Container, type PodObject } from './kube-objects';

/** A pod's volumes as folders, and the files a container finds at fixed paths. */
export interface PodFolder {
  /** The folder on this machine of a path in the container. */
  readonly pathOf: (pathInContainer: string) => string;
  readonly writeMemoryLimit: (bytes: number) => Promise<void>;
  readonly remove: () => Promise<void>;
}

const CGROUP = '/sys/fs/cgroup';
const READ_ONLY = '/no/such/folder';
const MEMORY_FILE = `${CGROUP}/memory.max`;

/**
 * Makes a folder for every volume; `tokenFor` returns a token for an audience. Images contain the changed programs of
 * FalkorDB; here the pods of a node share the folder of their changed copies instead.
 */
export const createPodFolder = async (
  root: string,
  pod: PodObject,
  tokenFor: (audience: string | undefined, seconds: number | undefined) => Promise<string>,
): Promise<PodFolder> => {
  const container = containerOf(pod);
  const mounts = [...(container.volumeMounts ?? [])].sort((a, b) => b.mountPath.length - a.mountPath.length);
  const pathOf = (path: string): string => {
    const mount = mounts.find(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath}/`));
    if (mount?.name === 'cache') return join(dirname(root), 'programs', path.slice(mount.mountPath.length));
    if (mount !== undefined) return join(root, mount.name, mount.subPath ?? '', path.slice(mount.mountPath.length));
    return path.startsWith(CGROUP) ? join(root, 'cgroup', path.slice(CGROUP.length)) : path;
  };
  const writeMemoryLimit = async (bytes: number): Promise<void> => writeFile(pathOf(MEMORY_FILE), `${bytes}\n`);
  await mkdir(pathOf(CGROUP), { recursive: true });
  await writeFile(pathOf(`${CGROUP}/memory.events`), 'oom 0\noom_kill 0\n');
  await writeMemoryLimit(bytesOf(container.resources?.limits?.['memory']));
  for (const { name } of mounts) await mkdir(join(root, name), { recursive: true });
  for (const { name, projected } of pod.spec?.volumes ?? []) {
    for (const { serviceAccountToken } of projected?.sources ?? []) {
      if (serviceAccountToken === undefined) continue;
      const { audience, expirationSeconds, path } = serviceAccountToken;
      const file = join(root, name, path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await tokenFor(audience, expirationSeconds));
    }
  }
  return { pathOf, writeMemoryLimit, remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }) };
};

/** The program of a container, as far as a kubelet needs it. */
export type RunningContainer = Pick<LaunchedProcess, 'pid' | 'exited' | 'gone' | 'stop' | 'kill'>;

export type StartContainer = (
  pod: PodObject,
  podIp: string,
  folder: PodFolder,
  onLine: (line: string) => void,
) => RunningContainer;

/** Starts the pod's program, with the arguments of the container's command, on the pod's own address. */
export const startContainer: StartContainer = (pod, podIp, folder, onLine) => {
  const container = containerOf(pod);
  const started = startProgram({
    programPath: programPath('pod/graph/main'),
    args: (container.command ?? []).slice(2),
    // The root file system of a container is read-only.
    environment: { TMPDIR: READ_ONLY, HOME: READ_ONLY, ...environmentOf(pod, podIp, folder) },
    workingDirectory: folder.pathOf(container.workingDir ?? CGROUP),
    onLine,
  });
  if (isLeft(started)) throw new Error(started.left.reason);
  return started.right;
};

/** The variables of the container, with paths on this machine. */
export const environmentOf = (pod: PodObject, podIp: string, folder: PodFolder): Record<string, string> => {
  const container = containerOf(pod);
  return Object.fromEntries(
    (container.env ?? []).map(({ name, value, valueFrom }) => {
      const field = valueFrom?.fieldRef?.fieldPath;
      const known: Readonly<Record<string, string | undefined>> = {
        'metadata.name': pod.metadata?.name,
        'metadata.namespace': pod.metadata?.namespace,
        'metadata.uid': pod.metadata?.uid,
        'status.podIP': podIp,
      };
      if (valueFrom !== undefined && known[field ?? ''] === undefined) {
        throw new Error(`The test kubelet does not know the source of ${name}: ${JSON.stringify(valueFrom)}`);
      }
      // A container has every address of its own network.
      const given = value === '0.0.0.0' ? podIp : folder.pathOf(value ?? '');
      return [name, field === undefined ? given : (known[field] ?? '')];
    }),
  );
};

export const containerOf = (pod: PodObject): Container => {
  const [container] = pod.spec?.containers ?? [];
  if (container === undefined) throw new Error(`Pod ${pod.metadata?.name} has no container.`);
  return container;
};

const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
};

/** The bytes of a quantity such as `512Mi`. */
export const bytesOf = (quantity: string | undefined): number => {
  const [, count = '', unit = ''] = /^([0-9.]+)([A-Za-z]*)$/.exec(quantity ?? '') ?? [];
  return Number(count) * (UNITS[unit] ?? Number.NaN);
};
