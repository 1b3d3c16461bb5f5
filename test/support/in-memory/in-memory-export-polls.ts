import { type ExportJob, type PollState } from '../../../domain/export-job';
import { type ClaimedJob, type ExportPolls } from '../../../domain/ports/export-polls';

/** The polls of export jobs, and when the next one of a job is due. */
export const createInMemoryExportPolls = () => {
  const polls = new Map<string, PollState>();
  const keyOf = ({ jobId, attempt }: ClaimedJob): string => `${jobId}:${attempt}`;
  const nextPollOf = (job: ClaimedJob): string | undefined => polls.get(keyOf(job))?.nextPollAt;
  const port: ExportPolls = {
    save: (job, reported) => {
      const present = Object.entries(reported).filter(([, value]) => value !== undefined);
      polls.set(keyOf(job), { ...polls.get(keyOf(job)), ...(Object.fromEntries(present) as PollState) });
      return Promise.resolve();
    },
    hold: (jobs, now, until) => {
      const held = jobs.filter((job) => Date.parse(nextPollOf(job) ?? '1970-01-01') <= now.getTime());
      for (const job of held) polls.set(keyOf(job), { ...polls.get(keyOf(job)), nextPollAt: until.toISOString() });
      return Promise.resolve(held);
    },
  };
  const isDue = (job: ExportJob, now: Date): boolean =>
    job.status === 'submitted' && Date.parse(nextPollOf(job) ?? job.nextPollAt) <= now.getTime();
  return { ...port, isDue };
};
