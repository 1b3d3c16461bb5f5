import { isLeft, right } from 'fp-ts/Either';
import { Map as ImmutableMap } from 'immutable';
import { type CapacityEvent, capacityEvents } from '../../domain/capacity';
import { changesStatus, type InstanceEvent, instanceStream, isBeingDeleted } from '../../domain/instance';
import { type StoredEvent } from '../../domain/kernel/event';
import { type HeldSlot, type ReconciledInstance } from '../../domain/policies';
import { type EventStore } from '../../domain/ports/event-store';
import { DEADLINE, snapshotSeconds } from '../../domain/processes';
import { snapshotStream } from '../../domain/snapshot';
import { instances, snapshots } from '../kit/aggregates';
import { type Done } from '../kit/handle-command';
import { type Folder, loadHistory } from '../kit/load-stream';

/** Seconds after the deadline before reconciliation fails an instance in place of its process. */
const SLACK_SECONDS = 300;

/** An instance by its stream; null for one that was never requested. */
export const loadReconciled = async (store: EventStore, instanceId: number): Done<ReconciledInstance | null> => {
  const loaded = await loadHistory(store, instances, instanceStream(instanceId));
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
  const loaded = await loadHistory(store, snapshots, snapshotStream(snapshotId));
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

/** The reserved slots with their times, which the state for decisions lacks. */
export const heldSlots: Folder<CapacityEvent, ImmutableMap<number, HeldSlot>> = {
  decider: {
    initial: ImmutableMap(),
    evolve: (slots, { type, data: { instanceId }, metadata }) =>
      type === 'SlotReserved'
        ? slots.set(instanceId, { instanceId, since: new Date(metadata.occurredAt) })
        : slots.delete(instanceId),
  },
  catalogue: capacityEvents,
};
