import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type PodEnd, type PodLock, podNameOf, type PodStatus } from '../../domain/instance';
import { type ObjectStore } from '../../domain/ports/object-store';
import { type PodClient } from '../../domain/ports/pod-client';
import { type PodRuntime, type PodRuntimeError, type PodsOf, type PodSpec } from '../../domain/ports/pod-runtime';
import { fallibleCall, Mortal } from './fallible-calls';
import { type FaultPlan } from './faults';
import { type SimulatedTime } from './simulated-time';

export type PodReport = 'starting' | 'running' | 'failed' | 'stopping';

/** How the control plane answered a report; null: there was no answer. */
export type ReportAnswer = 'accepted' | 'refused' | null;

export interface PodSurroundings {
  readonly time: SimulatedTime;
  readonly plan: FaultPlan;
  readonly objectStore: ObjectStore;
  readonly report: (instanceId: number, life: number, report: PodReport) => Promise<ReportAnswer>;
  /** Reports a use of the instance; the report may be lost. */
  readonly reportActivity: (instanceId: number) => Promise<unknown>;
  /** The addresses of everything that the pod has to load. */
  readonly filesOf: (instanceId: number) => Promise<readonly string[]>;
}

interface Pod {
  readonly spec: PodSpec;
  readonly life: Mortal;
  end: PodEnd | null;
  phase: 'starting' | 'ready' | 'ending';
  /** The start of the running algorithm, in seconds; null: none is running. */
  lockedAt: number | null;
}

const LOADING_SECONDS = 20;
/** A pod ends within this time after the request to end it. */
const GRACE_SECONDS = 40;
/** Users stop using an instance within this time. */
const INTEREST_SECONDS = 900;

/** A cluster of pods that load their files, report, and may die. It fulfils the contract of `PodRuntime`. */
export class SimulatedPods implements PodRuntime, PodClient {
  readonly kind = 'kubernetes';
  readonly managesPods = true;
  readonly outlivesControlPlane = true;
  readonly isShared = true;
  /** By name. */
  private readonly pods = new Map<string, Pod>();
  private readonly listeners = new Set<(pod: PodStatus) => void>();

  constructor(private readonly surroundings: PodSurroundings) {}

  /** Names of the pods that have not ended. */
  get living(): readonly string[] {
    return [...this.pods].filter(([, pod]) => pod.life.isAlive()).map(([name]) => name);
  }

  lockOf({ urlSlug }: { readonly urlSlug: string }): Promise<PodLock | null> {
    const lock = { holderUsername: null, algorithmName: null, executionId: null };
    return Promise.resolve(this.lockedAt(urlSlug) === null ? null : lock);
  }

  async isWorking(pod: { readonly urlSlug: string }): Promise<boolean> {
    return (await this.lockOf(pod)) !== null;
  }

  /** The start of the algorithm that runs on a pod, in seconds; null: none is running. */
  lockedAt(urlSlug: string): number | null {
    return this.ofSlug(urlSlug).find(({ life, lockedAt }) => life.isAlive() && lockedAt !== null)?.lockedAt ?? null;
  }

  unsupportedReason(): null {
    return null;
  }

  createPod(spec: PodSpec): Promise<Either<PodRuntimeError, void>> {
    if (!this.ofSlug(spec.urlSlug).some((pod) => pod.spec.life >= spec.life)) {
      const pod: Pod = { spec, life: new Mortal(() => undefined), end: null, phase: 'starting', lockedAt: null };
      this.pods.set(podNameOf(spec), pod);
      void this.live(pod);
    }
    return Promise.resolve(right(undefined));
  }

  deletePod({ urlSlug, life }: PodsOf): Promise<Either<PodRuntimeError, 'ordered' | 'absent'>> {
    const pods = this.ofSlug(urlSlug).filter(({ spec }) => life === null || life === spec.life);
    for (const pod of pods.filter(({ phase }) => phase !== 'ending')) void this.disappear(pod);
    return Promise.resolve(right(pods.length === 0 ? 'absent' : 'ordered'));
  }

  resizePod(): Promise<Either<PodRuntimeError, never>> {
    return Promise.resolve(left({ kind: 'rejected', reason: 'pods of the simulation keep their size' }));
  }

  listPods(): Promise<Either<PodRuntimeError, readonly PodStatus[]>> {
    return Promise.resolve(right([...this.pods.values()].map(statusOf)));
  }

  routeOf(): null {
    return null;
  }

