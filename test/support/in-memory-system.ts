import { type Either, left, right } from 'fp-ts/Either';
import { FeedSignal } from '../../adapters/system/feed-signal';
import { capacityCommands } from '../../commands/capacity/reserve-slot';
import { configure } from '../../commands/config/configure';
import { changeInstance } from '../../commands/instance/change-instance';
import { requestInstance } from '../../commands/instance/request-instance';
import { capacities, exportJobs, instances, snapshots } from '../../commands/kit/aggregates';
import { type CommandContext } from '../../commands/kit/command-context';
import { handleCommand } from '../../commands/kit/handle-command';
import { type Folder, loadStream } from '../../commands/kit/load-stream';
import { StreamCache } from '../../commands/kit/stream-cache';
import { createMapping } from '../../commands/mapping/create-mapping';
import { runProcessWork } from '../../commands/processes/run-process-work';
import { CAPACITY_STREAM } from '../../domain/capacity';
import { type ConfigCommand } from '../../domain/config';
import { exportJobStream } from '../../domain/export-job';
import { FOR_EVERYONE, GIB, instanceStream, type PodEndCause } from '../../domain/instance';
import { type Role } from '../../domain/kernel/decider';
import { type DomainEvent, type Position, START } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import {
  type PodOf,
  type PodRuntime,
  type PodRuntimeError,
  type PodSize,
  type PodsOf,
  type PodSpec,
  type TakesEffect,
} from '../../domain/ports/pod-runtime';
import { snapshotStream } from '../../domain/snapshot';
import { createMappingCommand } from './domain-samples';
import { expectRight, NOON } from './given-when-then';
import { createInMemoryEventStore } from './in-memory/in-memory-event-store';
import { createInMemoryIdGenerator } from './in-memory/in-memory-id-generator';
import { createInMemoryObjectStore } from './in-memory/in-memory-object-store';
import { createInMemoryParkedEvents } from './in-memory/in-memory-parked-events';
import { createInMemoryProcessWork } from './in-memory-process-work';
import { type ProcessPorts, readProcessInputs } from './read-process-inputs';
import { waitFor } from './wait-for';

/**
 * Pods as entries of a map. `beforeCall` may delay a call or make it fail. A deleted pod is removed at once, unless
 * `endsAtOnce` is false.
 */
export class PodsInMemory implements PodRuntime {
  readonly kind = 'process';
  readonly managesPods: boolean = true;
  readonly outlivesControlPlane = false;
  readonly isShared = false;
  readonly running = new Map<string, PodSpec>();
  readonly calls: string[] = [];
  /** Why every resize is refused; null: resizes succeed. */
  refusedSize: string | null = null;
  takesEffect: TakesEffect = 'now';
  endsAtOnce = true;
  /** The signal of the last call for a pod. */
  signal: AbortSignal | null = null;
  /** Why no pod makes progress. */
  reason: string | null = null;
  beforeCall: (what: 'create' | 'delete') => Promise<PodRuntimeError | null> = () => Promise.resolve(null);

  async createPod(spec: PodSpec, signal?: AbortSignal): Promise<Either<PodRuntimeError, void>> {
    this.signal = signal ?? null;
    this.calls.push(`create ${spec.instanceId}`);
    const error = await this.beforeCall('create');
    if (error !== null) return left(error);
    this.running.set(spec.urlSlug, spec);
    return right(undefined);
  }

  async deletePod({ urlSlug }: PodsOf): Promise<Either<PodRuntimeError, 'ordered' | 'absent'>> {
    this.calls.push('delete');
    const error = await this.beforeCall('delete');
    if (error !== null) return left(error);
    if (this.endsAtOnce) this.running.delete(urlSlug);
    return right(this.running.has(urlSlug) ? 'ordered' : 'absent');
  }

  resizePod({ urlSlug }: PodOf, size: PodSize): Promise<Either<PodRuntimeError, TakesEffect>> {
    const pod = this.running.get(urlSlug);
    if (this.refusedSize !== null) return Promise.resolve(left({ kind: 'rejected', reason: this.refusedSize }));
    if (pod !== undefined) this.running.set(urlSlug, { ...pod, ...size });
    return Promise.resolve(right(this.takesEffect));
  }

  listPods(): ReturnType<PodRuntime['listPods']> {
    const pods = [...this.running.values()].map(({ instanceId, urlSlug, life }) => {
      return {
        podName: `graph-${urlSlug}-${life}`,
        instanceId,
        urlSlug,
        life,
        phase: this.reason === null ? 'ready' : 'starting',
        reason: this.reason,
        end: null,
      } as const;
    });
    return Promise.resolve(right(pods));
  }

  unsupportedReason(): null {
    return null;
  }

  routeOf(): null {
    return null;
  }

  onPodChanged(): () => void {
    return () => undefined;
  }
}

