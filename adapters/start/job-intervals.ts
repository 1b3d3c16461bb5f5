import * as t from 'io-ts';
import { DEFAULT_JOB_INTERVALS, type JobIntervals, JobName } from '../../domain/job';

const UNITS_MS = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const PART = /^([a-z_]+)=([1-9]\d{0,5})([smh])$/;

const WORDS = `must be a list such as lifecycle=2s,reconciliation=5m (units s, m, h; jobs ${Object.keys(JobName.keys).join(', ')})`;

/** `lifecycle=2s,reconciliation=5m`: the default intervals with these changes. */
export const JobIntervalsSetting = new t.Type<JobIntervals, string>(
  'job intervals',
  (u): u is JobIntervals => typeof u === 'object',
  (u, context) => {
    const intervals: Record<JobName, number> = { ...DEFAULT_JOB_INTERVALS };
    const seen = new Set<string>();
    const problems: string[] = [];
    for (const part of typeof u === 'string' ? u.split(',') : []) {
      const [, name = '', count = '', unit] = PART.exec(part.trim()) ?? [];
      if (unit === undefined) problems.push(`${WORDS}; ${JSON.stringify(part)} is not`);
      else if (!JobName.is(name)) problems.push(`${WORDS}; there is no job ${name}`);
      else if (seen.has(name)) problems.push(`names ${name} twice`);
      else intervals[name] = Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
      seen.add(name);
    }
    return problems.length === 0
      ? t.success(intervals)
      : t.failures([...new Set(problems)].map((message) => ({ value: u, context, message })));
  },
  String,
);
