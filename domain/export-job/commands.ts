import { type ExportJobEvent } from './events';

type Planned = Extract<ExportJobEvent, { type: 'ExportJobPlanned' }>['data'];

/** A query that was submitted by somebody else than a worker. */
export interface SubmittedQuery {
  readonly queryId: string;
  readonly nextUri: string;
  readonly submittedAt: string;
}

/** Where the polling of a query stands. What is absent stays; a poll without a time is due after the usual delay. */
export interface PollState {
  readonly queryId?: string | null | undefined;
  readonly nextUri?: string | null | undefined;
  readonly nextPollAt?: string | undefined;
  readonly pollCount?: number | undefined;
}

/** What can be asked of an export job. `attempt`, where present, must be the current one. */
export type ExportJobCommand =
  /** `submitted`: the query engine works on it already; no worker has to claim it. */
  | ({ readonly type: 'PlanExportJob'; readonly submitted?: SubmittedQuery } & Planned)
  | { readonly type: 'ClaimExportJob'; readonly workerId: string }
  | ({ readonly type: 'ReportSubmitted'; readonly attempt?: number; readonly submittedAt?: string } & PollState)
  | ({ readonly type: 'Reschedule'; readonly attempt?: number } & PollState)
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
