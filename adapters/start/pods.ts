import { join } from 'node:path';
import { right } from 'fp-ts/Either';
import { changeInstance } from '../../commands/instance/change-instance';
import { type CommandPorts, requestContext } from '../../commands/kit/command-context';
import { type WrapperType } from '../../domain/instance';
import { type AskedPod } from '../../domain/ports/pod-client';
import { type PodRuntime, type PodSpec } from '../../domain/ports/pod-runtime';
import { signServiceToken } from '../http/internal/service-token';
import { ProcessPodRuntime } from '../local-process/process-pod-runtime';
import { programPath } from '../system/package-root';
import { internalUrl } from './settings';
import { type Startup } from './startup';
import { tryUntilDone } from '../system/try-until-done';

export interface Pods {
  readonly runtime: PodRuntime;
  /** Local port of a pod; null for one that does not run here. */
  readonly portOf: (urlSlug: string) => number | null;
  /** The URL at which the control plane reaches a pod, or null if it is unknown. */
  readonly addressOf: (pod: AskedPod) => string | null;
  /** The base URL of instances; null if the control plane does not run pods, so that each pod reports its address. */
  readonly instanceBaseUrl: string | null;
  /** The instance a pod here belongs to; null for a slug that none has. */
  readonly instanceIdOf: (urlSlug: string) => number | null;
  /** Aborts when the pod no longer responds; null for one that does not run here. */
  readonly untilSilent: (urlSlug: string) => AbortSignal | null;
  /** Why no pod of a kind can run here, null when one can as far as is known. */
  readonly unavailableReason: (kind: WrapperType) => string | null;
}

/** A pod's token outlives every instance. */
const TOKEN_SECONDS = 400 * 24 * 3600;

/** The token with which an instance's pod calls the internal API. */
export const podToken = (secret: string, instanceId: number): string =>
  signServiceToken(secret, { kind: 'wrapper', instanceId }, TOKEN_SECONDS);

/** Starts nothing: instances wait in `starting` for pods that run elsewhere. */
const noPodRuntime: PodRuntime = {
  createPod: () => Promise.resolve(right(undefined)),
  deletePod: () => Promise.resolve(right(undefined)),
  resizePod: () => Promise.resolve(right(undefined)),
  listPods: () => Promise.resolve(right([])),
  onPodEnded: () => () => undefined,
};

/** The runtime pods run on, by the settings. */
export const openPods = async (
  { secret, storageRoot }: { readonly secret: string; readonly storageRoot: string },
  platformCheck: Pods['unavailableReason'],
  { settings, closers, log }: Startup,
): Promise<Pods> => {
  if (settings.podRuntime === 'none')
    return {
      runtime: noPodRuntime,
      portOf: () => null,
      addressOf: ({ reportedUrl }) => reportedUrl,
      instanceBaseUrl: null,
      instanceIdOf: () => null,
      untilSilent: () => null,
      unavailableReason: () => null,
    };
  const environmentFor = (spec: PodSpec, podDirectory: string): Record<string, string> => ({
    ROWGRAPH_POD_INSTANCE_ID: String(spec.instanceId),
    ROWGRAPH_POD_SLUG: spec.urlSlug,
    ROWGRAPH_POD_INSTANCE_URL: spec.instanceUrl,
    ROWGRAPH_POD_OWNER: spec.ownerUsername,
    ROWGRAPH_POD_WRAPPER_TYPE: spec.wrapperType,
    ROWGRAPH_POD_CONTROL_PLANE_URL: internalUrl(settings),
    ROWGRAPH_POD_TOKEN: podToken(secret, spec.instanceId),
    ROWGRAPH_POD_DATA_DIR: podDirectory,
    ROWGRAPH_POD_CACHE_DIR: join(settings.dataDirectory, 'programs'),
    ROWGRAPH_POD_HOST: '127.0.0.1',
    ROWGRAPH_POD_PORT: '0',
    ROWGRAPH_POD_MEMORY_BYTES: String(spec.memoryBytes),
    ROWGRAPH_POD_CPU_CORES: String(spec.cpuCores),
    ROWGRAPH_POD_OBJECT_STORE_ROOT: storageRoot,
    ROWGRAPH_LOG_LEVEL: settings.logLevel,
  });
  const runtime = new ProcessPodRuntime({
    programPath: programPath('pod/graph/main'),
    directory: join(settings.dataDirectory, 'pods'),
    environmentFor,
    platformCheck,
    log: log.child({ part: 'pods' }),
  });
  await runtime.cleanUp();
  closers.add('pods', () => runtime.stopAll());
  return {
    runtime,
    portOf: (urlSlug) => runtime.portOf(urlSlug),
    addressOf: ({ urlSlug }) => {
      const port = runtime.portOf(urlSlug);
      return port === null ? null : `http://127.0.0.1:${port}`;
    },
    instanceBaseUrl: settings.instanceBaseUrl,
    instanceIdOf: (urlSlug) => runtime.instanceIdOf(urlSlug),
    untilSilent: (urlSlug) => runtime.untilSilent(urlSlug),
    unavailableReason: platformCheck,
  };
};

/** Reports to the instance that its pod ended unasked. */
export const reportLostPods = (
  runtime: PodRuntime,
  ports: CommandPorts,
  { closers, log }: Pick<Startup, 'closers' | 'log'>,
): void => {
  const closing = new AbortController();
  const stop = runtime.onPodEnded(({ instanceId, reason }) => {
    const actor = { username: 'system:pod-runtime', role: 'system' } as const;
    const context = requestContext(ports.ids, actor, ports.ids.uuid());
    const command = { type: 'ReportPodLost', reason: reason ?? 'no reason given' } as const;
    void tryUntilDone(
      `recording the lost pod of instance ${instanceId}`,
      () => changeInstance(ports, instanceId, command, context),
      closing.signal,
      log,
    );
  });
  closers.add('watch on pods', () => {
    closing.abort();
    stop();
  });
};
