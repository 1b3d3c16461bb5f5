import fc from 'fast-check';
import { job, type JobCommand, type JobEvent } from '../../../domain/job';
import { by, given, NOON } from '../../support/given-when-then';

const STARTED = '2026-03-01T11:59:00.000Z';
const secondsAgo = (seconds: number): string => new Date(NOON.getTime() - seconds * 1000).toISOString();
const triggered = (triggeredAt: string, trigger = 1): JobEvent => ({
  type: 'JobTriggered',
  data: { jobName: 'lifecycle', trigger, triggeredBy: 'olivia', triggeredAt, reason: 'checking' },
});
const run = (trigger: number | null = null) => ({
  jobName: 'lifecycle' as const,
  trigger,
  triggeredBy: trigger === null ? null : 'olivia',
  startedAt: STARTED,
});
const failed = (trigger: number | null = null): JobEvent => ({
  type: 'JobRunFailed',
  data: { ...run(trigger), errorCode: 'SERVICE_UNAVAILABLE', errorMessage: 'away' },
});
const succeeded = (trigger: number | null = null): JobEvent => ({
  type: 'JobRunSucceeded',
  data: { ...run(trigger), result: { instances_deleted: 2 } },
});
const trigger: JobCommand = { type: 'TriggerJob', jobName: 'lifecycle', reason: 'checking' };
const record = (outcome: 'succeeded' | 'failed', answered: number | null = null): JobCommand => ({
  type: 'RecordRun',
  jobName: 'lifecycle',
  trigger: answered === null ? null : { number: answered, triggeredBy: 'olivia' },
  startedAt: STARTED,
  outcome:
    outcome === 'succeeded'
      ? { kind: 'succeeded', result: { instances_deleted: 2 } }
      : { kind: 'failed', errorCode: 'SERVICE_UNAVAILABLE', errorMessage: 'away' },
});

describe('a job', () => {
  it('is triggered with actor and reason', () => {
    given(job).when(trigger, by('olivia', 'ops')).happens(triggered(NOON.toISOString()));
  });

  it('can be triggered again after a minute', () => {
    given(job, triggered(secondsAgo(60)))
      .when(trigger, by('olivia', 'ops'))
      .happens(triggered(NOON.toISOString(), 2));
  });

  it.each([
    [0, 60],
    [0.001, 60],
    [12.3, 48],
    [59.999, 1],
    [-30, 60],
  ])('triggered %p seconds ago cannot be triggered again for %p seconds', (ago, wait) => {
    given(job, triggered(secondsAgo(ago)))
      .when(trigger)
      .isRefused('RATE_LIMIT_EXCEEDED', { job_name: 'lifecycle', retry_after_seconds: wait });
  });

  it('can be triggered as soon as the error announced', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 59_999 }), (passedMs) => {
        const history = triggered(new Date(NOON.getTime() - passedMs).toISOString());
        const refused = job.decide(trigger, job.evolve(job.initial, history), { now: NOON, ...by('olivia') });
        const error = refused._tag === 'Left' ? refused.left : null;
        const wait = error?.code === 'RATE_LIMIT_EXCEEDED' ? (error.details?.retry_after_seconds ?? NaN) : 0;
        const later = new Date(NOON.getTime() + wait * 1000);
        given(job, history)
          .when(trigger, { now: later, ...by('olivia') })
          .happens(triggered(later.toISOString(), 2));
      }),
    );
  });

  it('keeps a trigger open until a run that started after it has ended', () => {
    const history = [triggered(secondsAgo(120)), triggered(secondsAgo(50), 2)];
    expect(given(job, ...history).state().openTrigger).toEqual({ number: 2, triggeredBy: 'olivia' });
    expect(given(job, ...history, succeeded(1)).state().openTrigger).toEqual({ number: 2, triggeredBy: 'olivia' });
    expect(given(job, ...history, failed()).state().openTrigger).toEqual({ number: 2, triggeredBy: 'olivia' });
    expect(given(job, ...history, failed(2)).state().openTrigger).toBeNull();
  });

  it('a success on schedule appends nothing to the log', () => {
    given(job).when(record('succeeded')).changesNothing();
    given(job, failed(), succeeded()).when(record('succeeded')).changesNothing();
  });

  it('appends the outcome of a triggered run, every failure and the recovery to the log', () => {
    given(job, triggered(secondsAgo(5)))
      .when(record('succeeded', 1))
      .happens(succeeded(1));
    given(job).when(record('failed')).happens(failed());
    given(job, failed()).when(record('failed')).happens(failed());
    given(job, failed()).when(record('succeeded')).happens(succeeded());
  });

  it('counts its failures since the last success', () => {
    expect(given(job, failed(), failed()).state().consecutiveFailures).toBe(2);
    expect(given(job, failed(), succeeded(), failed()).state().consecutiveFailures).toBe(1);
    expect(given(job, failed(), succeeded()).state().consecutiveFailures).toBe(0);
  });
});
