import { type V1Pod } from '@kubernetes/client-node';
import { podNameOf, type WrapperType } from '../../domain/instance';
import { type PodSpec } from '../../domain/ports/pod-runtime';
import { mergeStrategically } from './merge-strategically';

/** Labels of every pod: its system (id of the log), its instance (id) and the instance's owner. */
export const SYSTEM_LABEL = 'rowgraph/system';
export const INSTANCE_LABEL = 'rowgraph/instance';
const OWNER_LABEL = 'rowgraph/owner';
/** The container with the graph; a patch adds to it by this name. */
export const CONTAINER = 'graph';
/** The port a pod listens on. */
export const POD_PORT = 8082;

/**
 * The audience of the tokens of pods, so that other services reject these tokens, and rowgraph rejects tokens for other
 * services.
 */
export const POD_TOKEN_AUDIENCE = 'rowgraph-internal';
/** The service account of pods; its tokens identify them, it has no permissions. */
export const POD_SERVICE_ACCOUNT = 'rowgraph-pod';
/** The service account of export workers that run in the namespace of the pods. */
export const WORKER_SERVICE_ACCOUNT = 'rowgraph-worker';
const TOKEN_SECONDS = 3600;

/** Mount paths of the folders and the token of the program. */
export const POD_PATHS = { data: '/data', cache: '/cache', token: '/var/run/rowgraph/token/token' } as const;
const PROGRAM = '/app/dist/pod/graph/main.js';
/** The user `node` of the official images. */
const USER = 1000;

/** The JSON of an object of the client, which is a class there. */
type Plain<A> = A extends Date ? string : A extends object ? { [K in keyof A]: Plain<A[K]> } : A;

export interface ManifestOptions {
  readonly namespace: string;
  /** Id of this system; pods of other systems are ignored. */
  readonly system: string;
  readonly image: Readonly<Partial<Record<WrapperType, string>>>;
  readonly environmentFor: (spec: PodSpec) => Readonly<Record<string, string>>;
  /** A strategic merge patch of the pod, from the operator. */
  readonly patch: unknown;
  /** How long a node may be unreachable before its pods are evicted. */
  readonly lostNodeMs: number;
}

/** The Pod object of a specification, with the patch of the operator, which cannot change name and labels. */
export const podManifest = (spec: PodSpec, options: ManifestOptions): Plain<V1Pod> => {
  const patched = mergeStrategically(manifestOf(spec, options), options.patch);
  return {
    ...patched,
    metadata: {
      ...patched.metadata,
      name: podNameOf(spec),
      namespace: options.namespace,
      labels: { ...patched.metadata?.labels, [SYSTEM_LABEL]: options.system, ...labelsOf(spec) },
    },
  };
};

/** Requests and limits of a size. Requests of processors stay below their limit, which resizing must not change. */
export const resourcesOf = ({ memoryBytes, cpuCores }: Pick<PodSpec, 'memoryBytes' | 'cpuCores'>) => ({
  requests: { memory: String(memoryBytes), cpu: String(cpuCores) },
  limits: { memory: String(memoryBytes), cpu: String(2 * cpuCores) },
});

const labelsOf = ({ instanceId, ownerUsername }: PodSpec): Record<string, string> => ({
  [INSTANCE_LABEL]: String(instanceId),
  // A label consists of letters, digits, dots, dashes and underscores, and begins and ends with a letter or digit.
  [OWNER_LABEL]: ownerUsername
    .replace(/[^A-Za-z0-9._-]+/g, '_')
    .slice(0, 63)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, ''),
});

const GIB = 2 ** 30;
/** Disk space as a multiple of the snapshot: for its files, the database, and the spill files of loading. */
const DISK_FACTOR = 6;

const manifestOf = (spec: PodSpec, options: ManifestOptions): Plain<V1Pod> => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { labels: { 'app.kubernetes.io/name': 'rowgraph-pod', 'app.kubernetes.io/part-of': 'rowgraph' } },
  spec: {
    restartPolicy: 'Never',
    enableServiceLinks: false,
    automountServiceAccountToken: false,
    serviceAccountName: POD_SERVICE_ACCOUNT,
    terminationGracePeriodSeconds: 30,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: USER,
      runAsGroup: USER,
      fsGroup: USER,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    tolerations: ['not-ready', 'unreachable'].map((state) => ({
      key: `node.kubernetes.io/${state}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: Math.ceil(options.lostNodeMs / 1000),
    })),
    containers: [containerOf(spec, options)],
    volumes: [
      { name: 'data', emptyDir: { sizeLimit: String(2 * GIB + DISK_FACTOR * spec.snapshotBytes) } },
      { name: 'cache', emptyDir: { sizeLimit: String(GIB) } },
      {
        name: 'token',
        projected: {
          sources: [
            {
              serviceAccountToken: { audience: POD_TOKEN_AUDIENCE, expirationSeconds: TOKEN_SECONDS, path: 'token' },
            },
          ],
        },
      },
    ],
  },
});

const containerOf = (spec: PodSpec, { image, environmentFor }: ManifestOptions) => {
  const health = { httpGet: { path: '/health', port: POD_PORT }, timeoutSeconds: 5 };
  return {
    name: CONTAINER,
    image: image[spec.wrapperType],
    command: ['node', PROGRAM, `instance-${spec.instanceId}`],
    workingDir: POD_PATHS.data,
    env: Object.entries(environmentFor(spec)).map(([name, value]) => ({ name, value })),
    ports: [{ name: 'http', containerPort: POD_PORT, protocol: 'TCP' }],
    resources: resourcesOf(spec),
    readinessProbe: { ...health, periodSeconds: 1, failureThreshold: 8 },
    livenessProbe: { ...health, periodSeconds: 5, initialDelaySeconds: 15, failureThreshold: 6 },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'data', mountPath: POD_PATHS.data },
      { name: 'cache', mountPath: POD_PATHS.cache },
      { name: 'token', mountPath: '/var/run/rowgraph/token', readOnly: true },
    ],
  };
};
