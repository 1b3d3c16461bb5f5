import { join } from 'node:path';
import { right } from 'fp-ts/Either';
import { type PodRuntime, type PodSpec } from '../../domain/ports/pod-runtime';
import { type IdentifyComponent, signServiceToken } from '../http/internal/service-token';
import { memoryLimitFile } from '../local-process/memory-limit-file';
import { ProcessPodRuntime } from '../local-process/process-pod-runtime';
import { programPath } from '../system/package-root';
import { internalUrl, type Settings } from './settings';
import { type Startup } from './startup';

/** A pod's token outlives every instance. */
const TOKEN_SECONDS = 400 * 24 * 3600;

/** The token with which an instance's pod calls the internal API; `life` null: for all pods of the instance. */
export const podToken = (secret: string, instanceId: number, life: number | null): string =>
  signServiceToken(secret, { kind: 'wrapper', instanceId, life }, TOKEN_SECONDS);

/** Starts nothing: instances wait in `starting` for pods that run elsewhere. */
const noPodRuntime: PodRuntime = {
  kind: 'none',
  managesPods: false,
  outlivesControlPlane: true,
  isShared: true,
  whyNot: () => null,
  createPod: () => Promise.resolve(right(undefined)),
  deletePod: () => Promise.resolve(right('absent')),
  // The outside runner reads the size from the list of pods to run.
  resizePod: () => Promise.resolve(right('pending')),
  listPods: () => Promise.resolve(right([])),
  routeOf: () => null,
  onPodChanged: () => () => undefined,
};

/** The instance of a slug, null if there is none. */
export type InstanceIdOf = (urlSlug: string) => Promise<number | null>;

/** A runtime before it is used. */
export interface ChosenPodRuntime {
  readonly runtime: PodRuntime;
  /** Identifies pods by tokens that are not ours; null when all pods have signed tokens. */
  readonly identifyPods: ((instanceIdOf: InstanceIdOf) => IdentifyComponent) | null;
  /** Prepares it, once this control plane holds its locks. `secret` signs the tokens of pods. */
  open(secret: string): Promise<void>;
}

/** What every pod is given, wherever it runs. */
export const podEnvironment = (spec: PodSpec, settings: Settings): Record<string, string> => ({
  ROWGRAPH_POD_INSTANCE_ID: String(spec.instanceId),
  ROWGRAPH_POD_SLUG: spec.urlSlug,
  ROWGRAPH_POD_INSTANCE_URL: spec.instanceUrl,
  ROWGRAPH_POD_OWNER: spec.ownerUsername,
  ROWGRAPH_POD_WRAPPER_TYPE: spec.wrapperType,
  ROWGRAPH_POD_CONTROL_PLANE_URL: internalUrl(settings),
  ROWGRAPH_POD_MEMORY_BYTES: String(spec.memoryBytes),
  ROWGRAPH_POD_CPU_CORES: String(spec.cpuCores),
  ROWGRAPH_POD_SIGNED_REQUESTS: 'on',
  ROWGRAPH_LOG_LEVEL: settings.logLevel,
});

/** Pods that run elsewhere. */
export const podsElsewhere: ChosenPodRuntime = {
  runtime: noPodRuntime,
  identifyPods: null,
  open: () => Promise.resolve(),
};

/** Pods that are processes of this machine. */
export const localPods = ({ settings, closers, log, platformCheck }: Startup): ChosenPodRuntime => {
  let sharedSecret = '';
  const environmentFor = (spec: PodSpec, podDirectory: string): Record<string, string> => ({
    ...podEnvironment(spec, settings),
    ROWGRAPH_POD_TOKEN: podToken(sharedSecret, spec.instanceId, spec.life),
    ROWGRAPH_POD_DATA_DIR: podDirectory,
    ROWGRAPH_POD_CACHE_DIR: join(settings.dataDirectory, 'programs'),
    ROWGRAPH_POD_HOST: '127.0.0.1',
    ROWGRAPH_POD_PORT: '0',
    ROWGRAPH_POD_MEMORY_FILE: memoryLimitFile(podDirectory),
  });
  const runtime = new ProcessPodRuntime({
    programPath: programPath('pod/graph/main'),
    directory: join(settings.dataDirectory, 'pods'),
    environmentFor,
    platformCheck,
    log: log.child({ part: 'pods' }),
  });
  return {
    runtime,
    identifyPods: null,
    open: async (secret) => {
      sharedSecret = secret;
      await runtime.cleanUp();
      closers.add('pods', () => runtime.stopAll());
    },
  };
};
