import * as t from 'io-ts';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';

/** Life spans of one kind of resource, as ISO 8601 durations. */
export const LifecycleLimits = t.strict({
  defaultTtl: t.union([t.string, t.null]),
  defaultInactivity: t.string,
  maxTtl: t.string,
});
export type LifecycleLimits = t.TypeOf<typeof LifecycleLimits>;

/** Each event contains its part of the configuration in full. */
export const configEvents = {
  LifecycleConfigured: eventSpec(
    t.strict({ mapping: LifecycleLimits, snapshot: LifecycleLimits, instance: LifecycleLimits }),
  ),
  ConcurrencyConfigured: eventSpec(t.strict({ perAnalyst: t.number, clusterTotal: t.number })),
  /** While enabled, requests that create resources are rejected. */
  MaintenanceConfigured: eventSpec(t.strict({ enabled: t.boolean, message: t.string })),
  ExportConfigured: eventSpec(t.strict({ maxDurationSeconds: t.number })),
};

export type ConfigEvent = EventsOf<typeof configEvents>;
