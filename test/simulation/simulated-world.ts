import { type Either, isLeft, left } from 'fp-ts/Either';
import { configure } from '../../commands/config/configure';
import {
  claimExportJobs,
  holdPolledJobs,
  lostClaims,
  reportOnExportJob,
} from '../../commands/export-job/change-export-job';
import { changeInstance } from '../../commands/instance/change-instance';
import { requestInstance } from '../../commands/instance/request-instance';
import { exportJobs } from '../../commands/kit/aggregates';
import { loadStream } from '../../commands/kit/load-stream';
import { createMapping } from '../../commands/mapping/create-mapping';
import { becomesClaimable, exportJobStream } from '../../domain/export-job';
import { FOR_EVERYONE, type StatusReport } from '../../domain/instance';
import { type DomainError, unavailable } from '../../domain/kernel/errors';
import { type Position, START } from '../../domain/kernel/event';
import { type CheckpointStore } from '../../domain/ports/feed-consumer';
import { createMappingCommand } from '../support/domain-samples';
import { expectRight } from '../support/given-when-then';
import { createInMemoryEventStore } from '../support/in-memory/in-memory-event-store';
import { createInMemoryExportPolls } from '../support/in-memory/in-memory-export-polls';
import { createInMemoryObjectStore } from '../support/in-memory/in-memory-object-store';
import { createInMemoryParkedEvents } from '../support/in-memory/in-memory-parked-events';
import { createInMemoryProcessWork } from '../support/in-memory-process-work';
import { createCountedIds } from './counted-ids';
import { fallibleCall, Mortal } from './fallible-calls';
import { type FaultPlan } from './faults';
import { createLogReaders } from './log-readers';
import { type Durable, SimulatedControlPlane } from './simulated-control-plane';
import { exportDirectoryOf, lifeDirectoryOf } from './simulated-directories';
import { SimulatedEngine } from './simulated-engine';
import { type PodReport, type PodSurroundings, type ReportAnswer, SimulatedPods } from './simulated-pods';
import { SimulatedTime, WakeUp } from './simulated-time';
import { attemptFolder, startSimulatedWorker, type WorkerApi } from './simulated-worker';
import { createWitness } from './witness';

export const LIMITS = { perAnalyst: 2, clusterTotal: 3 };

export interface WorldOptions {
  readonly plan: FaultPlan;
  readonly replicas: number;
  readonly workers: number;
}

