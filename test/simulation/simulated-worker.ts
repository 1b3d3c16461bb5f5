import { type Either, isLeft, left } from 'fp-ts/Either';
import { type ExportJob, type ExportJobCommand, pollDelayMs } from '../../domain/export-job';
import { type ObjectStore } from '../../domain/ports/object-store';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { fallibleCall, Mortal } from './fallible-calls';
import { type Fault, type FaultPlan } from './faults';
import { type SimulatedEngine } from './simulated-engine';
import { type ReportAnswer } from './simulated-pods';
import { type SimulatedTime, type WakeUp } from './simulated-time';

/** The internal API as a worker sees it; null: there was no answer. */
export interface WorkerApi {
  claim(workerId: string, limit: number, workingOn: readonly number[]): Promise<readonly ClaimedJob[] | null>;
  /** Submitted jobs whose next poll is overdue. */
  pollable(limit: number): Promise<readonly ClaimedJob[] | null>;
  report(jobId: number, command: ExportJobCommand): Promise<JobReportAnswer>;
}

/** `already_completed`: refused because this very attempt is completed, so its files are valid. */
export type JobReportAnswer = ReportAnswer | 'already_completed';

export interface ClaimedJob {
  readonly job: ExportJob;
  readonly storagePath: string;
}

const RESTART_SECONDS = 15;
const IDLE_SECONDS = 60;
/** An engine that is unavailable for longer than this fails an export. */
const TIMEOUT_SECONDS = 30;
/** A job may finish within this time without ever becoming `submitted`. */
const DIRECT_SECONDS = 5;

type Calls = Parameters<typeof fallibleCall>[0];
type Failure = { readonly type: 'ReportFailed'; readonly errorMessage: string };
type Success = { readonly type: 'ReportCompleted'; readonly rowCount: number; readonly sizeBytes: number };

const failure = (errorMessage: string): Failure => ({ type: 'ReportFailed', errorMessage });

/** A query that was submitted twice would write its rows twice; workers never resubmit a query that may be running. */
const onlyOnce = (fault: Fault | null): Fault | null =>
  fault === 'answer_lost' || fault === 'repeated' ? 'refused' : fault;

/** The folder for the files of an attempt. */
export const attemptFolder = (storagePath: string, attempt: number): string => `${storagePath}attempt-${attempt}/`;

export interface WorkerSurroundings {
  readonly objectStore: ObjectStore;
  readonly engine: SimulatedEngine;
  readonly plan: FaultPlan;
  readonly time: SimulatedTime;
  /** Rings when jobs are waiting. */
  readonly work: WakeUp;
  /** Called with the id of a killed worker; the worker restarts with another id. */
  readonly onDeath: (workerId: string) => void;
}

