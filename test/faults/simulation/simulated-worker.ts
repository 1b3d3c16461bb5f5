import { isLeft, left } from 'fp-ts/Either';
import { type ExportJob, type ExportJobCommand } from '../../../domain/export-job';
import { type ObjectStore } from '../../../domain/ports/object-store';
import { type FaultPlan } from './faults';
import { fallibleCall, Mortal } from './fallible-calls';
import { type SimulatedTime, type WakeUp } from './simulated-time';

/** The internal API as a worker sees it; null: there was no answer. */
export interface WorkerApi {
  claim(workerId: string, limit: number, workingOn: readonly number[]): Promise<readonly ClaimedJob[] | null>;
  report(jobId: number, command: ExportJobCommand): Promise<'taken' | 'refused' | null>;
}

export interface ClaimedJob {
  readonly job: ExportJob;
  readonly storagePath: string;
}

const RESTART_SECONDS = 15;
const IDLE_SECONDS = 60;
const EXPORT_SECONDS = 30;

/** Where an attempt's files belong. */
export const attemptFolder = (storagePath: string, attempt: number): string => `${storagePath}attempt-${attempt}/`;

/** An export worker that follows the protocol of the internal API, and may be killed at any call. */
export const startSimulatedWorker = (
  name: string,
  api: WorkerApi,
  objectStore: ObjectStore,
  world: { readonly plan: FaultPlan; readonly time: SimulatedTime; readonly work: WakeUp },
): void => {
  const { plan, time, work: waiting } = world;
  let incarnation = 0;

  const start = (): void => {
    incarnation += 1;
    const workerId = `${name}-${incarnation}`;
    const life = new Mortal(() => void time.sleep(RESTART_SECONDS).then(start));
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
      for (const one of claimed ?? []) {
        if (workingOn.has(one.job.jobId)) continue;
        workingOn.add(one.job.jobId);
        void run(one, life).then(() => workingOn.delete(one.job.jobId));
      }
      await time.sleep(IDLE_SECONDS, waiting);
    }
  };

  const run = async ({ job, storagePath }: ClaimedJob, life: Mortal): Promise<void> => {
    const calls = { caller: life, plan, time };
    const { attempt } = job;
    await time.sleep(EXPORT_SECONDS * plan.chance());
    const folder = attemptFolder(storagePath, attempt);
    const put = (file: string) =>
      fallibleCall(
        calls,
        `worker stores ${file}`,
        () => objectStore.putText(folder + file, '{"rows":3}'),
        () => left({ kind: 'unavailable', key: folder, reason: 'the store is away' } as const),
      );
    const data = await put('part-0.parquet');
    const stored = isLeft(data) ? data : await put('manifest.json');
    const command: ExportJobCommand = isLeft(stored)
      ? { type: 'ReportFailed', attempt, errorMessage: 'the files could not be stored' }
      : { type: 'ReportCompleted', attempt, rowCount: 3, sizeBytes: 10 };
    for (;;) {
      const send = () => api.report(job.jobId, command);
      const answer = await fallibleCall(calls, `worker reports ${command.type}`, send, () => null);
      if (answer === 'taken') return;
      // Another attempt has the job, or it has ended without this one.
      if (answer === 'refused') {
        await objectStore.deleteAll(folder);
        return;
      }
      await time.sleep(5);
    }
  };

  start();
};
