import { accessTokenEvents } from './access-tokens';
import { capacityEvents } from './capacity';
import { apiKeyEvents } from './api-keys';
import { bulkDeletionEvents, testCleanupEvents } from './cleanup';
import { configEvents } from './config';
import { exportJobEvents } from './export-job';
import { favoritesEvents } from './favorites';
import { instanceEvents } from './instance';
import { jobEvents } from './job';
import { type EventsOf } from './kernel/event-catalogue';
import { mappingEvents } from './mapping';
import { parkedEventsEvents } from './parked-events';
import { processEvents } from './processes';
import { savedQueryEvents } from './saved-queries';
import { snapshotEvents } from './snapshot';
import { opsGuardEvents, userEvents } from './user';

/** Everything the log can contain. */
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
  ...processEvents,
};

export type RowgraphEvent = EventsOf<typeof allEvents>;

/**
 * The categories of all streams of the log: every stream is called `<category>-<id>`, and no category has a `-`. What is
 * called otherwise in a store shared with others is not rowgraph's.
 */
export const STREAM_CATEGORIES = [
  'user',
  'user_bootstrap',
  'ops_guard',
  'api_keys',
  'access_tokens',
  'config',
  'favorites',
  'saved_queries',
  'mapping',
  'snapshot',
  'export_job',
  'instance',
  'capacity',
  'bulk_deletion',
  'test_cleanup',
  'job',
  'parked_events',
  'process_instance_startup',
  'process_snapshot_export',
] as const;
