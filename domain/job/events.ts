import * as t from 'io-ts';
import { type EventsOf, eventSpec } from '../kernel/event-catalogue';

/** The background jobs by name. Each keeps its history in the stream `job-<name>`. */
export const JobName = t.keyof({
  reconciliation: null,
  lifecycle: null,
  export_reconciliation: null,
  schema_cache: null,
  resource_monitor: null,
  seal: null,
  verification: null,
});
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
