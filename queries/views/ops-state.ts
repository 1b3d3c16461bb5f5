import * as t from 'io-ts';
import { ExportJobSummary } from './export-job';
import { LiveStatus } from '../../domain/instance';
import { SnapshotStatus } from '../../domain/snapshot';

/** `stopped` and `terminated` are always 0. */
export const OpsInstanceStatus = t.keyof({
  waiting_for_snapshot: null,
  starting: null,
  running: null,
  stopping: null,
  stopped: null,
  failed: null,
  terminated: null,
});

/** Number of resources in each state. */
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

/** Number of instances by state and by owner, in descending order of the owner's count. */
export const InstanceCounts = t.strict({
  total: t.number,
  by_status: t.record(LiveStatus, t.number),
  by_owner: t.readonlyArray(t.strict({ owner_username: t.string, count: t.number })),
});
export type InstanceCounts = t.TypeOf<typeof InstanceCounts>;
