import { isLeft, right } from 'fp-ts/Either';
import { CAPACITY_STREAM } from '../../domain/capacity';
import { changesStatus, type InstanceEvent, instanceStream, isBeingDeleted } from '../../domain/instance';
import { type StoredEvent } from '../../domain/kernel/event';
import { type EventStore } from '../../domain/ports/event-store';
import { type HeldSlot, type ReconciledInstance } from '../../domain/policies';
import { DEADLINE, snapshotSeconds } from '../../domain/processes';
import { snapshotStream } from '../../domain/snapshot';
import { CAPACITY_PAGE } from '../capacity/reserve-slot';
import { capacities, instances, snapshots } from '../kit/aggregates';
import { type Done, loadEvents, loadStream } from '../kit/handle-command';

/** Seconds after the deadline before reconciliation fails an instance in place of its process. */
const SLACK_SECONDS = 300;

/** An instance by its stream; null for one that was never requested. */
export const loadReconciled = async (store: EventStore, instanceId: number): Done<ReconciledInstance | null> => {
  const loaded = await loadStream(store, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const { state, events } = loaded.right;
  const last = events.at(-1);
  if (state === null || last === undefined) return right(null);
  const { urlSlug, status, life } = state;
  const statusSince = timeOfLast(events, changesStatus) ?? new Date(last.metadata.occurredAt);
  const deadline =
    status === 'waiting_for_snapshot'
      ? await snapshotDeadline(store, state.snapshotId, statusSince)
      : right(status === 'starting' ? after(statusSince, DEADLINE.startup) : null);
  if (isLeft(deadline)) return deadline;
  const { revision } = last;
  const about = { instanceId, urlSlug, status, life, revision, statusSince };
  return right({ ...about, isBeingDeleted: isBeingDeleted(state), deadline: deadline.right });
};

const snapshotDeadline = async (store: EventStore, snapshotId: number, waitingSince: Date): Done<Date> => {
  const loaded = await loadStream(store, snapshots, snapshotStream(snapshotId));
  if (isLeft(loaded)) return loaded;
  const { state, events } = loaded.right;
  const requested = events[0];
  return right(
    state === null || requested === undefined
      ? after(waitingSince, DEADLINE.snapshot)
      : after(new Date(requested.metadata.occurredAt), snapshotSeconds(state)),
  );
};

const after = (time: Date, seconds: number): Date => new Date(time.getTime() + (seconds + SLACK_SECONDS) * 1000);

const timeOfLast = (
  events: readonly StoredEvent<InstanceEvent>[],
  which: (event: InstanceEvent) => boolean,
): Date | null => {
  const last = events.findLast(which);
  return last === undefined ? null : new Date(last.metadata.occurredAt);
};

/**
 * Reads the reserved slots with their times, which the state of the stream lacks. The stream grows without bound, so
 * each call resumes where the last one ended.
 */
export const slotReader = (store: EventStore): (() => Done<readonly HeldSlot[]>) => {
  const held = new Map<number, HeldSlot>();
  let revision = -1;
  return async () => {
    for (let isLast = false; !isLast;) {
      const read = await loadEvents(store, capacities.catalogue, CAPACITY_STREAM, revision, CAPACITY_PAGE);
      if (isLeft(read)) return read;
      for (const { type, data, metadata, revision: last } of read.right) {
        revision = last;
        const { instanceId } = data;
        if (type === 'SlotReserved') held.set(instanceId, { instanceId, since: new Date(metadata.occurredAt) });
        else held.delete(instanceId);
      }
      isLast = read.right.length < CAPACITY_PAGE;
    }
    return right([...held.values()]);
  };
};
