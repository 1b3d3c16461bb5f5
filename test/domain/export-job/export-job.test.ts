import fc from 'fast-check';
import { isRight } from 'fp-ts/Either';
import {
  type ExportJob,
  exportJob,
  type ExportJobCommand,
  type ExportJobEvent,
  MAX_ATTEMPTS,
  pollDelayMs,
} from '../../../domain/export-job';
import {
  jobClaimed,
  jobCompleted,
  jobFailed,
  jobLeaseExpired,
  jobPlanned,
  jobReturned,
  jobSubmitted,
} from '../../support/domain-samples';
import { by, given, NOON } from '../../support/given-when-then';

const HISTORIES = {
  pending: [jobPlanned()],
  claimed: [jobPlanned(), jobClaimed()],
  submitted: [jobPlanned(), jobClaimed(), jobSubmitted()],
  completed: [jobPlanned(), jobClaimed(), jobCompleted()],
  failed: [jobPlanned(), jobClaimed(), jobFailed()],
} as const;
type Status = keyof typeof HISTORIES;
const STATUSES = Object.keys(HISTORIES) as readonly Status[];
const inStatus = (status: Status) => given(exportJob, ...HISTORIES[status]);
const others = (...except: readonly Status[]): readonly Status[] =>
  STATUSES.filter((status) => !except.includes(status));

const claim: ExportJobCommand = { type: 'ClaimExportJob', workerId: 'w1' };
const submit: ExportJobCommand = { type: 'ReportSubmitted', queryId: 'q1', nextUri: 'http://engine/1', pollCount: 0 };
const polling = { jobId: 11, snapshotId: 3, queryId: 'q1', nextUri: 'http://engine/1' };
const complete: ExportJobCommand = { type: 'ReportCompleted', rowCount: 2, sizeBytes: 100 };
const fail: ExportJobCommand = { type: 'ReportFailed', errorMessage: 'no such table' };
const expire = (attempt: number): ExportJobCommand => ({
  type: 'ExpireLease',
  attempt,
  reason: 'the worker did not report within its lease',
});

