import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft, left } from 'fp-ts/Either';
import { type ExportJobStatus, type WorkerJob } from '../../queries/views/export-job';
import { type ExportJobsApi, type ReportOutcome } from './export-jobs-api';

/** Why a job was lost, as in a rejected report. */
export type Loss = Extract<ReportOutcome, 'refused' | 'already_completed'>;

const WATCH_MS = 2_000;

interface Watched {
  readonly job: WorkerJob;
  readonly lose: (loss: Loss) => void;
}

/**
 * Reports of long exports are up to 90 s apart; a query must not run that long after its instance was deleted.
 * So the status of all running jobs is requested every two seconds.
 */
export const createJobWatch = (controlPlane: Pick<ExportJobsApi, 'statusesOf'>) => {
  const watched = new Set<Watched>();
  let watching = false;

  const watch = async (): Promise<void> => {
    while (watched.size > 0) {
      await sleep(WATCH_MS);
      const ids = [...watched];
      if (ids.length === 0) break;
      const statuses = await controlPlane.statusesOf(ids.map(({ job }) => job.id)).catch(left);
      // An unreachable control plane is ignored; the reports are retried.
      if (isLeft(statuses)) continue;
      for (const one of ids) {
        const loss = lossOf(
          one.job,
          statuses.right.find(({ id }) => id === one.job.id),
        );
        if (loss !== null) one.lose(loss);
      }
    }
    watching = false;
  };

  return {
    /** Resolves when the job has ended or belongs to another attempt. Stops when `over` aborts. */
    lossOf: (job: WorkerJob, over: AbortSignal): Promise<Loss> =>
      new Promise((resolve) => {
        const one: Watched = { job, lose: resolve };
        over.addEventListener('abort', () => watched.delete(one), { once: true });
        watched.add(one);
        if (watching) return;
        watching = true;
        void watch();
      }),
  };
};

/** Detects between two reports that a job is no longer needed. */
export type JobWatch = ReturnType<typeof createJobWatch>;

/** Why the attempt is lost, or null. */
const lossOf = ({ attempt }: WorkerJob, found: ExportJobStatus | undefined): Loss | null => {
  if (found === undefined) return 'refused';
  // The read model does not contain the claim of this attempt yet.
  if (found.attempt < attempt) return null;
  const isOurs = found.attempt === attempt;
  if (isOurs && ['claimed', 'submitted'].includes(found.status)) return null;
  return isOurs && found.status === 'completed' ? 'already_completed' : 'refused';
};
