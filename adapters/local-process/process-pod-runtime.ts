import { join, resolve } from 'node:path';
import { type Either, isRight, left, right } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { podNameOf, type PodStatus } from '../../domain/instance';
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
import { LocalPod, type LocalPodTiming } from './local-pod';
import { createMemoryWatchdog, type MemoryWatchdog } from './memory-watchdog';
import { removeLeftoverPods, writeLimits } from './pod-folder';
import { type HealthTiming } from './pod-health';
import { startPodProcess } from './pod-process';

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

export interface PodTiming extends HealthTiming, LocalPodTiming {
  /** Time limit for a new pod to listen (15 s). */
  readonly listenWithinMs: number;
  /** Time limit for a pod to end when the whole system stops (5 s). */
  readonly disconnectMs: number;
  /** Interval of memory checks (1 s). */
  readonly sampleEveryMs: number;
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
const SLUG = /^[A-Za-z0-9-]{1,64}$/;

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
  private readonly pods = new Map<string, LocalPod>();
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
    for (const pod of pods) void pod.remove();
    return Promise.resolve(right(pods.length === 0 ? 'absent' : 'ordered'));
  }

  /** The limits of the watchdog and of queries. FalkorDB uses the new memory and cores after a restart only. */
  async resizePod(pod: PodOf, size: PodSize, signal: AbortSignal): Promise<Either<PodRuntimeError, TakesEffect>> {
    if (signal.aborted) return left(ABORTED);
    const process = this.pods.get(podNameOf(pod))?.process;
    if (process == null) return right('at_next_start');
    this.watchdog.changeLimit(process.program.pid, size.memoryBytes);
    const written = await writeLimits(process.folder, size);
    return isRight(written) ? right('now') : written;
  }

  listPods(): Promise<Either<PodRuntimeError, readonly PodStatus[]>> {
    return Promise.resolve(right(Array.from(this.pods.values(), (pod) => pod.status())));
  }

  routeOf(urlSlug: string): PodRoute | null {
    const pod = this.ofSlug(urlSlug).findLast((one) => one.process !== null && one.status().end === null);
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

  private ofSlug(urlSlug: string): readonly LocalPod[] {
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
    this.pods.set(podNameOf(spec), this.createLocalPod(spec));
    return right(undefined);
  }

  private createLocalPod(spec: PodSpec): LocalPod {
    const { programPath, environmentFor, log } = this.options;
    const { timing, watchdog } = this;
    const name = `instance-${spec.instanceId}`;
    const folder = join(this.directory, name);
    return new LocalPod({
      ...{ spec, timing, log, stopping: this.stopping.signal },
      earlier: () => this.ofSlug(spec.urlSlug).filter(({ spec: { life } }) => life < spec.life),
      startProcess: (abandoned, logOfPod) =>
        startPodProcess({
          ...{ name, folder, programPath, abandoned, watchdog, log: logOfPod },
          environment: environmentFor(spec, folder),
          size: spec,
          health: timing,
          listenWithinMs: timing.listenWithinMs,
        }),
      onChange: (pod) => this.changed(pod),
    });
  }

  private changed(pod: LocalPod): void {
    if (pod.isRemoved) this.pods.delete(podNameOf(pod.spec));
    if (this.stopping.signal.aborted) return;
    for (const listener of this.listeners) listener(pod.status());
  }

  private async disconnectAll(): Promise<void> {
    const disconnect = async ({ process }: LocalPod): Promise<void> => {
      if ((await process?.program.disconnect(this.timing.disconnectMs)) === true) await process?.removed;
    };
    await Promise.all(Array.from(this.pods.values(), disconnect));
  }
}

const ABORTED: PodRuntimeError = { kind: 'unavailable', reason: 'the order was aborted' };

const rejected = (reason: string): Either<PodRuntimeError, never> => left({ kind: 'rejected', reason });
