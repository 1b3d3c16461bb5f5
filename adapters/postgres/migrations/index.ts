import { countedReports } from './counted-reports';
import { appendFunction } from './append-function';
import { eventStoreTables } from './event-store-tables';
import { jobTables } from './job-tables';
import { leaseTimes } from './lease-times';
import { type Migration } from './migration';
import { repeatedCommands } from './repeated-commands';
import { listedMeasures } from './listed-measures';
import { listedReports } from './listed-reports';
import { parkedEvents } from './parked-events-table';
import { plainLists } from './plain-lists';
import { schemaCacheTables } from './schema-cache-tables';
import { progressJournal } from './progress-journal';
import { telemetryMeasures } from './telemetry-measures';
import { snapshotProgressTable } from './snapshot-progress-table';
import { telemetryTables } from './telemetry-tables';
import { textSearch } from './text-search';

/** Every step, in order. */
export const migrations: readonly Migration[] = [
  eventStoreTables,
  appendFunction,
  telemetryTables,
  telemetryMeasures,
  textSearch,
  schemaCacheTables,
  progressJournal,
  jobTables,
  snapshotProgressTable,
  repeatedCommands,
  parkedEvents,
  leaseTimes,
  listedMeasures,
  listedReports,
  countedReports,
  plainLists,
];
