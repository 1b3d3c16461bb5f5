import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type JobUpdate } from '../../adapters/contracts/export-worker/job-update';
import { retry } from '../../adapters/system/retry';
import { parseJson } from '../../domain/kernel/codecs';
import { ExportJobStatus, WorkerJob } from '../../queries/views/export-job';
import { type CallFailure, InternalApi, type InternalCall } from '../control-plane/internal-api';

/** A report on one attempt; without `status` it only records a poll. */
export type JobReport = JobUpdate & { readonly attempt: number };

/**
 * `refused`: the job has ended or belongs to another worker. `already_completed`: rejected because this attempt is
 * completed, so its files are valid. `stopped`: the worker stopped before a response.
 */
export type ReportOutcome = 'accepted' | 'refused' | 'already_completed' | 'stopped';

export interface ExportJobsApiOptions {
  /** Origin of the internal API. */
  readonly url: string;
  readonly token: () => string;
  readonly workerId: string;
  /** Called when a report is retried. */
  readonly onRetry: (jobId: number, reason: string) => void;
}

const ATTEMPT_TIMEOUT_MS = 30_000;
/** Rejections unrelated to the job: expired credentials, or throttling. */
const TRY_AGAIN = new Set([401, 403, 408, 429]);

const jobsOf = <A>(job: t.Type<A, unknown>) => t.type({ jobs: t.readonlyArray(job) });
const [WorkerJobs, JobStatuses] = [jobsOf(WorkerJob), jobsOf(ExportJobStatus)];
const Refusal = t.type({ error: t.type({ details: t.type({ current_status: t.string, attempt: t.number }) }) });

/** Calls of export workers to the control plane. Left: it is unreachable, with the reason. */
export class ExportJobsApi {
  private readonly api: InternalApi;

  constructor(private readonly settings: ExportJobsApiOptions) {
    const { url, token } = settings;
    this.api = new InternalApi({ url, token, component: 'worker', timeoutMs: ATTEMPT_TIMEOUT_MS });
  }

  /**
   * Claims up to `limit` pending jobs. `workingOn`: the jobs of this worker; jobs claimed in a lost response are
   * returned first.
   */
  claim(limit: number, workingOn: readonly number[]): Promise<Either<string, readonly WorkerJob[]>> {
    const body = { worker_id: this.settings.workerId, limit, working_on: workingOn };
    return this.jobs(WorkerJobs, { method: 'POST', path: '/export-jobs/claim', body });
  }

  /** Submitted jobs whose poll is overdue. */
  pollable(limit: number): Promise<Either<string, readonly WorkerJob[]>> {
    return this.jobs(WorkerJobs, { method: 'GET', path: `/export-jobs/pollable?limit=${limit}` });
  }

  /** The status of these jobs; deleted ones are omitted. */
  statusesOf(jobIds: readonly number[]): Promise<Either<string, readonly ExportJobStatus[]>> {
    return this.jobs(JobStatuses, { method: 'GET', path: `/export-jobs?ids=${jobIds.join(',')}` });
  }

  /** Retries a report until the control plane accepts or rejects it, or `stop` aborts. */
  async report(jobId: number, body: JobReport, stop: AbortSignal): Promise<ReportOutcome> {
    if (stop.aborted) return 'stopped';
    const sendOnce = async (): Promise<Either<string, ReportOutcome>> => {
      const sent = await this.api.sendOnce({ method: 'PATCH', path: `/export-jobs/${jobId}`, body });
      return isLeft(sent) ? judge(sent.left, body.attempt) : right('accepted');
    };
    const onFailure = (reason: string): void => this.settings.onRetry(jobId, reason);
    const answer = await retry(sendOnce, { pausesMs: [400, 20_000], hasJitter: true, signal: stop, onFailure });
    return isLeft(answer) ? 'stopped' : answer.right;
  }

  private async jobs<A>(
    data: t.Type<{ readonly jobs: readonly A[] }, unknown>,
    call: InternalCall,
  ): Promise<Either<string, readonly A[]>> {
    const answer = await this.api.read(data, call);
    return isLeft(answer) ? left(answer.left.message) : right(answer.right.jobs);
  }
}

/** Classifies a rejected report. Left: retry, with the reason. */
const judge = (failure: CallFailure, attempt: number): Either<string, ReportOutcome> => {
  if (failure.kind !== 'refused' || TRY_AGAIN.has(failure.status)) return left(failure.message);
  const refusal = Refusal.decode(parseJson(failure.text));
  if (isLeft(refusal)) return right('refused');
  const { current_status: status, attempt: current } = refusal.right.error.details;
  return right(status === 'completed' && current === attempt ? 'already_completed' : 'refused');
};
