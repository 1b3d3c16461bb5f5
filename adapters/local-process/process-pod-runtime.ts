import { join, resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { KeyedMutex } from '../../commands/kit/keyed-mutex';
import { podNameOf } from '../../domain/instance';
import { type PodRuntime, type PodRuntimeError, type PodSize, type PodSpec } from '../../domain/ports/pod-runtime';
import { type PodStatus } from '../../domain/instance';
import { removeLeftoverPods } from './leftover-pods';
import { createMemoryWatchdog } from './memory-watchdog';
import { type PodProcess, startPodProcess } from './pod-process';

export interface ProcessPodRuntimeOptions {
  /** The compiled entry file of the pod. */
  readonly programPath: string;
  /** Every pod works in a folder of its own in here: `graph-<slug>`. */
  readonly directory: string;
  /** The settings of a pod, beside PATH, HOME, TMPDIR and LANG. `folder` is its working directory. */
  readonly environmentFor: (spec: PodSpec, folder: string) => Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Why this machine cannot run a kind of pod, null when it can. */
  readonly platformCheck?: (wrapperType: PodSpec['wrapperType']) => string | null;
  readonly timing?: Partial<PodTiming>;
}

export interface PodTiming {
  /** How long a new pod may take until it listens (15 s). */
  readonly listenWithinMs: number;
  /** How long a deleted pod may take to end after SIGTERM (30 s). */
  readonly graceMs: number;
  /** How long a pod may take to end when the whole system stops (5 s). */
  readonly hangUpMs: number;
  /** How often the memory of the pods is looked at (1 s). */
  readonly sampleEveryMs: number;
}

export interface ProcessPodRuntime extends PodRuntime {
  /** The loopback port a running pod listens on, null for any other slug. */
  portOf(urlSlug: string): number | null;
  /** Ends all pods without deleting them and tells nobody; none starts any more. */
  stopAll(): Promise<void>;
  /** Ends what an earlier life of the system left behind. Call it first, as the only owner of the directory. */
  cleanUp(): Promise<void>;
}

const TIMING: PodTiming = { listenWithinMs: 15_000, graceMs: 30_000, hangUpMs: 5_000, sampleEveryMs: 1_000 };
const SLUG = /^[A-Za-z0-9-]{1,64}$/;

interface Pod {
  readonly spec: PodSpec;
  readonly startedAt: string;
  /** Null while it starts. */
  process: PodProcess | null;
  endedBecause: string | null;
  isDeleted: boolean;
}

const onlyKuzu = (wrapperType: PodSpec['wrapperType']): string | null =>
  wrapperType === 'graphdb_a' ? null : `${wrapperType} is not available on this platform; use graphdb_a`;

/** Runs each pod as a process of this machine. Creations and deletions of one slug exclude each other. */
export const createProcessPodRuntime = (options: ProcessPodRuntimeOptions): ProcessPodRuntime => {
  const { log, platformCheck = onlyKuzu } = options;
  const directory = resolve(options.directory);
  const timing = { ...TIMING, ...options.timing };
  const pods = new Map<string, Pod>();
  const listeners = new Set<(pod: PodStatus) => void>();
  const mutex = new KeyedMutex();
  const stopping = new AbortController();
  const watchdog = createMemoryWatchdog(timing.sampleEveryMs);

  const create = async (spec: PodSpec): Promise<Either<PodRuntimeError, void>> => {
    const { urlSlug, instanceId } = spec;
    if (stopping.signal.aborted) return left({ kind: 'unavailable', reason: 'the system is stopping' });
    const known = pods.get(urlSlug);
    if (known !== undefined && known.endedBecause === null) {
      if (known.spec.instanceId === instanceId) return right(undefined);
      return rejected(`slug ${urlSlug} belongs to instance ${known.spec.instanceId}, not to ${instanceId}`);
    }
    await known?.process?.gone;
    const pod: Pod = { spec, startedAt: new Date().toISOString(), process: null, endedBecause: null, isDeleted: false };
    pods.set(urlSlug, pod);
    const podName = podNameOf(urlSlug);
    const folder = join(directory, podName);
    const started = await startPodProcess({
      podName,
      programPath: options.programPath,
      folder,
      environment: options.environmentFor(spec, folder),
      memoryBytes: spec.memoryBytes,
      watchdog,
      listenWithinMs: timing.listenWithinMs,
      abandoned: stopping.signal,
      log: log.child({ pod: podName, instanceId }),
    });
    if (isLeft(started)) {
      pods.delete(urlSlug);
      return started;
    }
    pod.process = started.right;
    void follow(pod, started.right);
    return right(undefined);
  };

  const follow = async (pod: Pod, process: PodProcess): Promise<void> => {
    pod.endedBecause = await process.ended;
    if (pod.isDeleted || stopping.signal.aborted) return;
    log.warn({ pod: podNameOf(pod.spec.urlSlug), reason: pod.endedBecause }, 'pod ended by itself');
    await process.gone;
    for (const listener of listeners) listener(statusOf(pod));
  };

  const remove = async (urlSlug: string): Promise<Either<PodRuntimeError, void>> => {
    const pod = pods.get(urlSlug);
    if (pod?.process == null) return right(undefined);
    pod.isDeleted = true;
    const { program, gone } = pod.process;
    if (!(await program.stop(timing.graceMs))) {
      return left({ kind: 'unavailable', reason: `process ${program.pid} does not end, it is stuck in the kernel` });
    }
    await gone;
    pods.delete(urlSlug);
    return right(undefined);
  };

  /** The watchdog's limit. The graph engine plans with its new memory, and computes on its new cores, after a restart. */
  const resize = (urlSlug: string, { memoryBytes }: PodSize): Either<PodRuntimeError, void> => {
    const process = pods.get(urlSlug)?.process;
    if (process != null) watchdog.changeLimit(process.program.pid, memoryBytes);
    return right(undefined);
  };

  const hangUpAll = (): Promise<unknown> =>
    Promise.all(
      Array.from(pods.values(), async ({ process }) => {
        if ((await process?.program.hangUp(timing.hangUpMs)) === true) await process?.gone;
      }),
    );

  return {
    createPod: async (spec) => {
      const obstacle = platformCheck(spec.wrapperType);
      if (obstacle !== null) return rejected(obstacle);
      if (!SLUG.test(spec.urlSlug)) return rejected(`slug ${spec.urlSlug} is not made of letters, digits and dashes`);
      return mutex.runExclusive(spec.urlSlug, () => create(spec));
    },
    deletePod: (urlSlug) => mutex.runExclusive(urlSlug, () => remove(urlSlug)),
    resizePod: (urlSlug, size) => mutex.runExclusive(urlSlug, () => Promise.resolve(resize(urlSlug, size))),
    listPods: () => Promise.resolve(right(Array.from(pods.values(), statusOf))),
    onPodEnded: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    portOf: (urlSlug) => {
      const pod = pods.get(urlSlug);
      return pod?.endedBecause === null ? (pod.process?.port ?? null) : null;
    },
    stopAll: async () => {
      stopping.abort();
      await hangUpAll();
      await mutex.idle();
      // One that had begun to listen at the very moment.
      await hangUpAll();
      pods.clear();
    },
    cleanUp: async () => {
      const { killed } = await removeLeftoverPods(directory);
      if (killed > 0) log.warn({ killed }, 'ended pods that an earlier run had left behind');
    },
  };
};

const rejected = (reason: string): Either<PodRuntimeError, never> => left({ kind: 'rejected', reason });

const statusOf = ({ spec, startedAt, process, endedBecause }: Pod): PodStatus => ({
  podName: podNameOf(spec.urlSlug),
  instanceId: spec.instanceId,
  urlSlug: spec.urlSlug,
  phase: endedBecause !== null ? 'ended' : process === null ? 'pending' : 'running',
  reason: endedBecause,
  startedAt,
});
