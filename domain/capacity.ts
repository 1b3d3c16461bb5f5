import { left } from 'fp-ts/Either';
import { Map as ImmutableMap } from 'immutable';
import * as t from 'io-ts';
import { type ConcurrencyLimits } from './config';
import { accept, deciderOf } from './kernel/decider';
import { domainError } from './kernel/errors';
import { type EventsOf, eventSpec } from './kernel/event-catalogue';

export const capacityEvents = {
  /** A slot was reserved for an instance that is about to be requested. */
  SlotReserved: eventSpec(t.strict({ instanceId: t.number, ownerUsername: t.string })),
  /** The instance no longer counts against the limits: it failed, was deleted, or was never requested. */
  SlotReleased: eventSpec(t.strict({ instanceId: t.number, ownerUsername: t.string })),
};

export type CapacityEvent = EventsOf<typeof capacityEvents>;

export type CapacityCommand =
  | {
      readonly type: 'ReserveSlot';
      readonly instanceId: number;
      readonly ownerUsername: string;
      readonly limits: ConcurrencyLimits;
    }
  | { readonly type: 'ReleaseSlot'; readonly instanceId: number };

/** The live slots: instance id to owner. A persistent map: a change copies one branch only. */
export type Capacity = ImmutableMap<number, string>;

/** One stream for the whole system, so that its revision makes the limits exact. */
export const CAPACITY_STREAM = 'capacity-cluster';

export const capacity = deciderOf<CapacityCommand, CapacityEvent, Capacity>()({
  initial: ImmutableMap<number, string>(),

  decide: {
    ReserveSlot: ({ instanceId, ownerUsername, limits }, slots) => {
      if (slots.has(instanceId)) return accept([]);
      const owned = slots.count((owner) => owner === ownerUsername);
      if (owned >= limits.perAnalyst) return left(limitReached('per_analyst', owned, limits.perAnalyst));
      if (slots.size >= limits.clusterTotal)
        return left(limitReached('cluster_total', slots.size, limits.clusterTotal));
      return accept([{ type: 'SlotReserved', data: { instanceId, ownerUsername } }]);
    },

    ReleaseSlot: ({ instanceId }, slots) => {
      const ownerUsername = slots.get(instanceId);
      return accept(ownerUsername === undefined ? [] : [{ type: 'SlotReleased', data: { instanceId, ownerUsername } }]);
    },
  },

  evolve: (slots, { type, data }) =>
    type === 'SlotReserved' ? slots.set(data.instanceId, data.ownerUsername) : slots.delete(data.instanceId),
});

const limitReached = (limitType: 'per_analyst' | 'cluster_total', current: number, max: number) =>
  domainError(
    'CONCURRENCY_LIMIT_EXCEEDED',
    limitType === 'per_analyst'
      ? `You have ${current} of ${max} instances; delete one, or wait until one ends.`
      : `The cluster runs ${current} of ${max} instances; try again when one has ended.`,
    { current_count: current, max_allowed: max, limit_type: limitType },
  );
