import { capacityEvents } from './capacity';
import { exportJobEvents } from './export-job';
import { instanceEvents } from './instance';
import { type EventsOf } from './kernel/event-catalogue';
import { mappingEvents } from './mapping';
import { processEvents } from './processes';
import { snapshotEvents } from './snapshot';
import { opsGuardEvents, userEvents } from './user';

/** Everything the log can contain. */
export const allEvents = {
  ...userEvents,
  ...opsGuardEvents,
  ...mappingEvents,
  ...snapshotEvents,
  ...exportJobEvents,
  ...instanceEvents,
  ...capacityEvents,
  ...processEvents,
};

export type RowgraphEvent = EventsOf<typeof allEvents>;
