import * as t from 'io-ts';
import { JobName } from '../../domain/job';
import { nullable } from '../../domain/kernel/codecs';

export const JobRunView = t.strict({
  started_at: t.string,
  ended_at: t.string,
  /** Null for a scheduled run. */
  triggered_by: nullable(t.string),
  /** Counters of the run; null for a failed run. */
  result: nullable(t.record(t.string, t.number)),
  error: nullable(t.strict({ code: t.string, message: t.string })),
});
export type JobRunView = t.TypeOf<typeof JobRunView>;

export const JobView = t.strict({
  name: JobName,
  schedule: t.string,
  last_success_at: nullable(t.string),
  last_failure_at: nullable(t.string),
  consecutive_failures: t.number,
  health_status: t.keyof({ healthy: null, unhealthy: null }),
  running_since: nullable(t.string),
  next_run_at: nullable(t.string),
  /** The trigger that no run has fulfilled yet. */
  open_trigger: nullable(t.strict({ triggered_at: t.string, triggered_by: t.string, reason: t.string })),
  /** Newest first. */
  last_runs: t.readonlyArray(JobRunView),
});
export type JobView = t.TypeOf<typeof JobView>;
