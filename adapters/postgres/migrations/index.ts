import { appendFunction } from './append-function';
import { eventStoreTables } from './event-store-tables';
import { type Migration } from './migration';
import { telemetryMeasures } from './telemetry-measures';
import { textSearch } from './text-search';
import { telemetryTables } from './telemetry-tables';

/** Every step, in order. */
export const migrations: readonly Migration[] = [
  eventStoreTables,
  appendFunction,
  telemetryTables,
  telemetryMeasures,
  textSearch,
];