/** A whole system in the memory of this process, in simulated time: replicas, workers, pods and what they share. */
export const createSimulatedWorld = async ({ plan, replicas, workers }: WorldOptions) => {
  const time = new SimulatedTime();
  const notifications = new WakeUp();
  const waiting = new WakeUp();
  const inMemory = createInMemoryEventStore(time);
  const overdrawn: string[] = [];
  const store: typeof inMemory = {
    ...inMemory,
    append: async (...args) => {
      const appended = await inMemory.append(...args);
      await log.refresh();
      overdrawn.push(...overdrafts());
      notifications.ring();
      if (args[2].some(becomesClaimable)) waiting.ring();
      return appended;
    },
  };
  const log = createLogReaders(inMemory, (event) => witness.heard(event));
  const ids = createCountedIds();
  const plainObjects = createInMemoryObjectStore();
  const objectStore: typeof plainObjects = {
    ...plainObjects,
    deleteAll: (prefix) => {
      witness.deleting(prefix);
      return plainObjects.deleteAll(prefix);
    },
  };
  const engine = new SimulatedEngine(time, plan, objectStore);
  const activity = new Map<number, Date[]>();
  const diedAt = new Map<string, Date>();

  /** Owners, and the cluster, with more living instances than allowed. */
  const overdrafts = (): readonly string[] => {
    const living = [...log.instances.values()].filter(({ status }) => LIVING.has(status));
    const owners = living.map(({ ownerUsername }) => ownerUsername);
    const over = owners.filter((one) => owners.filter((other) => other === one).length > LIMITS.perAnalyst);
    return owners.length > LIMITS.clusterTotal ? [...over, 'the cluster'] : over;
  };

  const setUp = { store: inMemory, clock: time, ids };
  const bySystem = (username: string) => ({
    actor: { username, role: 'ops' as const },
    commandId: ids.uuid(),
    correlationId: ids.uuid(),
    causationId: ids.uuid(),
  });
  expectRight(await configure(setUp, { type: 'ConfigureConcurrency', ...LIMITS }, bySystem('olivia')));
  const briefly = { defaultTtl: 'PT8M', defaultInactivity: 'PT3M' };
  expectRight(await configure(setUp, { type: 'ConfigureLifecycle', snapshot: briefly }, bySystem('olivia')));
  expectRight(await configure(setUp, { type: 'ConfigureExport', maxDurationSeconds: 60 }, bySystem('olivia')));
  const { type: _type, mappingId: _id, ...mapping } = createMappingCommand();
  expectRight(await createMapping(setUp, mapping, bySystem('ada')));

  /** A request over the network to any replica; null when none answers in time. */
  const request = async <A>(call: (replica: SimulatedControlPlane) => Promise<A>): Promise<A | null> => {
    const up = controlPlanes.filter(({ alive }) => alive);
    const replica = up[Math.floor(plan.chance() * up.length)];
    if (replica === undefined) return null;
    return Promise.race([call(replica), time.sleep(30).then(() => null)]);
  };
  const outcome = (result: Either<DomainError, unknown> | null): ReportAnswer => {
    if (result === null || !isLeft(result)) return result === null ? null : 'accepted';
    return ['SERVICE_UNAVAILABLE', 'CONFLICT'].includes(result.left.code) ? null : 'refused';
  };

  const reportStatus: PodSurroundings['report'] = async (instanceId, life, status) => {
    const report = statusReport(status);
    const result = await request((replica) =>
      changeInstance(replica.ports, instanceId, { type: 'ReportStatus', life, report }, replica.context('system:pod')),
    );
    return outcome(result);
  };

  const filesOf = async (instanceId: number): Promise<readonly string[]> => {
    await log.refresh();
    const snapshotId = log.instances.get(instanceId)?.snapshotId;
    return manifestsOf(snapshotId ?? 0);
  };
  const manifestsOf = (snapshotId: number): readonly string[] =>
    [...log.jobs.values()]
      .filter((job) => job.snapshotId === snapshotId)
      .map(({ jobId, attempt }) => `${attemptFolder(log.storagePaths.get(jobId) ?? '', attempt)}manifest.json`);

  const reportActivity: PodSurroundings['reportActivity'] = (instanceId) =>
    request(() => Promise.resolve(activity.set(instanceId, [...(activity.get(instanceId) ?? []), time.now()])));
  const pods = new SimulatedPods({ time, plan, objectStore, report: reportStatus, reportActivity, filesOf });
  const witness = createWitness({ time, log, pods, activity, objectStore, manifestsOf });
  const work = createInMemoryProcessWork(store, time);
  const parked = createInMemoryParkedEvents();
  const durable: Durable = {
    ...{ store, work, checkpoints: checkpointsInMemory(), parked, ids, objectStore, pods, engine, log },
    lives: lifeDirectoryOf(log, (instanceId) => activity.get(instanceId)?.at(-1) ?? null),
    exports: exportDirectoryOf(
      log,
      (workerId, since) => (diedAt.get(workerId)?.getTime() ?? Infinity) < since.getTime(),
    ),
  };
  const controlPlanes = Array.from(
    { length: replicas },
    () => new SimulatedControlPlane(durable, plan, time, notifications),
  );

  const polls = createInMemoryExportPolls();
  const workerApi: WorkerApi = {
    claim: (workerId, limit, workingOn) =>
      request(async (replica) => {
        const context = replica.context('system:worker');
        const ports = { ...replica.ports, queue: log.queue };
        const lost = await lostClaims(ports, workerId, workingOn);
        const fresh = await claimExportJobs(ports, workerId, limit - lost.length, context);
        return [...lost, ...fresh].flatMap(({ state }) =>
          state === null ? [] : [{ job: state, storagePath: log.storagePaths.get(state.jobId) ?? '' }],
        );
      }),
    pollable: (limit) =>
      request(async (replica) => {
        await log.refresh();
        const due = [...log.jobs.values()].filter((job) => polls.isDue(job, time.now()));
        const held = expectRight(await holdPolledJobs({ ...replica.ports, polls }, due.slice(0, limit)));
        return due
          .filter((job) => held.some(({ jobId }) => jobId === job.jobId))
          .map((job) => ({ job, storagePath: log.storagePaths.get(job.jobId) ?? '' }));
      }),
    report: async (jobId, command) => {
      const change = (replica: SimulatedControlPlane) =>
        reportOnExportJob({ ...replica.ports, polls }, jobId, command, replica.context('system:worker'));
      const answer = await request(change);
      const error = answer !== null && isLeft(answer) ? answer.left : null;
      const refused = error?.code === 'INVALID_STATE_TRANSITION' ? error.details : undefined;
      const isOurs = 'attempt' in command && refused?.attempt === command.attempt;
      return isOurs && refused?.current_status === 'completed' ? 'already_completed' : outcome(answer);
    },
  };
  for (let n = 1; n <= workers; n++)
    startSimulatedWorker(`worker-${n}`, workerApi, {
      ...{ objectStore, engine, plan, time, work: waiting },
      onDeath: (workerId) => diedAt.set(workerId, time.now()),
    });

  /** A request of a user; left when it is refused or not answered. */
  const asPerson = async <A>(
    name: string,
    call: (replica: SimulatedControlPlane) => Promise<Either<DomainError, A>>,
  ): Promise<Either<DomainError, A>> => {
    const nothing = left(unavailable('The control plane', 'no replica answers'));
    const person = new Mortal(() => undefined);
    const noCrash = { ...plan, next: (what: string) => survivable(plan.next(what)) };
    const send = async () => (await request(call)) ?? nothing;
    return fallibleCall({ caller: person, plan: noCrash, time }, name, send, () => nothing);
  };

  return {
    time,
    log,
    pods,
    store,
    objectStore,
    work,
    /** The users who had more living instances than allowed at any moment. */
    overdrawn,
    /** Resources that were ended or deleted while in use. */
    misdeeds: witness.misdeeds,
    manifestsOf,
    job: async (jobId: number) =>
      expectRight(await loadStream({ store: inMemory }, exportJobs, exportJobStream(jobId))).state,
    createInstance: (username: string, lifetime: Lifetime = { ttl: null, inactivityTimeout: null }) =>
      asPerson('person creates an instance', (replica) =>
        requestInstance(
          replica.ports,
          {
            mappingId: 1,
            mappingVersion: null,
            wrapperType: 'graphdb_a',
            name: 'My graph',
            description: '',
            ...lifetime,
            cpuCores: 2,
            access: FOR_EVERYONE,
          },
          replica.context(username),
        ),
      ),
    deleteInstance: (username: string, instanceId: number) =>
      asPerson('person deletes an instance', (replica) =>
        changeInstance(
          replica.ports,
          instanceId,
          { type: 'RequestDeletion', reason: 'deleted by its owner' },
          replica.context(username),
        ),
      ),
  };
};
export type SimulatedWorld = Awaited<ReturnType<typeof createSimulatedWorld>>;

