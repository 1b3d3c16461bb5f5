import { left, right } from 'fp-ts/Either';
import { changeExportJob } from '../../../commands/export-job/change-export-job';
import { exportReconciliationJob, type ExportReconciliationPorts } from '../../../commands/jobs/export-reconciliation';
import { type ExportJobCommand } from '../../../domain/export-job';
import { expectLeft, expectRight } from '../../support/given-when-then';
import { createInMemorySystem, type InMemorySystem } from '../../support/in-memory-system';
import { scheduledRun } from '../../support/scheduled-run';

const [NODE, EDGE] = [1, 2];
let system: InMemorySystem;
let stop: () => Promise<void>;
let cancelled: string[];
let engine: 'well' | 'away';
let abandoned: { readonly jobId: number; readonly attempt: number }[];
let address: string | null;

beforeEach(async () => {
  system = createInMemorySystem();
  [cancelled, engine, abandoned, address] = [[], 'well', [], null];
  await system.createMapping();
  stop = system.start();
  expectRight(await system.requestInstance());
  await system.settled();
  // From here on no loop handles timers and events: all effects are those of the job.
  await stop();
});

const report = (jobId: number, command: ExportJobCommand) =>
  changeExportJob(system, jobId, command, system.context('w1', 'system'));
const claim = async (jobId: number) => expectRight(await report(jobId, { type: 'ClaimExportJob', workerId: 'w1' }));
const submit = async (jobId: number) => {
  await claim(jobId);
  const command = { type: 'ReportSubmitted', queryId: 'q', nextUri: `http://engine/${jobId}`, pollCount: 0 } as const;
  expectRight(await report(jobId, command));
};
const complete = async (jobId: number) => {
  await claim(jobId);
  expectRight(await report(jobId, { type: 'ReportCompleted', rowCount: 10 * jobId, sizeBytes: 100 }));
};

/** The read models list everything, so that only the streams decide. */
const ports = (): ExportReconciliationPorts => ({
  ...system,
  directory: {
    expiredClaims: async (before) => {
      const jobs = await Promise.all([NODE, EDGE].map((id) => system.job(id)));
      return jobs.flatMap((job) =>
        job?.status === 'claimed' && Date.parse(job.leaseUntil) < before.getTime()
          ? [{ jobId: job.jobId, attempt: job.attempt }]
          : [],
      );
    },
    abandonedJobs: () => Promise.resolve(abandoned),
    openJobs: () => Promise.resolve([NODE, EDGE]),
    addressOf: () => Promise.resolve(address),
    undecidedSnapshots: () => Promise.resolve([1]),
  },
  engine: {
    cancelExport: (nextUri) => {
      cancelled.push(nextUri);
      return Promise.resolve(engine === 'well' ? right(undefined) : left({ kind: 'unavailable', message: 'no route' }));
    },
    removeLeftovers: () => Promise.resolve(right(0)),
  },
});
const run = () => exportReconciliationJob(ports()).run(scheduledRun());
const counts = async () => {
  const { jobs_timed_out, leases_expired, snapshots_decided } = expectRight(await run());
  return [jobs_timed_out, leases_expired, snapshots_decided];
};

describe('the export reconciliation', () => {
  it('retries a job after its lease has expired, and fails it after three attempts', async () => {
    for (const attempt of [1, 2, 3]) {
      await claim(NODE);
      system.advanceClock(600 + 10);
      expect(await counts()).toEqual([0, 0, 0]);
      system.advanceClock(1);
      expect(await counts()).toEqual([0, 1, 0]);
      expect(await system.job(NODE)).toMatchObject({ status: attempt < 3 ? 'pending' : 'failed', attempt });
    }
  });

  it('cancels and fails a job that exceeds the time limit configured when its snapshot was requested', async () => {
    await submit(NODE);
    await system.configure({ type: 'ConfigureExport', maxDurationSeconds: 60 });
    system.advanceClock(3600 + 9);
    expect(await counts()).toEqual([0, 0, 0]);
    system.advanceClock(1);
    expect(await counts()).toEqual([1, 0, 0]);
    expect(cancelled).toEqual(['http://engine/1']);
    expect(await system.job(NODE)).toMatchObject({
      status: 'failed',
      errorMessage: expect.stringContaining('3600 seconds') as string,
    });
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('cancels an overlong query at the address that its last poll reported', async () => {
    await submit(NODE);
    address = 'http://engine/1/later';
    system.advanceClock(3700);
    expect(await counts()).toEqual([1, 0, 0]);
    expect(cancelled).toEqual(['http://engine/1/later']);
  });

  it('fails an overlong job even when its query cannot be cancelled, and reports that', async () => {
    await submit(NODE);
    system.advanceClock(3700);
    engine = 'away';
    const { code, message } = expectLeft(await run());
    expect(code).toBe('SERVICE_UNAVAILABLE');
    expect(message).toContain('export job 1 at http://engine/1 could not be cancelled (no route)');
    expect((await system.job(NODE))?.status).toBe('failed');
  });

  it('releases a job of a missing worker once, and keeps its next attempt', async () => {
    await submit(NODE);
    abandoned = [{ jobId: NODE, attempt: 1 }];
    expect(expectRight(await run())).toMatchObject({ jobs_taken_back: 1 });
    expect(await system.job(NODE)).toMatchObject({ status: 'pending', attempt: 1 });
    await submit(NODE);
    expect(expectRight(await run())).toMatchObject({ jobs_taken_back: 0 });
    expect(await system.job(NODE)).toMatchObject({ status: 'submitted', attempt: 2 });
  });

  it('completes a snapshot whose jobs have all ended', async () => {
    await complete(NODE);
    expect(await counts()).toEqual([0, 0, 0]);
    await complete(EDGE);
    expect(await counts()).toEqual([0, 0, 1]);
    expect((await system.snapshot())?.status).toBe('ready');
    const events = expectRight(await system.store.readStream('snapshot-1'));
    expect(events.at(-1)?.data).toMatchObject({
      sizeBytes: 200,
      nodeCounts: { Person: 10 },
      edgeCounts: { KNOWS: 20 },
    });
    expect(await counts()).toEqual([0, 0, 0]);
  });

  it('fails a snapshot with the reason of its failed job', async () => {
    await complete(NODE);
    await claim(EDGE);
    expectRight(await report(EDGE, { type: 'ReportFailed', errorMessage: 'no such table' }));
    expect(await counts()).toEqual([0, 0, 1]);
    const events = expectRight(await system.store.readStream('snapshot-1'));
    expect(events.at(-1)?.data).toMatchObject({ errorMessage: 'edge KNOWS: no such table' });
  });
});
