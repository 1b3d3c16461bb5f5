import { accessTokenEvents } from './access-tokens';
import { apiKeyEvents } from './api-keys';
import { capacityEvents } from './capacity';
import { bulkDeletionEvents, testCleanupEvents } from './cleanup';
import { configEvents } from './config';
import { exportJobEvents } from './export-job';
import { favoritesEvents } from './favorites';
import { instanceEvents } from './instance';
import { jobEvents } from './job';
import { type EventCatalogue, type EventsOf } from './kernel/event-catalogue';
import { mappingEvents } from './mapping';
import { parkedEventsEvents } from './parked-events';
import { processEvents } from './processes';
import { savedQueryEvents } from './saved-queries';
import { sealEvents } from './seals';
import { snapshotEvents } from './snapshot';
import { opsGuardEvents, userEvents } from './user';

/** All event types that the log can contain. */
export const allEvents = {
  ...userEvents,
  ...opsGuardEvents,
  ...apiKeyEvents,
  ...accessTokenEvents,
  ...configEvents,
  ...favoritesEvents,
  ...savedQueryEvents,
  ...mappingEvents,
  ...snapshotEvents,
  ...exportJobEvents,
  ...instanceEvents,
  ...capacityEvents,
  ...bulkDeletionEvents,
  ...testCleanupEvents,
  ...jobEvents,
  ...parkedEventsEvents,
  ...sealEvents,
  ...processEvents,
};

export type RowgraphEvent = EventsOf<typeof allEvents>;

/**
 * The events of each category of streams: every stream is called `<category>-<id>`, and no category contains a `-`.
 * Streams with other names, in a store shared with other systems, are not rowgraph's.
 */
const eventsByCategory = {
  user: userEvents,
  user_bootstrap: userEvents,
  ops_guard: opsGuardEvents,
  api_keys: apiKeyEvents,
  access_tokens: accessTokenEvents,
  config: configEvents,
  favorites: favoritesEvents,
  saved_queries: savedQueryEvents,
  mapping: mappingEvents,
  snapshot: snapshotEvents,
  export_job: exportJobEvents,
  instance: instanceEvents,
  capacity: capacityEvents,
  bulk_deletion: bulkDeletionEvents,
  test_cleanup: testCleanupEvents,
  job: jobEvents,
  parked_events: parkedEventsEvents,
  seals: sealEvents,
  process_instance_startup: processEvents,
  process_snapshot_export: processEvents,
} satisfies Readonly<Record<string, EventCatalogue>>;
export type StreamCategory = keyof typeof eventsByCategory;

export const STREAM_CATEGORIES: readonly string[] = Object.keys(eventsByCategory);

/** The event types that this version knows in a stream; empty for an unknown category. */
export const knownTypesOf = (streamId: string): readonly string[] => {
  const catalogues: Readonly<Record<string, EventCatalogue>> = eventsByCategory;
  return Object.keys(catalogues[streamId.slice(0, streamId.indexOf('-'))] ?? {});
};
