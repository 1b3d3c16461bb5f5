import { type ExportJobEvent, type JobType } from './events';

interface Identity {
  readonly jobId: number;
  readonly snapshotId: number;
  readonly jobType: JobType;
  readonly entityName: string;
  /** Number of claims; only the latest is valid. */
  readonly attempt: number;
  /** Claims that stopping workers released, which do not count as attempts. */
  readonly returned: number;
}

/** An export job in one of its states. */
export type ExportJob = Identity &
  (
    | { readonly status: 'pending' }
    | { readonly status: 'claimed'; readonly workerId: string; readonly leaseUntil: string }
    | {
        readonly status: 'submitted';
        /** Empty when an external submitter submitted the query. */
        readonly workerId: string;
        readonly queryId: string | null;
        readonly pollCount: number;
        readonly nextUri: string | null;
        readonly nextPollAt: string;
      }
    | {
        readonly status: 'completed';
        readonly rowCount: number;
        readonly sizeBytes: number;
        readonly completedAt: string;
      }
    | { readonly status: 'failed'; readonly errorMessage: string }
  );

export const evolveExportJob = (state: ExportJob | null, event: ExportJobEvent): ExportJob | null => {
  if (event.type === 'ExportJobPlanned') {
    const { jobId, snapshotId, jobType, entityName } = event.data;
    return { jobId, snapshotId, jobType, entityName, attempt: 0, returned: 0, status: 'pending' };
  }
  if (state === null) return null;
  const { jobId, snapshotId, jobType, entityName, attempt, returned } = state;
  const job = { jobId, snapshotId, jobType, entityName, attempt, returned };
  switch (event.type) {
    case 'ExportJobClaimed': {
      const { workerId, leaseUntil } = event.data;
      return { ...job, attempt: event.data.attempt, status: 'claimed', workerId, leaseUntil };
    }
    case 'ExportJobSubmitted':
    case 'ExportJobRescheduled': {
      const { pollCount, nextUri, nextPollAt } = event.data;
      const workerId = 'workerId' in state ? state.workerId : '';
      const queryId = event.data.queryId ?? (state.status === 'submitted' ? state.queryId : null);
      return { ...job, status: 'submitted', workerId, queryId, pollCount, nextUri, nextPollAt };
    }
    case 'ExportJobLeaseExpired':
      return { ...job, status: 'pending' };
    case 'ExportJobReturned':
      return { ...job, returned: event.data.returned, status: 'pending' };
    case 'ExportJobCompleted': {
      const { rowCount, sizeBytes, completedAt } = event.data;
      return { ...job, status: 'completed', rowCount, sizeBytes, completedAt };
    }
    case 'ExportJobFailed':
      return { ...job, status: 'failed', errorMessage: event.data.errorMessage };
  }
};

const CLAIMABLE_SINCE: ReadonlySet<string> = new Set<ExportJobEvent['type']>([
  'ExportJobPlanned',
  'ExportJobLeaseExpired',
  'ExportJobReturned',
]);
/** Whether a job becomes claimable with an event. */
export const becomesClaimable = ({ type }: { readonly type: string }): boolean => CLAIMABLE_SINCE.has(type);
