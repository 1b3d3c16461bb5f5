import { type ProcessCommand, snapshotExport } from '../../../domain/processes';
import {
  jobClaimed,
  jobCompleted,
  jobFailed,
  jobLeaseExpired,
  jobSubmitted,
  snapshotDeleted,
  snapshotFailed,
  snapshotReady,
  snapshotRequested,
} from '../../support/domain-samples';
import { commandsOf, wants } from '../../support/given-when-then';

type Input = Parameters<typeof snapshotExport.processIdOf>[0];
type Signal = Exclude<Parameters<typeof snapshotExport.decide>[1], Input>;
type Timer = Extract<Signal, { type: 'TimerFired' }>['data']['timerId'];
const after = (...before: readonly Input[]) => ({
  on: (input: Input | Signal) => commandsOf(wants(snapshotExport, '3', before, input)),
  timers: (input: Input | Signal) =>
    wants(snapshotExport, '3', before, input).filter((output) => output.kind !== 'command'),
});
const fired = (timerId: Timer): Signal => ({ type: 'TimerFired', data: { timerId } });
const plan: ProcessCommand = { type: 'PlanExportJobs', snapshotId: 3 };
const cancel = (jobId: number) => expect.objectContaining({ type: 'CancelExportJob', jobId }) as object;
const cancelTimer = (timerId: string) => ({ kind: 'cancel_timer', timerId });

