import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { retry } from '../../adapters/system/retry';
import { fieldErrorLines } from '../../domain/kernel/codecs';
import { ExportJobStatus, WorkerJob } from '../../queries/views/export-job';

/** What a worker reports; a job without `status` has only been polled. */
export interface JobReport {
  readonly attempt: number;
  readonly status?: 'submitted' | 'completed' | 'failed';
  readonly queryengine_query_id?: string;
  readonly next_uri?: string;
  /** ISO 8601: when another worker may take over the polling. */
  readonly next_poll_at?: string;
  readonly poll_count?: number;
  readonly row_count?: number;
  readonly size_bytes?: number;
  readonly error_message?: string;
}

/**
 * `taken`: reported. `refused`: the job has ended or another worker has it. `already_completed`: refused because this
 * very attempt is completed, so its files are valid. `stopped`: the worker gave up before there was an answer.
 */
export type ReportOutcome = 'taken' | 'refused' | 'already_completed' | 'stopped';

/** The internal API of the control plane, as far as export workers use it. */
export interface ControlPlane {
  /**
   * Takes up to `limit` pending jobs. `workingOn` are those this worker has: others it took, of which the answer was
   * lost, come first. Left: the control plane cannot be asked now, with the reason.
   */
  claim(limit: number, workingOn: readonly number[]): Promise<Either<string, readonly WorkerJob[]>>;
  /** Submitted jobs nobody has polled in time. */
  pollable(limit: number): Promise<Either<string, readonly WorkerJob[]>>;
  /** What has become of these jobs; those that were deleted are left out. */
  statusesOf(jobIds: readonly number[]): Promise<Either<string, readonly ExportJobStatus[]>>;
  /** Reports until the control plane has taken or refused it, for ever, or until `stop` aborts. */
  report(jobId: number, report: JobReport, stop: AbortSignal): Promise<ReportOutcome>;
}

export interface ControlPlaneSettings {
  /** Origin of the internal API. */
  readonly url: string;
  readonly token: string;
  readonly workerId: string;
  /** Told when a report has to be repeated. */
  readonly onRetry: (jobId: number, reason: string) => void;
}

const REQUEST_TIMEOUT_MS = 30_000;
/** Refusals that say nothing about the job: an identity about to be renewed, or too much at once. */
const TRY_AGAIN = new Set([401, 403, 408, 429]);

const jobsOf = <A, O>(job: t.Type<A, O>) => t.type({ data: t.type({ jobs: t.readonlyArray(job) }) });
const [WorkerJobs, JobStatuses] = [jobsOf(WorkerJob), jobsOf(ExportJobStatus)];
const Refusal = t.type({ error: t.type({ details: t.type({ current_status: t.string, attempt: t.number }) }) });

export const createControlPlane = (settings: ControlPlaneSettings): ControlPlane => {
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`${settings.url.replace(/\/$/, '')}/api/internal${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${settings.token}`,
        'X-Component': 'worker',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    });

  const ask = async <A>(
    answer: t.Decoder<unknown, { readonly data: { readonly jobs: readonly A[] } }>,
    method: string,
    path: string,
    body?: object,
  ): Promise<Either<string, readonly A[]>> => {
    try {
      const response = await send(method, path, body);
      if (!response.ok) return left(`${method} ${path} was answered ${response.status}: ${await response.text()}`);
      const decoded = answer.decode(await response.json());
      if (!isLeft(decoded)) return right(decoded.right.data.jobs);
      const wrong = fieldErrorLines(decoded.left);
      return left(`${method} ${path} was answered in another shape than expected: ${wrong.join('; ')}`);
    } catch (error) {
      return left(`${method} ${path} failed: ${reasonOf(error)}`);
    }
  };

  return {
    claim: (limit, workingOn) =>
      ask(WorkerJobs, 'POST', '/export-jobs/claim', { worker_id: settings.workerId, limit, working_on: workingOn }),
    pollable: (limit) => ask(WorkerJobs, 'GET', `/export-jobs/pollable?limit=${limit}`),
    statusesOf: (jobIds) => ask(JobStatuses, 'GET', `/export-jobs?ids=${jobIds.join(',')}`),
    report: async (jobId, report, stop) => {
      if (stop.aborted) return 'stopped';
      const sendOnce = () =>
        send('PATCH', `/export-jobs/${jobId}`, report).then(
          (response) => judge(response, report.attempt),
          (error: unknown) => left(reasonOf(error)),
        );
      const onFailure = (reason: string): boolean => {
        settings.onRetry(jobId, reason);
        return true;
      };
      const options = { firstPauseMs: 400, maxPauseMs: 20_000, jitter: 'full', signal: stop, onFailure } as const;
      const answer = await retry(sendOnce, options);
      return isLeft(answer) ? 'stopped' : answer.right;
    },
  };
};

/** What an answer to a report means; Left: ask again, with the reason. */
const judge = async (response: Response, attempt: number): Promise<Either<string, ReportOutcome>> => {
  const text = await response.text();
  if (response.ok) return right('taken');
  if (response.status < 400 || response.status >= 500 || TRY_AGAIN.has(response.status)) {
    return left(`answered ${response.status}: ${text}`);
  }
  const refusal = Refusal.decode(parseJson(text));
  if (isLeft(refusal)) return right('refused');
  const { current_status: status, attempt: current } = refusal.right.error.details;
  return right(status === 'completed' && current === attempt ? 'already_completed' : 'refused');
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** `fetch` hides the reason of a lost connection in `cause`. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause.message : String(cause);
};