  onPodChanged(listener: (pod: PodStatus) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private ofSlug(urlSlug: string): readonly Pod[] {
    return [...this.pods.values()].filter(({ spec }) => spec.urlSlug === urlSlug);
  }

  private async disappear(pod: Pod): Promise<void> {
    const { time, plan } = this.surroundings;
    pod.phase = 'ending';
    await time.sleep(GRACE_SECONDS * plan.chance());
    this.pods.delete(podNameOf(pod.spec));
    pod.life.kill();
    pod.end ??= { cause: 'stopped', text: 'its end was ordered' };
    for (const listener of this.listeners) listener(statusOf(pod));
  }

  private end(pod: Pod, end: PodEnd): void {
    if (!pod.life.isAlive()) return;
    pod.end = end;
    pod.life.kill();
    for (const listener of this.listeners) listener(statusOf(pod));
  }

  /** Drains the node of a pod: the pod may report that, and an older report of the pod may arrive later. */
  private async drain(pod: Pod): Promise<void> {
    const { time, plan, report } = this.surroundings;
    const { instanceId, life } = pod.spec;
    if (plan.chance() < 0.7) await report(instanceId, life, 'stopping');
    await time.sleep(30 * plan.chance());
    this.end(pod, { cause: 'stopped', text: 'exit code 0' });
    await time.sleep(120 * plan.chance());
    await report(instanceId, life, plan.chance() < 0.5 ? 'failed' : 'stopping');
  }

  private async live(pod: Pod): Promise<void> {
    const { time, plan } = this.surroundings;
    const { instanceId } = pod.spec;
    await time.sleep(1);
    // Stuck permanently: an image that cannot be pulled, a node that is lost.
    if (plan.next('pod starts') === 'refused') return;
    if (pod.phase === 'starting') pod.phase = 'ready';
    if ((await this.report(pod, 'starting')) === 'refused') return this.end(pod, EXITED);
    await time.sleep(LOADING_SECONDS * plan.chance());
    const files = await this.surroundings.filesOf(instanceId);
    const missing = !pod.life.isAlive() || !(await this.canLoad(pod, files));
    if (!pod.life.isAlive()) return;
    const answer = await this.report(pod, missing ? 'failed' : 'running');
    if (missing || answer === 'refused') return this.end(pod, EXITED);
    await this.serve(pod);
  }

  /** Answers queries and runs algorithms, as long as the instance is used. */
  private async serve(pod: Pod): Promise<void> {
    const { time, plan, reportActivity } = this.surroundings;
    const interestEnds = time.seconds + INTEREST_SECONDS * plan.chance();
    while (time.seconds < interestEnds) {
      await time.sleep(240 * plan.chance());
      if (plan.next('the node stays') === 'refused') return this.drain(pod);
      if (plan.chance() < 0.3) {
        pod.lockedAt = time.seconds;
        await time.sleep(400 * plan.chance());
        pod.lockedAt = null;
      }
      const caller = { caller: pod.life, plan, time };
      await fallibleCall(
        { ...caller, plan: { ...plan, next: (call) => this.deathOrFault(pod, plan.next(call)) } },
        'pod reports activity',
        () => reportActivity(pod.spec.instanceId),
        () => null,
      );
    }
  }

  private async canLoad(pod: Pod, files: readonly string[]): Promise<boolean> {
    const { time, plan, objectStore } = this.surroundings;
    for (const file of files) {
      const away = left({ kind: 'unavailable', key: file, reason: 'the store is unavailable' } as const);
      const caller = { caller: pod.life, plan, time };
      const read = await fallibleCall(
        caller,
        `pod reads ${file}`,
        () => objectStore.getText(file),
        () => away,
      );
      if (isLeft(read)) return false;
    }
    return files.length > 0;
  }

  /** Repeats the report until it is answered. A killed pod sends no more reports. */
  private async report(pod: Pod, status: PodReport): Promise<ReportAnswer> {
    const { time, plan, report } = this.surroundings;
    const { instanceId, life } = pod.spec;
    for (;;) {
      const caller = { caller: pod.life, plan, time };
      const answer = await fallibleCall(
        { ...caller, plan: { ...plan, next: (call) => this.deathOrFault(pod, plan.next(call)) } },
        `pod of instance ${instanceId} reports ${status}`,
        () => report(instanceId, life, status),
        () => null,
      );
      if (answer !== null) return answer;
      await time.sleep(2 + 5 * plan.chance());
    }
  }

  /** The pod of a crash has ended and may be reported as such; it is not deleted. */
  private deathOrFault<F>(pod: Pod, fault: F): F | null {
    if (fault !== 'crash_before' && fault !== 'crash_after') return fault;
    this.end(pod, this.surroundings.plan.chance() < 0.5 ? { cause: 'out_of_memory', text: 'OOMKilled' } : EXITED);
    return null;
  }
}

const EXITED: PodEnd = { cause: 'crashed', text: 'exit code 1' };

const statusOf = ({ spec, life, phase, end }: Pod): PodStatus => ({
  podName: podNameOf(spec),
  instanceId: spec.instanceId,
  urlSlug: spec.urlSlug,
  life: spec.life,
  phase: life.isAlive() ? phase : 'ended',
  reason: null,
  end,
});