describe('the export of a snapshot', () => {
  it('starts with a job per definition and waits an hour for the first worker', () => {
    expect(after().on(snapshotRequested)).toEqual([plan]);
    expect(after().timers(snapshotRequested)).toEqual([
      { kind: 'set_timer', timerId: 'unclaimed', dueAt: '2026-03-01T13:00:00.000Z' },
    ]);
  });

  it('fails when no worker claims a job', () => {
    expect(after(snapshotRequested).on(fired('unclaimed'))).toMatchObject([
      { type: 'FailSnapshot', snapshotId: 3, errorCode: 'EXPORT_TIMEOUT' },
    ]);
  });

  describe('whose jobs an external submitter plans', () => {
    const requested = { ...snapshotRequested, data: { ...snapshotRequested.data, jobs: [] } };
    const query = { queryId: 'q1', nextUri: 'http://engine/1', submittedAt: '2026-03-01T12:00:00.000Z' };
    const submitted = (running: boolean): Input => ({
      type: 'SnapshotJobsSubmitted',
      data: {
        ...{ snapshotId: 3, instanceId: 7 },
        jobs: [
          { jobId: 11, jobType: 'node', entityName: 'Person', storagePath: 's3://b/', query: running ? query : null },
        ],
      },
    });

    it('waits an hour for them', () => {
      expect(after().on(requested)).toEqual([]);
      expect(after(requested).on(fired('unclaimed'))).toMatchObject([
        { type: 'FailSnapshot', errorMessage: expect.stringContaining('start a submitter') as string },
      ]);
    });

    it('has started when their queries run, and measures how long they take', () => {
      expect(after(requested).on(submitted(true))).toEqual([plan, { type: 'StartExport', snapshotId: 3 }]);
      expect(after(requested).timers(submitted(true))).toEqual([
        cancelTimer('unclaimed'),
        { kind: 'set_timer', timerId: 'duration:11', dueAt: '2026-03-01T13:00:00.000Z' },
      ]);
      expect(after(requested, submitted(true)).on(jobCompleted(11))).toMatchObject([{ type: 'CompleteSnapshot' }]);
    });

    it('waits for a worker when they are pending', () => {
      expect(after(requested).on(submitted(false))).toEqual([plan]);
      expect(after(requested, submitted(false)).on(jobClaimed(11))).toEqual([{ type: 'StartExport', snapshotId: 3 }]);
    });
  });

  it('fails when its jobs cannot be planned', () => {
    const refused: Signal = { type: 'CommandRefused', data: { command: plan, code: 'X', message: 'no version' } };
    expect(after(snapshotRequested).on(refused)).toEqual([
      { type: 'FailSnapshot', snapshotId: 3, errorCode: 'DATA_LOAD_ERROR', errorMessage: 'no version' },
    ]);
  });

  it('is creating from the first claim', () => {
    expect(after(snapshotRequested).on(jobClaimed(11))).toEqual([{ type: 'StartExport', snapshotId: 3 }]);
    expect(after(snapshotRequested, jobClaimed(11)).on(jobClaimed(12))).toEqual([]);
  });

  it('sets timers for the lease and the longest duration of a claimed job, both from the claim', () => {
    expect(after(snapshotRequested, jobClaimed(12)).timers(jobClaimed(11, 1, '2026-03-01T12:05:00.000Z'))).toEqual([
      { kind: 'set_timer', timerId: 'lease:11', dueAt: '2026-03-01T12:05:00.000Z' },
      { kind: 'set_timer', timerId: 'duration:11', dueAt: '2026-03-01T12:55:00.000Z' },
    ]);
  });

  it('allows a job the time that was configured when the snapshot was requested', () => {
    const requested = { ...snapshotRequested, data: { ...snapshotRequested.data, exportMaxSeconds: 60 } };
    expect(after(requested, jobClaimed(12)).timers(jobClaimed(11, 1, '2026-03-01T12:10:00.000Z'))).toContainEqual({
      kind: 'set_timer',
      timerId: 'duration:11',
      dueAt: '2026-03-01T12:01:00.000Z',
    });
    expect(after(requested, jobClaimed()).on(fired('duration:11'))).toMatchObject([
      { type: 'FailExportJob', errorMessage: 'The export ran longer than 60 seconds.' },
    ]);
  });

  it('needs no lease while the query engine runs the job', () => {
    expect(after(snapshotRequested, jobClaimed()).timers(jobSubmitted())).toEqual([cancelTimer('lease:11')]);
  });

  it('lets an expired lease end its own attempt only', () => {
    const history = [snapshotRequested, jobClaimed(), jobLeaseExpired(), jobClaimed(11, 2)];
    expect(after(...history).on(fired('lease:11'))).toMatchObject([{ type: 'ExpireLease', jobId: 11, attempt: 2 }]);
  });

  it('clears both timers of a job whose lease was ended', () => {
    expect(after(snapshotRequested, jobClaimed()).timers(jobLeaseExpired())).toEqual([
      cancelTimer('lease:11'),
      cancelTimer('duration:11'),
    ]);
  });

  it('fails a job that exceeds its time limit', () => {
    expect(after(snapshotRequested, jobClaimed(), jobSubmitted()).on(fired('duration:11'))).toMatchObject([
      { type: 'FailExportJob', jobId: 11, errorCode: 'EXPORT_TIMEOUT' },
    ]);
  });

  it('is ready when every job is completed, with rows by definition and the sum of bytes', () => {
    expect(after(snapshotRequested).on(jobCompleted(11))).toEqual([]);
    expect(after(snapshotRequested, jobCompleted(12, 0)).on(jobCompleted(11))).toEqual([
      { type: 'CompleteSnapshot', snapshotId: 3, sizeBytes: 200, nodeCounts: { Person: 2 }, edgeCounts: { KNOWS: 0 } },
    ]);
  });

  it('fails only after all jobs have ended, and names the definitions that failed', () => {
    expect(after(snapshotRequested).on(jobFailed(12, 'EXPORT_TIMEOUT'))).toEqual([]);
    expect(after(snapshotRequested, jobFailed(12, 'EXPORT_TIMEOUT')).on(jobCompleted(11))).toEqual([
      {
        type: 'FailSnapshot',
        snapshotId: 3,
        errorCode: 'EXPORT_TIMEOUT',
        errorMessage: 'edge KNOWS: no such table',
      },
    ]);
  });

  it('clears the timers of a job that has ended', () => {
    const cleared = [cancelTimer('lease:11'), cancelTimer('duration:11')];
    expect(after(snapshotRequested, jobClaimed()).timers(jobCompleted())).toEqual(cleared);
    expect(after(snapshotRequested, jobClaimed()).timers(jobFailed())).toEqual(cleared);
  });

  it('a failure cancels the remaining jobs', () => {
    expect(after(snapshotRequested, jobCompleted(11)).on(snapshotFailed)).toEqual([cancel(12)]);
    expect(after(snapshotRequested).timers(snapshotFailed)).toEqual([cancelTimer('unclaimed')]);
  });

  it('a long message is stored in part in each job', () => {
    const errorMessage = 'x'.repeat(20_000);
    const failed = { ...snapshotFailed, data: { ...snapshotFailed.data, errorMessage } };
    expect(after(snapshotRequested, jobCompleted(11)).on(failed)).toMatchObject([{ reason: 'x'.repeat(500) }]);
  });

  it('cancels jobs that were planned after it had failed', () => {
    const planned: Signal = { type: 'CommandSucceeded', data: { command: plan } };
    expect(after(snapshotRequested, snapshotFailed).on(planned)).toEqual([cancel(11), cancel(12)]);
    expect(after(snapshotRequested).on(planned)).toEqual([]);
    expect(after(snapshotRequested, snapshotFailed).on(jobClaimed(11))).toEqual([cancel(11)]);
  });

  it('completes once', () => {
    expect(after(snapshotRequested, jobCompleted(11), snapshotFailed).on(jobFailed(12, 'CANCELLED'))).toEqual([]);
    expect(after(snapshotRequested, snapshotReady).on(jobCompleted(11))).toEqual([]);
  });

  it('deletes its files with it, and again when no worker can write any more', () => {
    const files = { type: 'DeleteSnapshotFiles', snapshotId: 3, storagePath: snapshotDeleted.data.storagePath };
    const ready = after(
      snapshotRequested,
      jobClaimed(11),
      jobCompleted(11),
      jobClaimed(12),
      jobCompleted(12),
      snapshotReady,
    );
    expect(ready.on(snapshotDeleted)).toEqual([files]);
    expect(ready.timers(snapshotDeleted)).toContainEqual({
      kind: 'set_timer',
      timerId: 'sweep',
      dueAt: '2026-03-01T12:15:00.000Z',
    });
    const deleted = after(snapshotRequested, jobClaimed(11), snapshotDeleted);
    expect(deleted.on(fired('sweep'))).toEqual([files]);
    expect(deleted.on(fired('lease:11'))).toEqual([]);
  });

  it('cancels its jobs when it is deleted before its end, and deletes its files after the last of them', () => {
    const files = { type: 'DeleteSnapshotFiles', snapshotId: 3, storagePath: snapshotDeleted.data.storagePath };
    expect(after(snapshotRequested, jobClaimed(11), jobCompleted(11)).on(snapshotDeleted)).toEqual([cancel(12)]);
    const deleted = after(snapshotRequested, jobClaimed(11), snapshotDeleted);
    expect(deleted.on(jobFailed(11, 'CANCELLED'))).toEqual([]);
    expect(
      after(snapshotRequested, jobClaimed(11), snapshotDeleted, jobFailed(11, 'CANCELLED')).on(
        jobFailed(12, 'CANCELLED'),
      ),
    ).toEqual([files]);
  });
});
