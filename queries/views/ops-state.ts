import * as t from 'io-ts';
import { ExportJobSummary } from './export-job';
import { LiveStatus } from '../../domain/instance';
import { SnapshotStatus } from '../../domain/snapshot';

/** Nothing ever enters `stopped` or `terminated`. */
export const OpsInstanceStatus = t.keyof({
  waiting_for_snapshot: null,
  starting: null,
  running: null,
  stopping: null,
  stopped: null,
  failed: null,
  terminated: null,
});

/** How many resources there are in each state. */
export const OpsState = t.strict({
  instances: t.strict({
    total: t.number,
    by_status: t.record(OpsInstanceStatus, t.number),
    without_pod_name: t.number,
  }),
  snapshots: t.strict({ total: t.number, by_status: t.record(SnapshotStatus, t.number) }),
  export_jobs: t.strict({ by_status: t.record(ExportJobSummary.type.props.status, t.number) }),
});
export type OpsState = t.TypeOf<typeof OpsState>;

/** How many instances there are, in which states and whose; who has most comes first. */
export const InstanceCounts = t.strict({
  total: t.number,
  by_status: t.record(LiveStatus, t.number),
  by_owner: t.readonlyArray(t.strict({ owner_username: t.string, count: t.number })),
});
export type InstanceCounts = t.TypeOf<typeof InstanceCounts>;
