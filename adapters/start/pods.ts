import { join } from 'node:path';
import { type Either, right } from 'fp-ts/Either';
import { type PodRuntime, type PodSpec } from '../../domain/ports/pod-runtime';
import { type IdentifyComponent, signServiceToken } from '../http/internal/service-token';
import { memoryLimitFile } from '../local-process/pod-folder';
import { ProcessPodRuntime } from '../local-process/process-pod-runtime';
import { programPath } from '../system/package-root';
import { type StartFailure } from '../system/shutdown-steps';
import { tracedEnvironment } from '../system/tracing';
import { internalUrl, type Settings } from './settings';
import { type Startup } from './startup';
import { type TokenFiles } from './token-files';

/** Longer than the life of every instance: an external runner starts a pod with one token. */
const RUNNER_TOKEN_SECONDS = 400 * 24 * 3600;

/** The token for all pods of an instance, for an external runner. */
export const runnerToken = (secret: string, instanceId: number): string =>
  signServiceToken(secret, { kind: 'wrapper', instanceId, life: null }, RUNNER_TOKEN_SECONDS);

/** A runtime that does nothing: instances wait in `starting` for pods of an external runner. */
export const noPodRuntime: PodRuntime = {
  kind: 'none',
  managesPods: false,
  outlivesControlPlane: true,
  isShared: true,
  unsupportedReason: () => null,
  createPod: () => Promise.resolve(right(undefined)),
  deletePod: () => Promise.resolve(right('absent')),
  // The external runner reads the size from the list of pods to run.
  resizePod: () => Promise.resolve(right('pending')),
  listPods: () => Promise.resolve(right([])),
  routeOf: () => null,
  onPodChanged: () => () => undefined,
};

interface OpenPodRuntime {
  readonly runtime: PodRuntime;
  /** Identifies pods by external tokens; null when all pods have signed tokens. */
  readonly identifyPods: IdentifyComponent | null;
}

/** The inputs of a runtime that need open stores. */
export interface OpenedSystem {
  readonly tokens: TokenFiles;
  readonly logId: string;
  /** The instance of a slug, null if there is none. */
  readonly instanceIdOf: (urlSlug: string) => Promise<number | null>;
}

/** A runtime that is not prepared yet. */
export interface ChosenPodRuntime extends Pick<PodRuntime, 'isShared'> {
  /** Prepares it, once this control plane holds its locks. */
  open(system: OpenedSystem): Promise<Either<StartFailure, OpenPodRuntime>>;
}

/** The settings of every pod. */
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
  ...tracedEnvironment(settings.podRuntime === 'process'),
});

/** Pods of an external runner. */
export const podsElsewhere: ChosenPodRuntime = {
  isShared: noPodRuntime.isShared,
  open: () => Promise.resolve(right({ runtime: noPodRuntime, identifyPods: null })),
};

/** Pods as local processes. */
export const localPods = ({ settings, shutdownSteps, log, platformCheck }: Startup): ChosenPodRuntime => ({
  isShared: false,
  open: async ({ tokens }) => {
    const environmentFor = (spec: PodSpec, podDirectory: string): Record<string, string> => ({
      ...podEnvironment(spec, settings),
      ROWGRAPH_POD_TOKEN_FILE: tokens.fileFor({ kind: 'wrapper', instanceId: spec.instanceId, life: spec.life }),
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
    await runtime.cleanUp();
    shutdownSteps.add('pods', () => runtime.stopAll());
    return right({ runtime, identifyPods: null });
  },
});
