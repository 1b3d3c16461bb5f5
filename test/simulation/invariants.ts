import { isRight } from 'fp-ts/Either';
import { allEvents } from '../../domain/events';
import { instanceStream, podNameOf } from '../../domain/instance';
import { durationMs } from '../../domain/kernel/codecs';
import { type Position, START } from '../../domain/kernel/event';
import { decodeEvent } from '../../domain/kernel/event-catalogue';
import { snapshotStream } from '../../domain/snapshot';
import { expectRight } from '../support/given-when-then';
import { createLogReaders } from './log-readers';
import { RECONCILE_SECONDS } from './simulated-control-plane';
import { type SimulatedWorld } from './simulated-world';

/** The ids of instances whose creation or deletion was acknowledged. */
export interface Acknowledged {
  readonly created: readonly number[];
  readonly deleted: readonly number[];
}

/**
 * The violations of everything that must hold after the faults have stopped and the system had time to recover; empty
 * if all of it holds.
 */
export const brokenPromises = async (world: SimulatedWorld, acknowledged: Acknowledged): Promise<readonly string[]> => [
  ...(await podsAreThoseOfInstances(world)),
  ...(await nothingIsUnderWay(world)),
  ...[...new Set(world.overdrawn)].map((who) => `${who} had more living instances than allowed`),
  ...world.misdeeds,
  ...(await readySnapshotsAreWhole(world)),
  ...(await nothingOutlivesItsTime(world)),
  ...failedSnapshotsLeaveWithTheirInstances(world),
  ...(await acknowledgedHappenedOnce(world, acknowledged)),
  ...(await replayTellsTheSame(world)),
];

const podsAreThoseOfInstances = async ({ log, pods }: SimulatedWorld): Promise<readonly string[]> => {
  await log.refresh();
  const wanted = [...log.instances.values()].filter(({ status }) => status === 'running').map(podNameOf);
  return [
    ...pods.living.filter((name) => !wanted.includes(name)).map((name) => `pod ${name} belongs to no instance`),
    ...wanted.filter((name) => !pods.living.includes(name)).map((name) => `the instance has no pod ${name}`),
  ];
};

const nothingIsUnderWay = async ({ log, work }: SimulatedWorld): Promise<readonly string[]> => {
  const settled = ['running', 'failed', 'deleted'];
  const instances = [...log.instances.values()].filter(({ status }) => !settled.includes(status));
  const snapshots = [...log.snapshots.values()].filter(({ status }) => status === 'pending' || status === 'creating');
  const jobs = [...log.jobs.values()].filter(({ status }) => !['completed', 'failed'].includes(status));
  const open = await work.openCommands();
  return [
    ...instances.map(({ instanceId, status }) => `instance ${instanceId} is still ${status}`),
    ...snapshots.map(({ snapshotId, status }) => `snapshot ${snapshotId} is still ${status}`),
    ...jobs.map(({ jobId, status }) => `export job ${jobId} is still ${status}`),
    ...(open === 0 ? [] : [`${open} commands of processes are not done`]),
  ];
};

const readySnapshotsAreWhole = async ({
  log,
  objectStore,
  manifestsOf,
}: SimulatedWorld): Promise<readonly string[]> => {
  const broken: string[] = [];
  for (const { snapshotId, status } of log.snapshots.values()) {
    for (const manifest of status === 'ready' ? manifestsOf(snapshotId) : []) {
      if (!isRight(await objectStore.getText(manifest)))
        broken.push(`snapshot ${snapshotId} is ready and has lost ${manifest}`);
    }
  }
  return broken;
};

/** Two runs of the job `lifecycle`, including the end of the instances that the job ends. */
const CULLED_WITHIN_MS = 2 * RECONCILE_SECONDS * 1000;

const nothingOutlivesItsTime = async ({ time, log, objectStore }: SimulatedWorld): Promise<readonly string[]> => {
  const isOverdue = (streamId: string, ttl: string | null): boolean => {
    const age = time.now().getTime() - log.timesOf(streamId).createdAt;
    return age > (durationMs(ttl ?? '') ?? Infinity) + CULLED_WITHIN_MS;
  };
  const broken = [...log.instances.values()]
    .filter(({ instanceId, status, ttl }) => status !== 'deleted' && isOverdue(instanceStream(instanceId), ttl))
    .map(({ instanceId, status }) => `instance ${instanceId} is ${status} after its time`);
  for (const [snapshotId, path] of log.snapshotPaths) {
    const living = log.snapshots.get(snapshotId);
    const user = log.instances.get(living?.instanceId ?? 0)?.status;
    const isUsed = user !== undefined && user !== 'deleted' && user !== 'failed';
    if (living !== undefined && !isUsed && isOverdue(snapshotStream(snapshotId), living.ttl))
      broken.push(`snapshot ${snapshotId} is ${living.status} after its time`);
    const files = expectRight(await objectStore.list(path));
    if (living === undefined && files.length > 0)
      broken.push(`snapshot ${snapshotId} is deleted and has left ${files.map(({ key }) => key).join(', ')}`);
  }
  return broken;
};

const failedSnapshotsLeaveWithTheirInstances = ({ log }: SimulatedWorld): readonly string[] =>
  [...log.snapshots.values()]
    .filter(({ status, instanceId }) => status === 'failed' && log.instances.get(instanceId)?.status === 'deleted')
    .map(({ snapshotId }) => `the failed snapshot ${snapshotId} has outlived its instance`);

const acknowledgedHappenedOnce = async (
  { store, log }: SimulatedWorld,
  { created, deleted }: Acknowledged,
): Promise<readonly string[]> => {
  const { events } = expectRight(await store.readAll(START, 1_000_000, { types: ['InstanceRequested'] }));
  const requested = events.map(({ streamId }) => streamId);
  return [
    ...created
      .filter((id) => requested.filter((stream) => stream === `instance-${id}`).length !== 1)
      .map((id) => `instance ${id} was acknowledged and is not there exactly once`),
    ...deleted
      .filter((id) => log.instances.get(id)?.status !== 'deleted')
      .map((id) => `the deletion of instance ${id} was acknowledged and has not happened`),
  ];
};

/** Reading the log again from its start in small steps gives what its followers received. */
const replayTellsTheSame = async ({ store, log }: SimulatedWorld): Promise<readonly string[]> => {
  const again = createLogReaders(store);
  await again.refresh();
  const stateOf = (readers: typeof log): string =>
    JSON.stringify([readers.instances, readers.snapshots, readers.jobs].map((states) => [...states]));
  const unreadable = await unreadableEvents(store);
  return stateOf(again) === stateOf(log) ? unreadable : [...unreadable, 'a replay of the log gives another state'];
};

const unreadableEvents = async (store: SimulatedWorld['store']): Promise<readonly string[]> => {
  let position: Position = START;
  const broken: string[] = [];
  for (;;) {
    const page = expectRight(await store.readAll(position, 100));
    if (page.position === position) return broken;
    position = page.position;
    broken.push(
      ...page.events
        .filter((event) => !isRight(decodeEvent(allEvents, event)))
        .map(({ type }) => `a ${type} cannot be read again`),
    );
  }
};
