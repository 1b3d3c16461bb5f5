import { left } from 'fp-ts/Either';
import { type InstanceStatus } from '../instance';
import { accept, deciderOf, existing } from '../kernel/decider';
import { domainError } from '../kernel/errors';
import { type SnapshotEvent, type SnapshotStatus, type SubmittedJob } from './events';

type Data<T extends SnapshotEvent['type']> = Extract<SnapshotEvent, { type: T }>['data'];

export type SnapshotCommand =
  | ({ readonly type: 'RequestSnapshot' } & Data<'SnapshotRequested'>)
  | { readonly type: 'StartExport' }
  | { readonly type: 'SubmitJobs'; readonly jobs: readonly SubmittedJob[] }
  | ({ readonly type: 'CompleteSnapshot' } & Measures)
  /** The status that a worker reports. `openJobs`: number of jobs that are not completed. */
  | ({ readonly type: 'ReportReady'; readonly openJobs: number } & Measures)
  | {
      readonly type: 'FailSnapshot';
      readonly errorCode: string;
      readonly errorMessage: string;
      readonly failedStep?: string | null;
      readonly nodeCounts?: Measures['nodeCounts'];
      readonly edgeCounts?: Measures['edgeCounts'];
    }
  /** `usedBy`: the current status of the snapshot's instance, null when it no longer needs the snapshot. */
  | { readonly type: 'DeleteSnapshot'; readonly reason: string; readonly usedBy: InstanceStatus | null };

type Measures = Pick<Data<'SnapshotReady'>, 'sizeBytes' | 'nodeCounts' | 'edgeCounts'>;

export interface Snapshot extends Data<'SnapshotRequested'> {
  readonly status: SnapshotStatus;
  /** The jobs from an external submitter; null if the control plane plans them. */
  readonly submittedJobs: readonly SubmittedJob[] | null;
  /** Null until it is ready. */
  readonly measures: Measures | null;
}

export const snapshotStream = (snapshotId: number): string => `snapshot-${snapshotId}`;

const ofExisting = existing<Snapshot>('snapshot');
const isOpen = ({ status }: Snapshot): boolean => status === 'pending' || status === 'creating';

