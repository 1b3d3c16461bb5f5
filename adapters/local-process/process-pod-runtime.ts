import { join, resolve } from 'node:path';
import { type Either, isRight, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { type PodEnd, podNameOf, type PodStatus } from '../../domain/instance';
import {
  type PodOf,
  type PodRoute,
  type PodRuntime,
  type PodRuntimeError,
  type PodSize,
  type PodsOf,
  type PodSpec,
  type TakesEffect,
} from '../../domain/ports/pod-runtime';
import { retry } from '../system/retry';
import { createMemoryWatchdog, type MemoryWatchdog } from './memory-watchdog';
import { removeLeftoverPods, writeMemoryLimit } from './pod-folder';
import { type HealthTiming } from './pod-health';
import { type PodProcess, startPodProcess } from './pod-process';

export interface ProcessPodRuntimeOptions {
  /** The compiled entry file of the pod. */
  readonly programPath: string;
  /** Parent of the working directories of pods: `instance-<id>`, since the log must not contain slugs. */
  readonly directory: string;
  /** The settings of a pod, in addition to those of `startProgram`. `folder` is its working directory. */
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
  readonly disconnectMs: number;
  /** Interval of memory checks (1 s). */
  readonly sampleEveryMs: number;
  /** Delay before the first of the repeated attempts to start a pod; it doubles up to 30 s (250 ms). */
  readonly retryFirstMs: number;
}

const TIMING: PodTiming = {
  listenWithinMs: 15_000,
  graceMs: 30_000,
  answerBeforeEndMs: 5_000,
  disconnectMs: 5_000,
  sampleEveryMs: 1_000,
  retryFirstMs: 250,
  checkEveryMs: 1_000,
  unresponsiveAfterMs: 8_000,
  lostAfterMs: 30_000,
};
const LONGEST_RETRY_MS = 30_000;
const SLUG = /^[A-Za-z0-9-]{1,64}$/;

interface Pod {
  readonly spec: PodSpec;
  /** Null while it starts. */
  process: PodProcess | null;
  /** Why its last attempt to start failed, or why it does not end. */
  reason: string | null;
  end: PodEnd | null;
  /** Aborts when its end is ordered. */
  readonly deleted: AbortController;
  /** Resolves when its start has succeeded or was abandoned. */
  started: Promise<void>;
  /** The last ordered end. */
  removal: Promise<void> | null;
}

/**
 * Runs each pod as a process of this machine. Orders are carried out in the background.
 */
export class ProcessPodRuntime implements PodRuntime {
  readonly kind = 'process';
  readonly managesPods = true;
  readonly outlivesControlPlane = false;
  readonly isShared = false;
  private readonly directory: string;
  private readonly timing: PodTiming;
  private readonly watchdog: MemoryWatchdog;
  /** By name. */
  private readonly pods = new Map<string, Pod>();
  private readonly listeners = new Set<(pod: PodStatus) => void>();
  private readonly stopping = new AbortController();

  constructor(private readonly options: ProcessPodRuntimeOptions) {
    this.directory = resolve(options.directory);
    this.timing = { ...TIMING, ...options.timing };
    this.watchdog = createMemoryWatchdog(this.timing.sampleEveryMs);
  }

  unsupportedReason(kind: PodSpec['wrapperType']): string | null {
    return this.options.platformCheck(kind);
  }

  createPod(spec: PodSpec, { aborted }: AbortSignal): Promise<Either<PodRuntimeError, void>> {
    return Promise.resolve(aborted ? left(ABORTED) : this.order(spec));
  }

  deletePod({ urlSlug, life }: PodsOf, signal: AbortSignal): Promise<Either<PodRuntimeError, 'ordered' | 'absent'>> {
    if (signal.aborted) return Promise.resolve(left(ABORTED));
    const pods = this.ofSlug(urlSlug).filter(({ spec }) => life === null || life === spec.life);
    for (const pod of pods) void this.remove(pod);
    return Promise.resolve(right(pods.length === 0 ? 'absent' : 'ordered'));
  }

  /** The limits of the watchdog and of queries. The engine plans with its new memory and cores after a restart. */
  async resizePod(
    pod: PodOf,
    { memoryBytes }: PodSize,
    signal: AbortSignal,
  ): Promise<Either<PodRuntimeError, TakesEffect>> {
    if (signal.aborted) return left(ABORTED);
    const process = this.pods.get(podNameOf(pod))?.process;
    if (process == null) return right('at_next_start');
    this.watchdog.changeLimit(process.program.pid, memoryBytes);
    const written = await writeMemoryLimit(process.folder, memoryBytes);
    return isRight(written) ? right('now') : written;
  }

  listPods(): Promise<Either<PodRuntimeError, readonly PodStatus[]>> {
    return Promise.resolve(right(Array.from(this.pods.values(), statusOf)));
  }

  routeOf(urlSlug: string): PodRoute | null {
    const pod = this.ofSlug(urlSlug).findLast(({ process, end }) => process !== null && end === null);
    if (pod?.process == null) return null;
    const { port, health } = pod.process;
    const { instanceId, life } = pod.spec;
    return { url: `http://127.0.0.1:${port}`, instanceId, life, unresponsive: health.unresponsiveSignal() };
  }

  onPodChanged(listener: (pod: PodStatus) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Ends all pods without deleting or reporting them; no new pod starts. */
  async stopAll(): Promise<void> {
    this.stopping.abort();
    await this.disconnectAll();
    await Promise.all(Array.from(this.pods.values(), ({ started }) => started));
    // A pod that had just begun to listen.
    await this.disconnectAll();
    await Promise.all(Array.from(this.pods.values()).flatMap(({ removal }) => removal ?? []));
    this.pods.clear();
  }

  /** Ends pods of an earlier run. Call it first, as the only owner of the directory. */
  async cleanUp(): Promise<void> {
    const { killed } = await removeLeftoverPods(this.directory);
    if (killed > 0) this.options.log.warn({ killed }, 'ended the pods of an earlier run');
  }

  private ofSlug(urlSlug: string): readonly Pod[] {
    return Array.from(this.pods.values()).filter(({ spec }) => spec.urlSlug === urlSlug);
  }

  private order(spec: PodSpec): Either<PodRuntimeError, void> {
    const { urlSlug, instanceId, life } = spec;
    const obstacle = this.unsupportedReason(spec.wrapperType);
    if (obstacle !== null) return rejected(obstacle);
    if (!SLUG.test(urlSlug)) {
      return rejected(`the slug of instance ${instanceId} is not made of letters, digits and dashes`);
    }
    if (this.stopping.signal.aborted) return left({ kind: 'unavailable', reason: 'the system is stopping' });
    const known = this.ofSlug(urlSlug);
    const [other] = known.filter((pod) => pod.spec.instanceId !== instanceId);
    if (other !== undefined) {
      return rejected(`the slug of instance ${instanceId} belongs to instance ${other.spec.instanceId}`);
    }
    if (known.some((pod) => pod.spec.life >= life)) return right(undefined);
    if (Array.from(this.pods.values()).some((pod) => pod.spec.instanceId === instanceId && !known.includes(pod))) {
      return rejected(`instance ${instanceId} has a pod with another slug; delete that pod first`);
    }
    const pod: Pod = {
      spec,
      process: null,
      reason: null,
      end: null,
      deleted: new AbortController(),
      started: Promise.resolve(),
      removal: null,
    };
    this.pods.set(podNameOf(spec), pod);
    pod.started = this.start(pod);
    return right(undefined);
  }

  /** Retries temporary failures until the pod listens or its start is abandoned. */
  private async start(pod: Pod): Promise<void> {
    const log = this.options.log.child({ instanceId: pod.spec.instanceId });
    const abandoned = AbortSignal.any([this.stopping.signal, pod.deleted.signal]);
    const started = await retry(() => this.tryToStart(pod, abandoned, log), {
      ...{ pausesMs: [this.timing.retryFirstMs, LONGEST_RETRY_MS], signal: abandoned },
      onFailure: (failure) => {
        if (failure.kind === 'ended') return false;
        pod.reason = failure.reason;
        this.changed(pod);
        log.warn({ reason: pod.reason }, 'a pod could not be started; trying again');
        return true;
      },
    });
    if (isRight(started)) {
      Object.assign(pod, { process: started.right, reason: null });
      void this.follow(pod, started.right);
    } else if (started.left.kind === 'ended') {
      pod.end = started.left.end;
      this.logEnd(pod, started.left.end);
    }
    this.changed(pod);
  }

  /** Earlier pods end first, since they use the same folder. */
  private async tryToStart(pod: Pod, abandoned: AbortSignal, log: Logger): ReturnType<typeof startPodProcess> {
    const { spec } = pod;
    const earlier = this.ofSlug(spec.urlSlug).filter(({ spec: { life } }) => life < spec.life);
    await Promise.all(earlier.map((one) => this.remove(one)));
    const stuck = earlier.find((one) => this.pods.has(podNameOf(one.spec)));
    if (stuck !== undefined)
      return left({ kind: 'unavailable', reason: stuck.reason ?? 'an earlier pod has not ended' });
    const name = `instance-${spec.instanceId}`;
    const folder = join(this.directory, name);
    return startPodProcess({
      ...{ name, folder, abandoned, log },
      programPath: this.options.programPath,
      environment: this.options.environmentFor(spec, folder),
      memoryBytes: spec.memoryBytes,
      watchdog: this.watchdog,
      health: this.timing,
      listenWithinMs: this.timing.listenWithinMs,
    });
  }

  private async follow(pod: Pod, process: PodProcess): Promise<void> {
    const end = await process.ended;
    pod.end = pod.removal === null ? end : ORDERED;
    this.logEnd(pod, end);
    await process.removed;
    this.changed(pod);
  }

  private logEnd({ removal, spec }: Pod, { cause, text }: PodEnd): void {
    if (removal !== null || this.stopping.signal.aborted) return;
    this.options.log[cause === 'stopped' ? 'info' : 'warn'](
      { instanceId: spec.instanceId, reason: text },
      'pod ended by itself',
    );
  }

  /** One removal at a time: a repeated order joins it, or retries pods that did not end. */
  private remove(pod: Pod): Promise<void> {
    pod.deleted.abort();
    pod.removal ??= this.endPod(pod).then((isRemoved) => {
      if (!isRemoved) pod.removal = null;
    });
    this.changed(pod);
    return pod.removal;
  }

  private async endPod(pod: Pod): Promise<boolean> {
    await pod.started;
    if (pod.process !== null) {
      const { program, removed, health } = pod.process;
      const isFrozen = pod.end === null && !(await health.answersWithin(this.timing.answerBeforeEndMs));
      health.stop();
      if (!(await program.stop(isFrozen ? 0 : this.timing.graceMs))) {
        pod.reason = `process ${program.pid} does not end, it is stuck in the kernel`;
        return false;
      }
      await removed;
    }
    this.pods.delete(podNameOf(pod.spec));
    pod.end ??= ORDERED;
    this.changed(pod);
    return true;
  }

  private changed(pod: Pod): void {
    if (this.stopping.signal.aborted) return;
    for (const listener of this.listeners) listener(statusOf(pod));
  }

  private async disconnectAll(): Promise<void> {
    const disconnect = async ({ process }: Pod): Promise<void> => {
      if ((await process?.program.disconnect(this.timing.disconnectMs)) === true) await process?.removed;
    };
    await Promise.all(Array.from(this.pods.values(), disconnect));
  }
}

const ABORTED: PodRuntimeError = { kind: 'unavailable', reason: 'the order was aborted' };
const ORDERED: PodEnd = { cause: 'stopped', text: 'its end was ordered' };

const rejected = (reason: string): Either<PodRuntimeError, never> => left({ kind: 'rejected', reason });

const statusOf = ({ spec, process, reason, end, deleted }: Pod): PodStatus => ({
  podName: podNameOf(spec),
  instanceId: spec.instanceId,
  urlSlug: spec.urlSlug,
  life: spec.life,
  phase: end !== null ? 'ended' : deleted.signal.aborted ? 'ending' : process === null ? 'starting' : 'ready',
  reason: end === null ? reason : null,
  end,
});
