import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type ObjectStore } from '../../domain/ports/object-store';
import { type PodEnd, type PodLock, type PodStatus } from '../../domain/instance';
import { type PodClient } from '../../domain/ports/pod-client';
import { type PodRuntime, type PodRuntimeError, type PodSpec } from '../../domain/ports/pod-runtime';
import { type FaultPlan } from './faults';
import { fallibleCall, Mortal } from './fallible-calls';
import { type SimulatedTime } from './simulated-time';

export type PodReport = 'starting' | 'running' | 'failed' | 'stopping';

/** How the control plane answered a report: by its status; null: there was no answer. */
export type ReportAnswer = 'taken' | 'refused' | null;

export interface PodSurroundings {
  readonly time: SimulatedTime;
  readonly plan: FaultPlan;
  readonly objectStore: ObjectStore;
  readonly report: (instanceId: number, life: number, report: PodReport) => Promise<ReportAnswer>;
  /** A use of the instance; may be lost. */
  readonly reportActivity: (instanceId: number) => Promise<unknown>;
  /** Addresses of everything the pod has to load. */
  readonly filesOf: (instanceId: number) => Promise<readonly string[]>;
}

interface Pod {
  readonly spec: PodSpec;
  readonly life: Mortal;
  end: PodEnd | null;
  /** Since when an algorithm runs, in seconds; null: none does. */
  lockedAt: number | null;
}

const LOADING_SECONDS = 20;
/** People lose interest in an instance within this time. */
const INTEREST_SECONDS = 900;

/** A cluster of pods that load their files, report, and may die. What it promises is the contract of `PodRuntime`. */
export class SimulatedPods implements PodRuntime, PodClient {
  private readonly pods = new Map<string, Pod>();
  private readonly listeners = new Set<(pod: PodStatus) => void>();

  constructor(private readonly surroundings: PodSurroundings) {}

  /** Slugs of the pods that have not ended. */
  get living(): readonly string[] {
    return [...this.pods].filter(([, pod]) => pod.life.isAlive()).map(([slug]) => slug);
  }

  lockOf({ urlSlug }: { readonly urlSlug: string }): Promise<PodLock | null> {
    const lock = { holderUsername: null, algorithmName: null, executionId: null };
    return Promise.resolve(this.lockedAt(urlSlug) === null ? null : lock);
  }

  /** Since when an algorithm runs on a pod, in seconds; null: none does. */
  lockedAt(urlSlug: string): number | null {
    const pod = this.pods.get(urlSlug);
    return pod?.life.isAlive() === true ? pod.lockedAt : null;
  }

  createPod(spec: PodSpec): Promise<Either<PodRuntimeError, void>> {
    const known = this.pods.get(spec.urlSlug);
    if (known?.life.isAlive() !== true || known.spec.life !== spec.life) {
      known?.life.kill();
      const life = new Mortal(() => undefined);
      const pod = { spec, life, end: null, lockedAt: null };
      this.pods.set(spec.urlSlug, pod);
      void this.live(pod);
    }
    return Promise.resolve(right(undefined));
  }

  deletePod(urlSlug: string, life?: number): Promise<Either<PodRuntimeError, void>> {
    const pod = this.pods.get(urlSlug);
    if (pod !== undefined && (life === undefined || life === pod.spec.life)) {
      this.pods.delete(urlSlug);
      pod.life.kill();
    }
    return Promise.resolve(right(undefined));
  }

  resizePod(): Promise<Either<PodRuntimeError, void>> {
    return Promise.resolve(left({ kind: 'rejected', reason: 'pods of the simulation keep their size' }));
  }

  listPods(): Promise<Either<PodRuntimeError, readonly PodStatus[]>> {
    return Promise.resolve(right([...this.pods.values()].map(statusOf)));
  }

  onPodEnded(listener: (pod: PodStatus) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private end(pod: Pod, end: PodEnd): void {
    if (!pod.life.isAlive()) return;
    pod.end = end;
    pod.life.kill();
    for (const listener of this.listeners) listener(statusOf(pod));
  }

  /** The pod's node is drained: it may get to report that, and an older report of it may arrive later. */
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
    // Stuck for ever: an image that cannot be pulled, a node that is lost.
    if (plan.next('pod starts') === 'refused') return;
    if ((await this.report(pod, 'starting')) === 'refused') return this.end(pod, EXITED);
    await time.sleep(LOADING_SECONDS * plan.chance());
    const files = await this.surroundings.filesOf(instanceId);
    const missing = !pod.life.isAlive() || !(await this.canLoad(pod, files));
    if (!pod.life.isAlive()) return;
    const answer = await this.report(pod, missing ? 'failed' : 'running');
    if (missing || answer === 'refused') return this.end(pod, EXITED);
    await this.serve(pod);
  }

  /** Answers queries and runs algorithms, as long as anybody asks. */
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
      const away = left({ kind: 'unavailable', key: file, reason: 'the store is away' } as const);
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

  /** Repeats the report until it is answered. A killed pod reports nothing more. */
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

  /** A killed pod is an ended pod that may be reported, not a deleted one. */
  private deathOrFault<F>(pod: Pod, fault: F): F | null {
    if (fault !== 'crash_before' && fault !== 'crash_after') return fault;
    this.end(pod, this.surroundings.plan.chance() < 0.5 ? { cause: 'out_of_memory', text: 'OOMKilled' } : EXITED);
    return null;
  }
}

const EXITED: PodEnd = { cause: 'crashed', text: 'exit code 1' };

const statusOf = ({ spec, life, end }: Pod): PodStatus => ({
  podName: `graph-${spec.urlSlug}`,
  instanceId: spec.instanceId,
  urlSlug: spec.urlSlug,
  life: spec.life,
  phase: life.isAlive() ? 'running' : 'ended',
  end,
});