export interface Lifetime {
  readonly ttl: string | null;
  readonly inactivityTimeout: string | null;
}

const LIVING: ReadonlySet<string> = new Set(['waiting_for_snapshot', 'starting', 'running']);

/** A user cannot crash; in place of a crash the request fails or its answer is lost. */
const survivable = (fault: ReturnType<FaultPlan['next']>): ReturnType<FaultPlan['next']> =>
  fault === 'crash_before' ? 'refused' : fault === 'crash_after' || fault === 'repeated' ? 'answer_lost' : fault;

const statusReport = (status: PodReport): StatusReport => {
  if (status === 'starting' || status === 'stopping') return { status };
  if (status === 'running') return { status, instanceUrl: null, nodeCount: 3, edgeCount: 3 };
  const errorMessage = 'the files could not be loaded';
  return { status, errorCode: 'DATA_LOAD_ERROR', errorMessage, failedPhase: 'loading', stackTrace: null };
};

const checkpointsInMemory = (): CheckpointStore => {
  const positions = new Map<string, Position>();
  return {
    load: (name) => Promise.resolve(positions.get(name) ?? START),
    advance: (name, from, to) => {
      if ((positions.get(name) ?? START) !== from) return Promise.resolve(false);
      positions.set(name, to);
      return Promise.resolve(true);
    },
  };
};