export const snapshot = deciderOf<SnapshotCommand, SnapshotEvent, Snapshot | null>()({
  initial: null,

  decide: {
    RequestSnapshot: ({ type: _type, ...data }, state) =>
      accept(state === null ? [{ type: 'SnapshotRequested', data }] : []),

    StartExport: ofExisting((_command, state) => {
      const { snapshotId, instanceId, status } = state;
      if (status === 'creating') return accept([]);
      return status === 'pending'
        ? accept([{ type: 'SnapshotExportStarted', data: { snapshotId, instanceId } }])
        : left(refused(state, 'creating'));
    }),

    SubmitJobs: ofExisting(({ jobs }, state) => {
      if (state.jobs.length > 0) return left(jobsExist(state));
      const { snapshotId, instanceId } = state;
      return isOpen(state)
        ? accept([{ type: 'SnapshotJobsSubmitted', data: { snapshotId, instanceId, jobs } }])
        : left(refused(state, 'creating'));
    }),

    CompleteSnapshot: ofExisting((command, state) => {
      const { snapshotId, instanceId, status } = state;
      if (status === 'ready') return accept([]);
      return isOpen(state)
        ? accept([{ type: 'SnapshotReady', data: { snapshotId, instanceId, ...measuresOf(command) } }])
        : left(refused(state, 'ready'));
    }),

    ReportReady: ofExisting((command, state) => {
      const { snapshotId, instanceId, status } = state;
      const measures = measuresOf(command);
      if (status === 'failed' || command.openJobs > 0 || state.jobs.length === 0) return left(refused(state, 'ready'));
      if (state.measures !== null && sameMeasures(state.measures, measures)) return accept([]);
      const type = status === 'ready' ? 'SnapshotMeasured' : 'SnapshotReady';
      return accept([{ type, data: { snapshotId, instanceId, ...measures } }]);
    }),

    FailSnapshot: ofExisting((command, state) => {
      const { snapshotId, instanceId, status } = state;
      if (status === 'failed') return accept([]);
      const { errorCode, errorMessage, failedStep = null, nodeCounts = {}, edgeCounts = {} } = command;
      const data = { snapshotId, instanceId, errorCode, errorMessage, failedStep, nodeCounts, edgeCounts };
      return isOpen(state) ? accept([{ type: 'SnapshotFailed', data }]) : left(refused(state, 'failed'));
    }),

    DeleteSnapshot: ofExisting(({ usedBy, reason }, state) => {
      if (usedBy !== null) return left(inUse(state, usedBy));
      const { snapshotId, instanceId, mappingId, storagePath } = state;
      return accept([{ type: 'SnapshotDeleted', data: { snapshotId, instanceId, mappingId, storagePath, reason } }]);
    }),
  },

  evolve: (state, event) => {
    if (event.type === 'SnapshotRequested') {
      return { ...event.data, status: 'pending', submittedJobs: null, measures: null };
    }
    if (state === null) return null;
    switch (event.type) {
      case 'SnapshotJobsSubmitted': {
        const { jobs } = event.data;
        const named = jobs.map(({ jobId, jobType, entityName }) => ({ jobId, jobType, entityName }));
        return { ...state, jobs: named, submittedJobs: jobs };
      }
      case 'SnapshotExportStarted':
        return { ...state, status: 'creating' };
      case 'SnapshotReady':
      case 'SnapshotMeasured':
        return { ...state, status: 'ready', measures: measuresOf(event.data) };
      case 'SnapshotFailed':
        return { ...state, status: 'failed' };
      case 'SnapshotDeleted':
        return null;
    }
  },
});

const measuresOf = ({ sizeBytes, nodeCounts, edgeCounts }: Measures): Measures => ({
  sizeBytes,
  nodeCounts,
  edgeCounts,
});

const sameMeasures = (a: Measures, b: Measures): boolean =>
  a.sizeBytes === b.sizeBytes && sameCounts(a.nodeCounts, b.nodeCounts) && sameCounts(a.edgeCounts, b.edgeCounts);

const sameCounts = (a: Measures['nodeCounts'], b: Measures['nodeCounts']): boolean =>
  [...new Set([...Object.keys(a), ...Object.keys(b)])].every((name) => a[name] === b[name]);

const jobsExist = ({ snapshotId, submittedJobs, jobs }: Snapshot) => {
  const by =
    submittedJobs === null ? 'the control plane plans them (ROWGRAPH_EXPORT_PLANNER)' : 'they were posted before';
  const message = `Snapshot ${snapshotId} has its ${jobs.length} export jobs already: ${by}.`;
  return domainError('JOBS_ALREADY_EXIST', message, { snapshot_id: snapshotId, job_count: jobs.length });
};

const refused = ({ snapshotId, status }: Snapshot, wanted: string) =>
  domainError('INVALID_STATE_TRANSITION', `Snapshot ${snapshotId} is ${status} and cannot become ${wanted}.`, {
    snapshot_id: snapshotId,
    current_status: status,
  });

const inUse = ({ snapshotId, instanceId }: Snapshot, status: InstanceStatus) =>
  domainError(
    'RESOURCE_HAS_DEPENDENCIES',
    `Snapshot ${snapshotId} is used by instance ${instanceId}, which is ${status}. Delete the instance first.`,
    { snapshot_id: snapshotId, instance_id: instanceId, instance_status: status },
  );

/** The name of the snapshot of a mapping version, at most 255 characters. */
export const snapshotName = (mappingName: string, version: number): string =>
  [...`Snapshot of ${mappingName} v${version}`].slice(0, 255).join('');
