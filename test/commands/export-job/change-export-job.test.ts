import {
  changeExportJob,
  claimExportJobs,
  holdPolledJobs,
  lostClaims,
  releaseExportJobs,
} from '../../../commands/export-job/change-export-job';
import { MAX_ATTEMPTS } from '../../../domain/export-job';
import { type ExportJobQueue } from '../../../domain/ports/directories';
import { type ClaimedJob } from '../../../domain/ports/export-polls';
import { jobPlanned } from '../../support/domain-samples';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemoryExportPolls } from '../../support/in-memory/in-memory-export-polls';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';

describe('export jobs', () => {
  let system: InMemorySystem;
  /** A queue that proposes every job and is never up to date. */
  const queue: ExportJobQueue = {
    claimable: (limit) => Promise.resolve([1, 2, 3, 4].slice(0, limit).map((jobId) => ({ jobId, attempt: 0 }))),
    heldBy: () => Promise.resolve([1, 2].map((jobId) => ({ jobId, attempt: 1 }))),
  };
  const context = () => system.context('w', 'system');
  const claim = async (workerId: string, limit: number) => {
    const claimed = await claimExportJobs({ ...system, queue }, workerId, limit, context());
    return claimed.map(({ state }) => state?.jobId);
  };

  beforeEach(async () => {
    system = createInMemorySystem();
    for (const jobId of [1, 2, 3, 4]) {
      const { data } = jobPlanned(jobId);
      expectRight(await changeExportJob(system, jobId, { type: 'PlanExportJob', ...data }, context()));
    }
  });

  it('are claimed by one worker each, even when all workers are offered the same', async () => {
    const given = await Promise.all(['w1', 'w2', 'w3'].map((worker) => claim(worker, 4)));
    expect(given.flat().sort()).toEqual([1, 2, 3, 4]);
    expect(await claim('w4', 4)).toEqual([]);
  });

  it('are claimed up to the limit', async () => {
    expect(await claim('w1', 2)).toEqual([1, 2]);
  });

  it('have a worker of their own for the last attempt, because the ones before may have ended their workers', async () => {
    const found = async (pending: readonly ClaimedJob[], held: readonly ClaimedJob[]) => {
      const listed: ExportJobQueue = {
        claimable: () => Promise.resolve(pending),
        heldBy: () => Promise.resolve(held),
      };
      const claimed = await claimExportJobs({ ...system, queue: listed }, 'w1', 4, context());
      return claimed.map(({ state }) => state?.jobId);
    };
    const last = { jobId: 2, attempt: MAX_ATTEMPTS - 1 };
    const first = { jobId: 1, attempt: 0 };
    expect(await found([last, first], [{ jobId: 3, attempt: 1 }])).toEqual([]);
    expect(await found([last, first], [])).toEqual([2]);
    expect(await found([first], [{ jobId: 2, attempt: MAX_ATTEMPTS }])).toEqual([]);
    expect(await found([first], [])).toEqual([1]);
  });

  it('jobs of a failed worker wait for another one, including submitted ones', async () => {
    await claim('w1', 3);
    const submitted = { type: 'ReportSubmitted', queryId: 'q', nextUri: 'u', pollCount: 0 } as const;
    expectRight(await changeExportJob(system, 2, submitted, context()));
    expectRight(await releaseExportJobs(system, await queue.heldBy('w1'), context()));
    expect(await Promise.all([1, 2, 3].map(async (id) => (await system.job(id))?.status))).toEqual([
      'pending',
      'pending',
      'claimed',
    ]);
  });

  it('jobs with an unanswered claim are returned to the same worker again, and to no other', async () => {
    await claim('w1', 2);
    const lost = async (workerId: string, workingOn: readonly number[]) =>
      (await lostClaims({ ...system, queue }, workerId, workingOn)).map(({ state }) => state?.jobId);
    expect(await lost('w1', [])).toEqual([1, 2]);
    expect(await lost('w1', [1])).toEqual([2]);
    expect(await lost('w2', [])).toEqual([]);
    const completed = { type: 'ReportCompleted', attempt: 1, rowCount: 1, sizeBytes: 1 } as const;
    expectRight(await changeExportJob(system, 2, completed, context()));
    expect(await lost('w1', [1])).toEqual([]);
  });

  it('are polled by one worker at a time', async () => {
    await claim('w1', 2);
    const submitted = { type: 'ReportSubmitted', queryId: 'q', nextUri: 'u', pollCount: 0 } as const;
    for (const jobId of [1, 2]) expectRight(await changeExportJob(system, jobId, submitted, context()));
    const polls = createInMemoryExportPolls();
    const jobs = [1, 2, 3].map((jobId) => ({ jobId, attempt: 1 }));
    const poll = async () => expectRight(await holdPolledJobs({ ...system, polls }, jobs)).map(({ jobId }) => jobId);
    const answers = await Promise.all([poll(), poll(), poll()]);
    expect(answers.flat().sort()).toEqual([1, 2]);
    system.advanceClock(29);
    expect(await poll()).toEqual([]);
    system.advanceClock(1);
    expect(await poll()).toEqual([1, 2]);
  });

  it('unknown jobs are reported', async () => {
    const error = expectLeft(await changeExportJob(system, 99, { type: 'ClaimExportJob', workerId: 'w' }, context()));
    expect(error).toMatchObject({ code: 'RESOURCE_NOT_FOUND', details: { export_job_id: 99 } });
  });
});
