import * as t from 'io-ts';
import { LiveStatus } from '../../domain/instance';
import { JobName } from '../../domain/job';
import { nullable, oneOf } from '../../domain/kernel/codecs';
import { SnapshotStatus } from '../../domain/snapshot';
import { ExportJobSummary } from './export-job';

/** `stopped` and `terminated` are always 0. */
export const OpsInstanceStatus = oneOf(
  'waiting_for_snapshot',
  'starting',
  'running',
  'stopping',
  'stopped',
  'failed',
  'terminated',
);

export const SealView = t.strict({ number: t.number, hash: t.string, last_event_id: t.string, sealed_at: t.string });
export type SealView = t.TypeOf<typeof SealView>;

/** Number of resources in each state, and the state of the log. */
export const OpsState = t.strict({
  instances: t.strict({
    total: t.number,
    by_status: t.record(OpsInstanceStatus, t.number),
    without_pod_name: t.number,
  }),
  snapshots: t.strict({ total: t.number, by_status: t.record(SnapshotStatus, t.number) }),
  export_jobs: t.strict({ by_status: t.record(ExportJobSummary.type.props.status, t.number) }),
  /** The newest seal of the log; null before the first. */
  seal: nullable(SealView),
  /** The last verification that came to its end; null before the first. */
  verification: nullable(t.strict({ ended_at: t.string, events_verified: t.number, differences: t.number })),
});
export type OpsState = t.TypeOf<typeof OpsState>;

/** Number of instances by state and by owner, in descending order of the owner's count. */
export const InstanceCounts = t.strict({
  total: t.number,
  by_status: t.record(LiveStatus, t.number),
  by_owner: t.readonlyArray(t.strict({ owner_username: t.string, count: t.number })),
});
export type InstanceCounts = t.TypeOf<typeof InstanceCounts>;

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
  health_status: oneOf('healthy', 'unhealthy'),
  running_since: nullable(t.string),
  next_run_at: nullable(t.string),
  /** The trigger that no run has fulfilled yet. */
  open_trigger: nullable(t.strict({ triggered_at: t.string, triggered_by: t.string, reason: t.string })),
  /** Newest first. */
  last_runs: t.readonlyArray(JobRunView),
});
export type JobView = t.TypeOf<typeof JobView>;

export const ParkedEventView = t.strict({
  reader: t.string,
  stream_id: t.string,
  position: t.string,
  /** The event's own stream, and its revision there. */
  event_stream_id: t.string,
  event_revision: t.number,
  event_type: t.string,
  /** Why it could not be applied; null: it waits for an earlier event of the stream. */
  error: nullable(t.string),
  attempts: t.number,
  parked_at: t.string,
  last_failed_at: nullable(t.string),
});
export type ParkedEventView = t.TypeOf<typeof ParkedEventView>;