/** An export worker that follows the protocol of the internal API, and may be killed at any call. */
export const startSimulatedWorker = (
  name: string,
  api: WorkerApi,
  { objectStore, engine, plan, time, work: waiting, onDeath }: WorkerSurroundings,
): void => {
  let incarnation = 0;

  const start = (): void => {
    incarnation += 1;
    const workerId = `${name}-${incarnation}`;
    const life = new Mortal(() => {
      onDeath(workerId);
      void time.sleep(RESTART_SECONDS).then(start);
    });
    void work(workerId, life);
  };

  const work = async (workerId: string, life: Mortal): Promise<void> => {
    const workingOn = new Set<number>();
    while (life.isAlive()) {
      const claimed = await fallibleCall(
        { caller: life, plan, time },
        'worker claims',
        () => api.claim(workerId, 4, [...workingOn]),
        () => null,
      );
      const pollable = await fallibleCall(
        { caller: life, plan, time },
        'worker asks for jobs to poll',
        () => api.pollable(4),
        () => null,
      );
      for (const one of [...(claimed ?? []), ...(pollable ?? [])]) {
        if (workingOn.has(one.job.jobId)) continue;
        workingOn.add(one.job.jobId);
        void run(one, life).then(() => workingOn.delete(one.job.jobId));
      }
      await time.sleep(IDLE_SECONDS, waiting);
    }
  };

  const run = async ({ job, storagePath }: ClaimedJob, life: Mortal): Promise<void> => {
    const { jobId, attempt } = job;
    const calls: Calls = { caller: life, plan, time };
    const folder = attemptFolder(storagePath, attempt);
    const report = async (command: ExportJobCommand): Promise<Exclude<JobReportAnswer, null>> => {
      for (;;) {
        const send = () => api.report(jobId, command);
        const answer = await fallibleCall(calls, `worker reports ${command.type}`, send, () => null);
        if (answer !== null) return answer;
        await time.sleep(5);
      }
    };
    const written = await runQuery(calls, job, folder, report);
    const result = written === 'written' ? await takeStock(calls, folder) : written;
    const answer = typeof result === 'string' ? result : await report({ ...result, attempt });
    const isValid = answer === 'accepted' && typeof result !== 'string' && result.type === 'ReportCompleted';
    if (!isValid && answer !== 'already_completed') await objectStore.deleteAll(folder);
  };

  /** Polls the query of a job to its end, or until a report is refused; then the query is cancelled. */
  const runQuery = async (
    calls: Calls,
    { attempt, ...job }: ExportJob,
    folder: string,
    report: (command: ExportJobCommand) => Promise<Exclude<JobReportAnswer, null>>,
  ): Promise<'written' | 'refused' | 'already_completed' | Failure> => {
    const ask = <A>(what: string, call: () => Either<QueryEngineError, A>): Promise<Either<QueryEngineError, A>> => {
      const next = (name: string) => onlyOnce(plan.next(name));
      const failed = () => left({ kind: 'unavailable', message: 'no answer' } as const);
      return fallibleCall({ ...calls, plan: { ...plan, next } }, what, () => Promise.resolve(call()), failed);
    };
    let address = job.status === 'submitted' ? job.nextUri : null;
    const deadline = time.seconds + TIMEOUT_SECONDS;
    while (address === null) {
      const submitted = await ask('worker submits a query', () => engine.submit(folder));
      if (!isLeft(submitted)) address = submitted.right;
      else if (time.seconds > deadline) return failure(submitted.left.message);
      else await time.sleep(5);
    }
    const nextUri = address;
    for (let pollCount = 0; ; pollCount += 1) {
      await time.sleep(pollCount === 0 ? DIRECT_SECONDS : pollDelayMs(pollCount - 1) / 1000 - 1);
      const polled = await ask('worker polls a query', () => engine.poll(nextUri));
      if (!isLeft(polled) && polled.right) return 'written';
      if (isLeft(polled) && polled.left.kind === 'unknown_query') return failure(polled.left.message);
      const nextPollAt = new Date(time.now().getTime() + pollDelayMs(pollCount)).toISOString();
      const answer = await report({ type: 'ReportSubmitted', attempt, nextUri, pollCount, nextPollAt });
      if (answer === 'accepted') continue;
      await ask('worker cancels a query', () => engine.cancel(nextUri));
      return answer;
    }
  };

  /** Counts the rows of the files that the engine has written, and completes them with a manifest. */
  const takeStock = async (calls: Calls, folder: string): Promise<Failure | Success> => {
    const away = left({ kind: 'unavailable', key: folder, reason: 'the store is unavailable' } as const);
    const stored = await fallibleCall(
      calls,
      'worker lists files',
      () => objectStore.list(folder),
      () => away,
    );
    if (isLeft(stored)) return failure('the files could not be listed');
    let rowCount = 0;
    for (const { key } of stored.right.filter((one) => one.key.endsWith('.parquet'))) {
      const footer = await fallibleCall(
        calls,
        'worker reads a footer',
        () => objectStore.getText(key),
        () => away,
      );
      if (isLeft(footer)) return failure(`the rows of ${key} could not be counted`);
      rowCount += Number(footer.right);
    }
    const manifest = `${folder}manifest.json`;
    const put = () => objectStore.putText(manifest, JSON.stringify({ rows: rowCount }));
    const valid = await fallibleCall(calls, `worker stores ${manifest}`, put, () => away);
    return isLeft(valid)
      ? failure('the manifest could not be stored')
      : { type: 'ReportCompleted', rowCount, sizeBytes: 10 };
  };

  start();
};