/** The write side in memory, with a clock that only a test advances. */
export const createInMemorySystem = () => {
  let time = NOON.getTime();
  const clock = { now: () => new Date(time) };
  const notifications = new FeedSignal();
  const inMemory = createInMemoryEventStore(clock);
  const store: EventStore = {
    ...inMemory,
    append: async (...args) => {
      const result = await inMemory.append(...args);
      notifications.notify();
      return result;
    },
  };
  const ids = createInMemoryIdGenerator();
  const work = createInMemoryProcessWork(store, clock);
  const pods = new PodsInMemory();
  const objectStore = createInMemoryObjectStore();
  const trouble: string[] = [];
  const parked = createInMemoryParkedEvents();
  const checkpoints = new Map<string, Position>();
  const never = new AbortController().signal;
  const base = { store, streams: new StreamCache(), clock, ids };
  const ports: ProcessPorts = {
    ...base,
    changeCapacity: capacityCommands(base),
    podRuntime: pods,
    objectStore,
    instanceBaseUrl: 'http://graphs',
    exportPlanner: 'control-plane',
    work,
    checkpoints: {
      load: (name) => Promise.resolve(checkpoints.get(name) ?? START),
      advance: (name, from, to) => {
        if ((checkpoints.get(name) ?? START) !== from) return Promise.resolve(false);
        checkpoints.set(name, to);
        return Promise.resolve(true);
      },
    },
    parked,
    nextWork: () => notifications.waitAfter(notifications.version, 1000, never),
    onError: (what) => trouble.push(what),
    pause: (_ms, signal) => notifications.waitAfter(notifications.version, 5, signal),
  };

  const context = (username = 'ada', role: Role = 'analyst'): CommandContext => {
    const commandId = ids.uuid();
    return { actor: { username, role }, commandId, correlationId: commandId, causationId: commandId };
  };
  const stateOf = async <E extends DomainEvent, S>(folder: Folder<E, S>, stream: string): Promise<S> =>
    expectRight(await loadStream({ store }, folder, stream)).state;

  /** Resolves when nothing is queued and every event has been processed. */
  const settled = () =>
    waitFor('the processes are idle', async () => {
      const head = expectRight(await store.head());
      return checkpoints.get('processes') === head && (await work.openCommands()) === 0;
    });

  const reportRunning = async (): Promise<void> => {
    const report = { status: 'running', instanceUrl: null, nodeCount: 1, edgeCount: 0 } as const;
    expectRight(await changeInstance(base, 1, { type: 'ReportStatus', life: null, report }, context('w1', 'system')));
    await settled();
  };

  return {
    ...base,
    ports,
    work,
    pods,
    objectStore,
    trouble,
    parked,
    context,
    advanceClock: (seconds: number): void => {
      time += seconds * 1000;
      notifications.notify();
    },
    instance: (id = 1) => stateOf(instances, instanceStream(id)),
    snapshot: (id = 1) => stateOf(snapshots, snapshotStream(id)),
    job: (id: number) => stateOf(exportJobs, exportJobStream(id)),
    slots: () => stateOf(capacities, CAPACITY_STREAM),
    typesOf: async (streamId: string): Promise<readonly string[]> =>
      expectRight(await store.readStream(streamId)).map(({ type }) => type),

    configure: async (command: ConfigCommand) => expectRight(await configure(base, command, context('olivia', 'ops'))),
    createMapping: async () => {
      const { type: _type, mappingId: _mappingId, ...body } = createMappingCommand();
      return expectRight(await createMapping(base, body, context()));
    },
    requestInstance: (username = 'ada', through = ports) =>
      requestInstance(
        through,
        {
          mappingId: 1,
          mappingVersion: null,
          wrapperType: 'graphdb_a',
          name: 'My graph',
          description: '',
          ttl: null,
          inactivityTimeout: null,
          cpuCores: 2,
          access: FOR_EVERYONE,
        },
        context(username),
      ),

    /** Makes snapshot 1 ready; the loops must be started. */
    completeSnapshot: async (): Promise<void> => {
      const complete = { type: 'CompleteSnapshot', sizeBytes: 1, nodeCounts: {}, edgeCounts: {} } as const;
      expectRight(await handleCommand(base, snapshots, snapshotStream(1), complete, context('w1', 'system')));
      await settled();
    },
    /** Brings instance 1 to `running`; the loops must be started. */
    runFirstInstance: async (): Promise<void> => {
      const start = { type: 'StartInstance', memoryBytes: 4 * GIB, snapshotBytes: 1 } as const;
      expectRight(await changeInstance(base, 1, start, context('w1', 'system')));
      await settled();
      await reportRunning();
    },
    reportRunning,
    losePod: async (cause: PodEndCause, life = 1) => {
      const command = { type: 'ReportPodLost', life, end: { cause, text: 'it ended' } } as const;
      expectRight(await changeInstance(base, 1, command, context('w1', 'system')));
    },
    requestDeletion: async () =>
      expectRight(await changeInstance(base, 1, { type: 'RequestDeletion', reason: 'deleted by ada' }, context())),

    /** Starts the loops that drive the processes; the returned function stops them. */
    start: (): (() => Promise<void>) => {
      const ending = new AbortController();
      const loops = Promise.all([readProcessInputs(ports, ending.signal), runProcessWork(ports, ending.signal)]);
      return async () => {
        ending.abort();
        notifications.notify();
        await loops;
      };
    },
    settled,
  };
};
export type InMemorySystem = ReturnType<typeof createInMemorySystem>;
