import { readSettings } from '../../../adapters/start/settings';
import { DEFAULT_JOB_INTERVALS } from '../../../domain/job';
import { expectLeft, expectRight } from '../../support/given-when-then';

const intervals = (text?: string) => readSettings(text === undefined ? {} : { ROWGRAPH_JOB_INTERVALS: text });

describe('the intervals of the jobs', () => {
  it('default to those of the contract', () => {
    expect(expectRight(intervals()).jobIntervals).toEqual(DEFAULT_JOB_INTERVALS);
    expect(expectRight(intervals('lifecycle=2s, reconciliation=5m,schema_cache=1h')).jobIntervals).toEqual({
      ...DEFAULT_JOB_INTERVALS,
      lifecycle: 2_000,
      reconciliation: 300_000,
      schema_cache: 3_600_000,
    });
  });

  it.each([
    ['', '"" is not'],
    ['lifecycle', '"lifecycle" is not'],
    ['lifecycle=0s', '"lifecycle=0s" is not'],
    ['lifecycle=2', '"lifecycle=2" is not'],
    ['lifecycle=2s,', '"" is not'],
    ['lifecycle=-1s', '"lifecycle=-1s" is not'],
    ['tidying=2s', 'there is no job tidying'],
    ['lifecycle=2s,lifecycle=3s', 'names lifecycle twice'],
  ])('are rejected as %j', (text, words) => {
    const [complaint] = expectLeft(intervals(text));
    expect(complaint).toContain('ROWGRAPH_JOB_INTERVALS ');
    expect(complaint).toContain(words);
  });
});
