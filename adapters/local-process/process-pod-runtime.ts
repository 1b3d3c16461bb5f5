import { join, resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { KeyedMutex } from '../../commands/kit/keyed-mutex';
import { type PodEnd, podNameOf, type PodStatus } from '../../domain/instance';
import { type PodRuntime, type PodRuntimeError, type PodSize, type PodSpec } from '../../domain/ports/pod-runtime';
import { removeLeftoverPods } from './leftover-pods';
import { writeMemoryLimit } from './memory-limit-file';
import { createMemoryWatchdog, type MemoryWatchdog } from './memory-watchdog';
import { type HealthTiming } from './pod-health';
import { type PodProcess, startPodProcess } from './pod-process';

export interface ProcessPodRuntimeOptions {
  /** The compiled entry file of the pod. */
  readonly programPath: string;
  /** Every pod works in a folder of its own in here: `instance-<id>`, which a log may name, unlike a slug. */
  readonly directory: string;
  /** The settings of a pod, in addition to PATH, HOME, TMPDIR and LANG. `folder` is its working directory. */
  readonly environmentFor: (spec: PodSpec, folder: string) => Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Why this machine cannot run a kind of pod, null when it can. */
  readonly platformCheck: (wrapperType: PodSpec['wrapperType']) => string | null;
  readonly timing?: Partial<PodTiming>;
}

export interface PodTiming extends HealthTiming {
  /** Time limit for a new pod to listen (15 s). */
  readonly listenWithinMs: number;
  /** Time limit for a deleted pod to end after SIGTERM (30 s). */
  readonly graceMs: number;
  /** Time limit for a deleted pod to answer a health check; a frozen pod is killed at once (5 s). */
  readonly answerBeforeEndMs: number;
  /** Time limit for a pod to end when the whole system stops (5 s). */
  readonly hangUpMs: number;
  /** Interval of memory checks (1 s). */
  readonly sampleEveryMs: number;
}

const TIMING: PodTiming = {
  listenWithinMs: 15_000,
  graceMs: 30_000,
  answerBeforeEndMs: 5_000,
  hangUpMs: 5_000,
  sampleEveryMs: 1_000,
  askEveryMs: 1_000,
  silentAfterMs: 8_000,
  lostAfterMs: 30_000,
};
const SLUG = /^[A-Za-z0-9-]{1,64}$/;

interface Pod {
  readonly spec: PodSpec;
  /** Null while it starts. */
  process: PodProcess | null;
  end: PodEnd | null;
  isDeleted: boolean;
}

/** Runs each pod as a process of this machine. Creations and deletions of one slug exclude each other. */
export class ProcessPodRuntime implements PodRuntime {
  private readonly directory: string;
  private readonly timing: PodTiming;
  private readonly watchdog: MemoryWatchdog;
  private readonly pods = new Map<string, Pod>();
  private readonly listeners = new Set<(pod: PodStatus) => void>();
  private readonly mutex = new KeyedMutex();
  private readonly stopping = new AbortController();

  constructor(private readonly options: ProcessPodRuntimeOptions) {
    this.directory = resolve(options.directory);
    this.timing = { ...TIMING, ...options.timing };
    this.watchdog = createMemoryWatchdog(this.timing.sampleEveryMs);
  }

  async createPod(spec: PodSpec): Promise<Either<PodRuntimeError, void>> {
    const obstacle = this.options.platformCheck(spec.wrapperType);
    if (obstacle !== null) return rejected(obstacle);
    if (!SLUG.test(spec.urlSlug))
      return rejected(`the slug of instance ${spec.instanceId} is not made of letters, digits and dashes`);
    return this.mutex.runExclusive(spec.urlSlug, () => this.create(spec));
  }

  deletePod(urlSlug: string, life?: number): Promise<Either<PodRuntimeError, void>> {
    return this.mutex.runExclusive(urlSlug, () => this.remove(urlSlug, life));
  }

  /** The limits of the watchdog and of queries. The engine plans with its new memory and cores after a restart. */
  resizePod(urlSlug: string, { memoryBytes }: PodSize): Promise<Either<PodRuntimeError, void>> {
    return this.mutex.runExclusive(urlSlug, async () => {
      const process = this.pods.get(urlSlug)?.process;
      if (process == null) return right(undefined);
      this.watchdog.changeLimit(process.program.pid, memoryBytes);
      return writeMemoryLimit(process.folder, memoryBytes);
    });
  }

  listPods(): Promise<Either<PodRuntimeError, readonly PodStatus[]>> {
    return Promise.resolve(right(Array.from(this.pods.values(), statusOf)));
  }

  onPodEnded(listener: (pod: PodStatus) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The loopback port a running pod listens on, null for any other slug. */
  portOf(urlSlug: string): number | null {
    const pod = this.pods.get(urlSlug);
    return pod?.end === null ? (pod.process?.port ?? null) : null;
  }

  /** The instance of a pod, null for a slug that none has. */
  instanceIdOf(urlSlug: string): number | null {
    return this.pods.get(urlSlug)?.spec.instanceId ?? null;
  }

  /** Aborts when the pod of a slug no longer answers; null if no pod runs. */
  untilSilent(urlSlug: string): AbortSignal | null {
    return this.pods.get(urlSlug)?.process?.health.untilSilent() ?? null;
  }

  /** Ends all pods without deleting or reporting them; no new pod starts. */
  async stopAll(): Promise<void> {
    this.stopping.abort();
    await this.hangUpAll();
    await this.mutex.idle();
    // One that had begun to listen at the very moment.
    await this.hangUpAll();
    this.pods.clear();
  }

  /** Ends pods of an earlier run. Call it first, as the only owner of the directory. */
  async cleanUp(): Promise<void> {
    const { killed } = await removeLeftoverPods(this.directory);
    if (killed > 0) this.options.log.warn({ killed }, 'ended the pods of an earlier run');
  }

  private async create(spec: PodSpec): Promise<Either<PodRuntimeError, void>> {
    const { urlSlug, instanceId, life } = spec;
    if (this.stopping.signal.aborted) return left({ kind: 'unavailable', reason: 'the system is stopping' });
    const known = this.pods.get(urlSlug);
    if (known !== undefined && known.spec.instanceId !== instanceId) {
      return rejected(`the slug of instance ${instanceId} belongs to instance ${known.spec.instanceId}`);
    }
    if (known?.end === null) {
      if (known.spec.life === life) return right(undefined);
      const removed = await this.remove(urlSlug);
      if (isLeft(removed)) return removed;
    }
    if (Array.from(this.pods).some(([slug, other]) => slug !== urlSlug && other.spec.instanceId === instanceId)) {
      return rejected(`instance ${instanceId} has a pod with another slug; delete that pod first`);
    }
    await known?.process?.gone;
    const pod: Pod = { spec, process: null, end: null, isDeleted: false };
    this.pods.set(urlSlug, pod);
    const name = `instance-${instanceId}`;
    const folder = join(this.directory, name);
    const started = await startPodProcess({
      name,
      programPath: this.options.programPath,
      folder,
      environment: this.options.environmentFor(spec, folder),
      memoryBytes: spec.memoryBytes,
      watchdog: this.watchdog,
      health: this.timing,
      listenWithinMs: this.timing.listenWithinMs,
      abandoned: this.stopping.signal,
      log: this.options.log.child({ instanceId }),
    });
    if (isLeft(started)) {
      this.pods.delete(urlSlug);
      return started;
    }
    pod.process = started.right;
    void this.follow(pod, started.right);
    return right(undefined);
  }

  private async follow(pod: Pod, process: PodProcess): Promise<void> {
    pod.end = await process.ended;
    if (pod.isDeleted || this.stopping.signal.aborted) return;
    const { instanceId } = pod.spec;
    const level = pod.end.cause === 'stopped' ? 'info' : 'warn';
    this.options.log[level]({ instanceId, reason: pod.end.text }, 'pod ended by itself');
    await process.gone;
    for (const listener of this.listeners) listener(statusOf(pod));
  }

  private async remove(urlSlug: string, life?: number): Promise<Either<PodRuntimeError, void>> {
    const pod = this.pods.get(urlSlug);
    if (pod?.process == null || (life !== undefined && life !== pod.spec.life)) return right(undefined);
    pod.isDeleted = true;
    const { program, gone, health } = pod.process;
    const isFrozen = pod.end === null && !(await health.answersWithin(this.timing.answerBeforeEndMs));
    health.stop();
    if (!(await program.stop(isFrozen ? 0 : this.timing.graceMs))) {
      return left({ kind: 'unavailable', reason: `process ${program.pid} does not end, it is stuck in the kernel` });
    }
    await gone;
    this.pods.delete(urlSlug);
    return right(undefined);
  }

  private async hangUpAll(): Promise<void> {
    const hangUp = async ({ process }: Pod): Promise<void> => {
      if ((await process?.program.hangUp(this.timing.hangUpMs)) === true) await process?.gone;
    };
    await Promise.all(Array.from(this.pods.values(), hangUp));
  }
}

const rejected = (reason: string): Either<PodRuntimeError, never> => left({ kind: 'rejected', reason });

const statusOf = ({ spec, process, end }: Pod): PodStatus => ({
  podName: podNameOf(spec.urlSlug),
  instanceId: spec.instanceId,
  urlSlug: spec.urlSlug,
  life: spec.life,
  phase: end !== null ? 'ended' : process === null ? 'pending' : 'running',
  end,
});
