import { type ExportJobEvent } from './events';

type Planned = Extract<ExportJobEvent, { type: 'ExportJobPlanned' }>['data'];

/** What can be asked of an export job. `attempt`, where present, must be the current one. */
export type ExportJobCommand =
  | ({ readonly type: 'PlanExportJob' } & Planned)
  | { readonly type: 'ClaimExportJob'; readonly workerId: string }
  | {
      readonly type: 'ReportSubmitted';
      readonly attempt?: number;
      readonly queryId: string | null;
      readonly nextUri: string | null;
      readonly nextPollAt?: string;
      readonly pollCount: number;
    }
  | {
      readonly type: 'Reschedule';
      readonly attempt?: number;
      readonly nextUri?: string | null;
      readonly nextPollAt: string;
      readonly pollCount?: number;
    }
  /** Somebody polls it now: nobody else shall until then. Refused when the next poll is not due. */
  | { readonly type: 'HoldForPoll'; readonly until: string }
  | {
      readonly type: 'ReportCompleted';
      readonly attempt?: number;
      readonly rowCount: number;
      readonly sizeBytes: number;
      readonly completedAt?: string;
    }
  | {
      readonly type: 'ReportFailed';
      readonly attempt?: number;
      readonly errorMessage: string;
      readonly errorCode?: string;
    }
  | { readonly type: 'ExpireLease'; readonly attempt: number; readonly reason: string }
  /** The worker is gone and its query with it, so the job begins again, also when it was submitted. */
  | { readonly type: 'ReleaseExportJob'; readonly attempt: number; readonly reason: string }
  | { readonly type: 'CancelExportJob'; readonly reason: string };