describe('export job', () => {
  it('is planned once', () => {
    const plan: ExportJobCommand = { type: 'PlanExportJob', ...plannedData() };
    given(exportJob).when(plan).happens(jobPlanned());
    for (const status of STATUSES) inStatus(status).when(plan).changesNothing();
  });

  it('may be planned with a running query; then any worker polls it', () => {
    const submitted = { queryId: 'q1', nextUri: 'http://engine/1', submittedAt: '2026-03-01T11:59:00.000Z' };
    const event: ExportJobEvent = {
      type: 'ExportJobSubmitted',
      data: { ...polling, ...submitted, pollCount: 0, nextPollAt: '2026-03-01T12:00:02.000Z', ownedByWorker: false },
    };
    given(exportJob)
      .when({ type: 'PlanExportJob', ...plannedData(), submitted })
      .happens(jobPlanned(), event);
    given(exportJob, jobPlanned(), event).when(claim).isRefused('INVALID_STATE_TRANSITION');
    const completed = jobCompleted();
    given(exportJob, jobPlanned(), event)
      .when(complete)
      .happens({ ...completed, data: { ...completed.data, attempt: 0 } });
  });

  it('must be planned before anything else', () => {
    given(exportJob).when(claim).isRefused('RESOURCE_NOT_FOUND');
  });

  it('is claimed by one worker, with a lease of ten minutes', () => {
    inStatus('pending')
      .when(claim)
      .happens(jobClaimed(11, 1, '2026-03-01T12:10:00.000Z'));
    for (const status of others('pending')) {
      inStatus(status).when(claim).isRefused('INVALID_STATE_TRANSITION', { export_job_id: 11, current_status: status });
    }
  });

  it('becomes submitted from claimed, with the first poll two seconds later', () => {
    inStatus('claimed').when(submit).happens(jobSubmitted(11, '2026-03-01T12:00:02.000Z'));
    inStatus('submitted').when(submit).changesNothing();
    for (const status of ['pending', 'completed', 'failed'] as const) {
      inStatus(status).when(submit).isRefused('INVALID_STATE_TRANSITION', { current_status: status });
    }
  });

  it.each(['claimed', 'submitted'] as const)('becomes completed or failed from %s', (status) => {
    inStatus(status).when(complete).happens(jobCompleted());
    inStatus(status).when(fail).happens(jobFailed());
  });

  it('accepts the same result again and rejects a different one', () => {
    inStatus('completed').when(complete).changesNothing();
    inStatus('completed').when(fail).isRefused('INVALID_STATE_TRANSITION', { current_status: 'completed' });
    inStatus('failed').when(fail).changesNothing();
    inStatus('failed').when(complete).isRefused('INVALID_STATE_TRANSITION', { current_status: 'failed' });
  });

  it('has no result before it is claimed', () => {
    inStatus('pending').when(complete).isRefused('INVALID_STATE_TRANSITION', { current_status: 'pending' });
    inStatus('pending').when(fail).isRefused('INVALID_STATE_TRANSITION', { current_status: 'pending' });
  });

  describe('polling', () => {
    it('changes nothing, and is accepted only while the query runs', () => {
      const later = { type: 'ReportPoll', nextPollAt: '2026-03-01T12:00:10.000Z', pollCount: 1 } as const;
      inStatus('submitted').when(later).changesNothing();
      inStatus('submitted')
        .when({ ...submit, pollCount: 4 })
        .changesNothing();
      for (const status of others('submitted')) {
        inStatus(status).when(later).isRefused('INVALID_STATE_TRANSITION');
        inStatus(status).when({ type: 'ReportPoll' }).changesNothing();
      }
    });

    it('waits longer each time, up to ninety seconds', () => {
      const seconds = Array.from({ length: 12 }, (_, count) => pollDelayMs(count) / 1000);
      expect(seconds).toEqual([2, 3, 5, 8, 13, 21, 34, 55, 89, 90, 90, 90]);
    });
  });

  describe('after an expired lease', () => {
    it('waits for another worker, whose attempt has the next number', () => {
      inStatus('claimed').when(expire(1)).happens(jobLeaseExpired());
      given(exportJob, ...HISTORIES.claimed, jobLeaseExpired())
        .when(claim)
        .happens(jobClaimed(11, 2, '2026-03-01T12:10:00.000Z'));
    });

    it('fails after three attempts', () => {
      const twice = [1, 2].flatMap((attempt) => [jobClaimed(11, attempt), jobLeaseExpired(11, attempt)]);
      given(exportJob, jobPlanned(), ...twice, jobClaimed(11, 3))
        .when(expire(MAX_ATTEMPTS))
        .happens(jobLeaseExpired(11, 3), {
          type: 'ExportJobFailed',
          data: {
            jobId: 11,
            snapshotId: 3,
            errorCode: 'DATA_LOAD_ERROR',
            errorMessage: expect.stringMatching(
              /^3 attempts failed, of the last one the worker did not .* divide the file/,
            ) as string,
          },
        });
    });

    it('waits for another worker when a new attempt can succeed, at most three times', () => {
      const failure = { ...fail, canRetry: true };
      for (const status of ['claimed', 'submitted'] as const) {
        const { data } = jobLeaseExpired();
        const expired: ExportJobEvent = { type: 'ExportJobLeaseExpired', data: { ...data, reason: 'no such table' } };
        inStatus(status).when(failure).happens(expired);
      }
      const twice = [1, 2].flatMap((attempt) => [jobClaimed(11, attempt), jobLeaseExpired(11, attempt)]);
      given(exportJob, jobPlanned(), ...twice, jobClaimed(11, 3))
        .when(failure)
        .happens(jobFailed());
    });

    it.each(others('claimed'))('stays unchanged when it is %s', (status) => {
      inStatus(status)
        .when(expire(status === 'pending' ? 0 : 1))
        .changesNothing();
    });

    it('rejects the late report of the worker that lost it', () => {
      const lost = [...HISTORIES.claimed, jobLeaseExpired()];
      given(exportJob, ...lost)
        .when({ ...complete, attempt: 1 })
        .isRefused('INVALID_STATE_TRANSITION', { current_status: 'pending' });
      given(exportJob, ...lost, jobClaimed(11, 2))
        .when({ ...complete, attempt: 1 })
        .isRefused('INVALID_STATE_TRANSITION', { current_status: 'claimed', attempt: 2 });
    });
  });

  it.each(['claimed', 'submitted'] as const)('is released while it is %s without using an attempt', (status) => {
    const giveBack: ExportJobCommand = { type: 'ReturnExportJob', attempt: 1 };
    inStatus(status).when(giveBack).happens(jobReturned());
    for (const other of others('claimed', 'submitted')) {
      inStatus(other)
        .when({ type: 'ReturnExportJob' })
        .isRefused('INVALID_STATE_TRANSITION', { current_status: other });
    }
    const returned = [...HISTORIES[status], jobReturned()];
    given(exportJob, ...returned)
      .when(claim)
      .happens(jobClaimed(11, 2, '2026-03-01T12:10:00.000Z'));
    given(exportJob, ...returned, jobClaimed(11, 2))
      .when({ ...complete, attempt: 1 })
      .isRefused('INVALID_STATE_TRANSITION', { attempt: 2 });
    const lapsed = [jobClaimed(11, 2), jobLeaseExpired(11, 2)];
    given(exportJob, ...returned, ...lapsed, jobClaimed(11, 3))
      .when(expire(3))
      .happens(jobLeaseExpired(11, 3));
    given(exportJob, ...returned, ...lapsed, jobClaimed(11, 3), jobReturned(11, 3, 2))
      .when(claim)
      .happens(jobClaimed(11, 4, '2026-03-01T12:10:00.000Z'));
  });

  it.each(['claimed', 'submitted'] as const)('starts again when its worker disappears while it is %s', (status) => {
    const release: ExportJobCommand = { type: 'ReleaseExportJob', attempt: 1, reason: 'its worker ended' };
    const expired = jobLeaseExpired();
    inStatus(status)
      .when(release)
      .happens({ ...expired, data: { ...expired.data, reason: 'its worker ended' } });
    for (const ended of ['completed', 'failed'] as const) inStatus(ended).when(release).changesNothing();
  });

  it('is cancelled while it is open', () => {
    const cancel: ExportJobCommand = { type: 'CancelExportJob', reason: 'no such table' };
    for (const status of ['pending', 'claimed', 'submitted'] as const) {
      inStatus(status).when(cancel).happens(jobFailed(11, 'CANCELLED'));
    }
    for (const status of ['completed', 'failed'] as const) inStatus(status).when(cancel).changesNothing();
  });

  it('never leaves completed or failed, and counts its attempts without a gap', () => {
    const attempt = fc.option(fc.integer({ min: 0, max: 4 }), { nil: undefined });
    const command = fc.oneof(
      fc.constant(claim),
      attempt.map((n) => ({ ...submit, ...(n === undefined ? {} : { attempt: n }) })),
      attempt.map((n) => ({ ...complete, ...(n === undefined ? {} : { attempt: n }) })),
      attempt.map((n) => ({ ...fail, ...(n === undefined ? {} : { attempt: n }) })),
      fc.integer({ min: 0, max: 4 }).map(expire),
      fc.constant<ExportJobCommand>({ type: 'ReportPoll', nextPollAt: '2026-03-01T12:00:10.000Z' }),
      fc.constant<ExportJobCommand>({ type: 'CancelExportJob', reason: 'no more needed' }),
    );
    fc.assert(
      fc.property(fc.array(command, { maxLength: 40 }), (commands) => {
        let job: ExportJob | null = given(exportJob, jobPlanned()).state();
        for (const one of commands) {
          const before = job;
          const decided = exportJob.decide(one, job, { now: NOON, ...by('w1', 'system') });
          if (isRight(decided)) job = decided.right.reduce(exportJob.evolve, job);
          if (before?.status === 'completed' || before?.status === 'failed') expect(job).toBe(before);
          expect((job?.attempt ?? 0) - (before?.attempt ?? 0)).toBeLessThanOrEqual(1);
          expect(job?.attempt).toBeLessThanOrEqual(MAX_ATTEMPTS);
        }
      }),
    );
  });
});

const plannedData = () => jobPlanned().data;
