import * as t from 'io-ts';
import { eventSpec, type EventsOf } from '../kernel/event-catalogue';

export const capacityEvents = {
  /** An instance that is about to be requested may take a place. */
  SlotReserved: eventSpec(t.strict({ instanceId: t.number, ownerUsername: t.string })),
  /** The instance no longer counts: it failed, was deleted, or was never requested. */
  SlotReleased: eventSpec(t.strict({ instanceId: t.number, ownerUsername: t.string })),
};

export type CapacityEvent = EventsOf<typeof capacityEvents>;
