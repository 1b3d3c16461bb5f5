import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { capacityCommands } from '../../commands/capacity/reserve-slot';
import { observePodEnd } from '../../commands/instance/observe-pod';
import { exportReconciliationJob } from '../../commands/jobs/export-reconciliation';
import { type Job } from '../../commands/jobs/job';
import { lifecycleJob } from '../../commands/jobs/lifecycle';
import { reconciliationJob } from '../../commands/jobs/reconciliation';
import { type CommandContext, firstCause, requestContext } from '../../commands/kit/command-context';
import { StreamCache } from '../../commands/kit/stream-cache';
import { runProcessWork } from '../../commands/processes/run-process-work';
import { type PodStatus } from '../../domain/instance';
import { type ExportDirectory, type LifeDirectory } from '../../domain/ports/directories';
import { type EventStore } from '../../domain/ports/event-store';
import { type CheckpointStore, type ParkedEventStore } from '../../domain/ports/feed-consumer';
import { type IdGenerator } from '../../domain/ports/id-generator';
import { type ObjectStore } from '../../domain/ports/object-store';
import { type PodClient } from '../../domain/ports/pod-client';
import { type PodRuntime, type PodRuntimeError } from '../../domain/ports/pod-runtime';
import { type ProcessWork } from '../../domain/ports/process-work';
import { type SharedQueryEngine } from '../../domain/ports/query-engine';
import { type ProcessPorts, readProcessInputs } from '../support/read-process-inputs';
import { fallibleCall, Mortal } from './fallible-calls';
import { type FaultPlan } from './faults';
import { type LogReaders } from './log-readers';
import { type SimulatedEngine } from './simulated-engine';
import { type SimulatedTime, WakeUp } from './simulated-time';

/** What outlives every process. */
export interface Durable {
  readonly store: EventStore;
  readonly work: ProcessWork;
  readonly checkpoints: CheckpointStore;
  readonly parked: ParkedEventStore;
  readonly ids: IdGenerator;
  readonly objectStore: ObjectStore;
  readonly pods: PodRuntime & PodClient;
  readonly engine: SimulatedEngine;
  readonly lives: LifeDirectory;
  readonly exports: ExportDirectory;
  readonly log: LogReaders;
}

/** How often the jobs `reconciliation` and `lifecycle` run. */
export const RECONCILE_SECONDS = 300;
/** Much less often than in production, so that the processes' own timers fire first half of the time. */
const EXPORT_RECONCILE_SECONDS = 120;
const POLL_SECONDS = 30;
const RESTART_SECONDS = 20;

/**
 * One replica of the control plane: the real commands, processes and reconciliation on ports that fail according to the
 * plan. When it is killed, it loses everything in memory and is restarted after a while.
 */
export class SimulatedControlPlane {
  private life: Mortal = new Mortal(() => undefined);
  /** The ports of the current incarnation; dead code keeps its own. */
  ports: ProcessPorts;

  constructor(
    private readonly durable: Durable,
    private readonly plan: FaultPlan,
    private readonly time: SimulatedTime,
    private readonly notifications: WakeUp,
  ) {
    this.ports = this.start();
  }

  get alive(): boolean {
    return this.life.isAlive();
  }

  context(username: string): CommandContext {
    const role = username.startsWith('system') ? 'system' : 'analyst';
    const { ids } = this.durable;
    return requestContext(ids, { username, role }, ids.uuid());
  }

