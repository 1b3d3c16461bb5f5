import { DEFAULT_JOB_INTERVALS, pauseAfter, scheduleText } from '../../../domain/job';

describe('the schedule of a job', () => {
  it('is described in words', () => {
    expect(Object.values(DEFAULT_JOB_INTERVALS).map(scheduleText)).toEqual([
      'every 5 minutes',
      'every 5 minutes',
      'every 5 seconds',
      'every 24 hours',
      'every 60 seconds',
      'every 60 seconds',
      'every 7 days',
    ]);
    expect([1000, 3_600_000, 90_000].map(scheduleText)).toEqual([
      'every 1 second',
      'every 60 minutes',
      'every 90 seconds',
    ]);
  });

  it('is kept through the first failures and extended to five minutes by more', () => {
    expect([0, 1, 3, 4, 5, 9, 1000].map((failures) => pauseAfter(5_000, failures))).toEqual([
      5_000, 5_000, 5_000, 10_000, 20_000, 300_000, 300_000,
    ]);
    expect(pauseAfter(86_400_000, 50)).toBe(86_400_000);
  });
});
