import * as t from 'io-ts';
import { oneOf } from '../kernel/codecs';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';

/** The background jobs by name. Each keeps its history in the stream `job-<name>`. */
export const JobName = oneOf(
  'reconciliation',
  'lifecycle',
  'export_reconciliation',
  'schema_cache',
  'resource_monitor',
  'seal',
  'verification',
);
export type JobName = t.TypeOf<typeof JobName>;

const run = {
  jobName: JobName,
  /** Number of the latest trigger that this run fulfils, null for a scheduled run. */
  trigger: t.union([t.number, t.null]),
  triggeredBy: t.union([t.string, t.null]),
  startedAt: t.string,
};

export const jobEvents = {
  /** A run was triggered. The trigger stays open until a run ends. */
  JobTriggered: eventSpec(
    t.strict({
      jobName: JobName,
      /** Counts from 1. */
      trigger: t.number,
      triggeredBy: t.string,
      triggeredAt: t.string,
      reason: t.string,
    }),
  ),
  /** A triggered run succeeded, or the first run after failures did. Other successes are telemetry. */
  JobRunSucceeded: eventSpec(t.strict({ ...run, result: t.record(t.string, t.number) })),
  JobRunFailed: eventSpec(t.strict({ ...run, errorCode: t.string, errorMessage: t.string })),
};

export type JobEvent = EventsOf<typeof jobEvents>;
