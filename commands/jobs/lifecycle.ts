import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { changesStatus, instanceStream } from '../../domain/instance';
import { type DomainError, domainError } from '../../domain/kernel/errors';
import { type StoredEvent } from '../../domain/kernel/event';
import { mappingStream } from '../../domain/mapping';
import { type Expiry, instanceExpiry, resourceExpiry, snapshotExpiry } from '../../domain/policies';
import { type LifeDirectory } from '../../domain/ports/directories';
import { readFailed } from '../../domain/ports/event-store';
import { type ObjectStore, objectStoreReason } from '../../domain/ports/object-store';
import { type PodClient } from '../../domain/ports/pod-client';
import { snapshotStream } from '../../domain/snapshot';
import { instances, mappings, snapshots } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, contextOf } from '../kit/command-context';
import { type Done, handleCommand, type Precondition, requireRevision } from '../kit/handle-command';
import { loadHistory } from '../kit/load-stream';
import { deleteMapping } from '../mapping/delete-mapping';
import { deleteSnapshot } from '../snapshot/change-snapshot';
import { countDone, type Job, outcomeOf, unlessRejected } from './job';

export interface LifecyclePorts extends EndExpiredPorts {
  readonly directory: LifeDirectory;
  readonly objectStore: Pick<ObjectStore, 'removeUnfinished'>;
}

/** Hours after which an incomplete upload counts as abandoned. */
const UPLOAD_HOURS = 24;
const SYSTEM = { username: 'system:lifecycle', role: 'system' } as const;

/**
 * Deletes expired instances, snapshots and mappings, in this order of dependency. A snapshot usually follows in a later
 * run than its instance, because pods take time to end. Removes abandoned uploads from the object store.
 */
export const lifecycleJob = (ports: LifecyclePorts): Job => {
  const { directory, clock, ids } = ports;
  const kinds = [
    { counted: 'instances_deleted', ending: (now: Date) => directory.endingInstances(now), end: endExpiredInstance },
    { counted: 'snapshots_deleted', ending: (now: Date) => directory.endingSnapshots(now), end: endExpiredSnapshot },
    { counted: 'mappings_deleted', ending: (now: Date) => directory.endingMappings(now), end: endExpiredMapping },
  ];
  return {
    name: 'lifecycle',
    run: async ({ signal, cause }) => {
      const failures: DomainError[] = [];
      const counts: Record<string, number> = {};
      for (const { counted, ending, end } of kinds) {
        const candidates = await ending(clock.now());
        counts[counted] = await countDone(candidates, signal, failures, (id) =>
          end(ports, id, contextOf(ids, SYSTEM, cause)),
        );
      }
      const removed = await ports.objectStore.removeUnfinished(
        new Date(clock.now().getTime() - UPLOAD_HOURS * 3_600_000),
      );
      if (isLeft(removed)) {
        const message = `Abandoned uploads could not be removed: ${objectStoreReason(removed.left)}`;
        failures.push(domainError('SERVICE_UNAVAILABLE', message));
      } else counts['uploads_removed'] = removed.right;
      return outcomeOf(failures, counts);
    },
  };
};

interface EndExpiredPorts extends CommandPorts {
  readonly directory: Pick<LifeDirectory, 'lastActivityOf'>;
  readonly podClient: Pick<PodClient, 'isWorking'>;
}

/** Whether the resource was deleted; false when it has not expired after all. */
type Ended = Done<boolean>;

/**
 * Deletes an expired instance. Expiry is decided on its stream and checked again before the event is appended: first
 * whether the pod works, then the last activity. A later query still completes, because a pod finishes
 * its queries before it ends.
 */
export const endExpiredInstance = async (
  ports: EndExpiredPorts,
  instanceId: number,
  context: CommandContext,
): Ended => {
  const { store, clock, directory, podClient } = ports;
  const stream = instanceStream(instanceId);
  const loaded = await loadHistory(store, instances, stream);
  if (isLeft(loaded)) return loaded;
  const { state, events } = loaded.right;
  const last = events.at(-1);
  if (state === null || last === undefined) return right(false);
  const life = { ...state, createdAt: timeOf(events[0]), since: timeOf(events.findLast(changesStatus)) };
  const expiryOf = async (): Promise<Expiry | null> => {
    const lastActivityAt = (await directory.lastActivityOf(instanceId))?.getTime() ?? null;
    return instanceExpiry(life, lastActivityAt, clock.now().getTime());
  };

  const end = await expiryOf();
  if (end === null) return right(false);
  const isStillExpired: Precondition<unknown> = async (_before, _after, revision) => {
    const isWorking = async () => end.cause === 'unused' && (await podClient.isWorking(state));
    const isOver = revision === last.revision && !(await isWorking()) && (await expiryOf()) !== null;
    return isOver ? right(undefined) : left(domainError('CONFLICT', `Instance ${instanceId} is in use again.`));
  };
  const command = { type: 'RequestDeletion', reason: end.reason } as const;
  return livesOn(await handleCommand(ports, instances, stream, command, context, isStillExpired));
};

/**
 * Deletes an unused snapshot that has expired, or whose export failed and whose instance is deleted. A snapshot is in
 * use until its instance fails or is deleted.
 */
const endExpiredSnapshot = async (ports: CommandPorts, snapshotId: number, context: CommandContext): Ended => {
  const { store, clock } = ports;
  const loaded = await loadHistory(store, snapshots, snapshotStream(snapshotId));
  if (isLeft(loaded)) return loaded;
  const { state, events } = loaded.right;
  if (state === null) return right(false);
  const user = await loadHistory(store, instances, instanceStream(state.instanceId));
  if (isLeft(user)) return user;
  const createdAt = timeOf(events[0]);
  const lastUsedAt = Math.max(createdAt, timeOf(user.right.events.findLast(changesStatus)));
  const instance = user.right.state?.status ?? 'deleted';
  const end = snapshotExpiry({ ...state, createdAt, lastUsedAt, instance }, clock.now().getTime());
  return end === null ? right(false) : livesOn(await deleteSnapshot(ports, snapshotId, end.reason, context));
};

/** Deletes an expired mapping without snapshots; it counts as used until its last snapshot was deleted. */
const endExpiredMapping = async (ports: CommandPorts, mappingId: number, context: CommandContext): Ended => {
  const { store, clock } = ports;
  const loaded = await loadHistory(store, mappings, mappingStream(mappingId));
  if (isLeft(loaded)) return loaded;
  const { state, events } = loaded.right;
  const last = events.at(-1);
  if (state === null || last === undefined) return right(false);
  let lastUsedAt = timeOf(last);
  for (const { snapshotId } of state.snapshots) {
    const used = await store.readStream(snapshotStream(snapshotId), { direction: 'backwards', limit: 1 });
    if (isLeft(used)) return left(readFailed(used.left));
    lastUsedAt = Math.max(lastUsedAt, timeOf(used.right[0]));
  }
  const end = resourceExpiry({ ...state, createdAt: timeOf(events[0]), lastUsedAt }, clock.now().getTime());
  return end === null
    ? right(false)
    : livesOn(await deleteMapping(ports, mappingId, end.reason, context, requireRevision(last.revision)));
};

/** Time of an event in milliseconds; 0 if it never happened. */
const timeOf = (event: StoredEvent | undefined): number =>
  event === undefined ? 0 : Date.parse(event.metadata.occurredAt);

const livesOn = (done: Either<DomainError, unknown>): Either<DomainError, boolean> =>
  unlessRejected(done, 'INVALID_STATE', 'CONFLICT', 'RESOURCE_HAS_DEPENDENCIES', 'RESOURCE_NOT_FOUND');