  private start(): ProcessPorts {
    const { work, checkpoints, parked, ids, log } = this.durable;
    const { time, notifications } = this;
    const ending = new AbortController();
    const stopListening = this.durable.pods.onPodChanged((pod) => void this.observe(pod, ending.signal));
    this.life = new Mortal(() => {
      stopListening();
      ending.abort();
      void time.sleep(RESTART_SECONDS * (0.1 + this.plan.chance())).then(() => (this.ports = this.start()));
    });
    const calls = { caller: this.life, plan: this.plan, time };
    const store = this.guardedStore(calls);
    const base = { store, streams: new StreamCache(), clock: time, ids };
    const ports: ProcessPorts = {
      ...base,
      changeCapacity: capacityCommands(base),
      podRuntime: this.guardedPods(calls),
      objectStore: this.guardedObjects(calls),
      instanceBaseUrl: 'http://graphs',
      exportPlanner: 'control-plane',
      work: {
        ...work,
        renewCommand: (...held) =>
          fallibleCall(
            calls,
            'renew lease',
            () => work.renewCommand(...held),
            () => null,
          ),
      },
      checkpoints,
      parked,
      nextWork: () => time.sleep(POLL_SECONDS, notifications),
      onError: () => undefined,
      pause: async (ms, signal) => {
        const aborted = new WakeUp();
        const ring = (): void => aborted.ring();
        signal.addEventListener('abort', ring);
        if (!signal.aborted) await time.sleep(ms / 1000, aborted);
        signal.removeEventListener('abort', ring);
      },
    };
    const repeat = async (job: Job, seconds: number): Promise<void> => {
      while (!ending.signal.aborted) {
        await time.sleep(seconds);
        await job.run({ signal: ending.signal, triggeredBy: null, cause: firstCause(ids.uuid()) });
      }
    };
    const { pods, engine, lives, exports } = this.durable;
    const podClient: PodClient = {
      lockOf: (pod) =>
        fallibleCall(
          quiet(calls),
          'lock',
          () => pods.lockOf(pod),
          () => null,
        ),
      isWorking: async (pod) => (await podClient.lockOf(pod)) !== null,
    };
    const shared: Pick<SharedQueryEngine, 'cancelExport' | 'removeLeftovers'> = {
      cancelExport: (address) => Promise.resolve(engine.cancel(address)),
      removeLeftovers: () => Promise.resolve(right(0)),
    };
    void readProcessInputs(ports, ending.signal);
    void runProcessWork(ports, ending.signal);
    const reconciliation = reconciliationJob({ ...ports, directory: log.directory, onFinding: () => undefined });
    void repeat(reconciliation, RECONCILE_SECONDS);
    void repeat(
      lifecycleJob({ ...ports, directory: lives, objectStore: this.durable.objectStore, podClient }),
      RECONCILE_SECONDS,
    );
    void repeat(exportReconciliationJob({ ...ports, directory: exports, engine: shared }), EXPORT_RECONCILE_SECONDS);
    return ports;
  }

  private async observe(pod: PodStatus, signal: AbortSignal): Promise<void> {
    if (pod.end === null) return;
    await observePodEnd(this.ports, pod, this.context('system:pod-runtime'), signal);
  }

  private guardedStore(calls: Calls): EventStore {
    const { store } = this.durable;
    const { time, notifications } = this;
    const away = left({ kind: 'unavailable', reason: 'the store is unavailable' } as const);
    const append: EventStore['append'] = (streamId, expected, events) =>
      fallibleCall(
        calls,
        `append ${events.map(({ type }) => type).join('+')}`,
        () => store.append(streamId, expected, events),
        (maybeDone) => (maybeDone ? left({ kind: 'unknown_outcome', streamId, reason: 'connection lost' }) : away),
      );
    const readStream: EventStore['readStream'] = (streamId, options) =>
      fallibleCall(
        quiet(calls),
        'read',
        () => store.readStream(streamId, options),
        () => away,
      );
    return {
      ...store,
      append,
      readStream,
      async *subscribeAll(after, { filter, batchSize = 500, signal }) {
        let position = after;
        while (!signal.aborted) {
          const page = await fallibleCall(
            quiet(calls),
            'feed',
            () => store.readAll(position, batchSize, filter),
            () => away,
          );
          if (isLeft(page) || page.right.position === position) {
            await time.sleep(POLL_SECONDS, notifications);
            continue;
          }
          position = page.right.position;
          yield page.right;
        }
      },
    };
  }

  private guardedPods(calls: Calls): PodRuntime {
    const { pods } = this.durable;
    const away: Either<PodRuntimeError, never> = left({ kind: 'unavailable', reason: '429, 500 or a time-out' });
    const call = <A>(name: string, effect: () => Promise<Either<PodRuntimeError, A>>) =>
      fallibleCall(calls, name, effect, () => away);
    return {
      kind: pods.kind,
      managesPods: pods.managesPods,
      outlivesControlPlane: pods.outlivesControlPlane,
      isShared: pods.isShared,
      unsupportedReason: () => null,
      routeOf: () => null,
      createPod: (...order) => call('create pod', () => pods.createPod(...order)),
      deletePod: (...order) => call('delete pod', () => pods.deletePod(...order)),
      resizePod: (...order) => call('resize pod', () => pods.resizePod(...order)),
      listPods: () => call('list pods', () => pods.listPods()),
      onPodChanged: (listener) => pods.onPodChanged(listener),
    };
  }

  private guardedObjects(calls: Calls): ObjectStore {
    const { objectStore } = this.durable;
    return {
      ...objectStore,
      deleteAll: (prefix) =>
        fallibleCall(
          calls,
          'delete files',
          () => objectStore.deleteAll(prefix),
          () => left({ kind: 'unavailable', key: prefix, reason: 'the store is unavailable' }),
        ),
    };
  }
}

interface Calls {
  readonly caller: Mortal;
  readonly plan: FaultPlan;
  readonly time: SimulatedTime;
}

/** Reads have no effect, so no fault is placed there; a dead process does not read. */
const quiet = (calls: Calls): Calls => ({ ...calls, plan: { ...calls.plan, next: () => null } });
