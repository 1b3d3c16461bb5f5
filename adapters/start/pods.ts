import { join } from 'node:path';
import { type Either, right } from 'fp-ts/Either';
import { type PodRuntime, type PodSpec } from '../../domain/ports/pod-runtime';
import { type IdentifyComponent, signServiceToken } from '../http/internal/service-token';
import { memoryLimitFile } from '../local-process/pod-folder';
import { ProcessPodRuntime } from '../local-process/process-pod-runtime';
import { type StartFailure } from '../system/shutdown-steps';
import { programPath } from '../system/package-root';
import { tracedEnvironment } from '../system/tracing';
import { internalUrl, type Settings } from './settings';
import { type Startup } from './startup';

/** The token of an instance's pod for the internal API; `life` null: for all pods of the instance. */
export const podToken = (secret: string, instanceId: number, life: number | null): string =>
  signServiceToken(secret, { kind: 'wrapper', instanceId, life });

/** A runtime that does nothing: instances wait in `starting` for pods of an external runner. */
const noPodRuntime: PodRuntime = {
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
  /** Signs the tokens of pods. */
  readonly secret: string;
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
  open: async ({ secret }) => {
    const environmentFor = (spec: PodSpec, podDirectory: string): Record<string, string> => ({
      ...podEnvironment(spec, settings),
      ROWGRAPH_POD_TOKEN: podToken(secret, spec.instanceId, spec.life),
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
