import { Temporal } from '@js-temporal/polyfill';
import { fail } from '../evaluation-fault';

/** Numbers by the names of components: `year`, `dayOfWeek`, `hour` … */
export type Parts = ReadonlyMap<string, number>;

/** The ways of naming a day of a year. */
const WAYS = [['month', 'day'], ['week', 'dayOfWeek'], ['quarter', 'dayOfQuarter'], ['ordinalDay']] as const;

export const DATE_PARTS: readonly string[] = ['year', ...WAYS.flat()];
export const TIME_PARTS = ['hour', 'minute', 'second', 'millisecond', 'microsecond', 'nanosecond'] as const;

const checked = (name: string, value: number, least: number, most: number): number =>
  value >= least && value <= most ? value : fail(`the ${name} ${value}: it must be between ${least} and ${most}`);

/** The first day of a year's first week. */
export const weekYearStart = (year: number): Temporal.PlainDate => {
  const inFirstWeek = new Temporal.PlainDate(year, 1, 4);
  return inFirstWeek.subtract({ days: inFirstWeek.dayOfWeek - 1 });
};

export const quarterOf = ({ month }: { readonly month: number }): number => Math.ceil(month / 3);

export const quarterStart = (year: number, quarter: number): Temporal.PlainDate =>
  new Temporal.PlainDate(year, quarter * 3 - 2, 1);

const daysBetween = (from: Temporal.PlainDate, to: Temporal.PlainDate): number => from.until(to).days;

export const dayOfQuarter = (date: Temporal.PlainDate): number =>
  daysBetween(quarterStart(date.year, quarterOf(date)), date) + 1;

/** A date; components that are missing are those of `base`, as far as that day exists, or the first ones. */
export const dateOf = (parts: Parts, base: Temporal.PlainDate | null): Temporal.PlainDate => {
  const [way = WAYS[0], second] = WAYS.filter((names) => names.some((name) => parts.has(name)));
  if (second !== undefined) return fail(`a date with ${way[0]} and ${second[0]}: write one of them`);
  const [first, last] = way;
  if (base === null && !parts.has('year')) return fail('a date without year');
  if (base === null && last !== undefined && parts.has(last) && !parts.has(first))
    return fail(`a ${last} without ${first}`);
  const year = parts.get('year') ?? (first === 'week' ? base?.yearOfWeek : base?.year) ?? 0;
  const part = (name: string, ofBase: number | undefined, most: number): number =>
    parts.has(name) ? checked(name, parts.get(name) ?? 0, 1, most) : Math.min(ofBase ?? 1, most);
  switch (first) {
    case 'month': {
      const start = new Temporal.PlainDate(year, part('month', base?.month, 12), 1);
      return start.with({ day: part('day', base?.day, start.daysInMonth) });
    }
    case 'week': {
      const start = weekYearStart(year);
      const weeks = daysBetween(start, weekYearStart(year + 1)) / 7;
      const days = (part('week', base?.weekOfYear, weeks) - 1) * 7 + part('dayOfWeek', base?.dayOfWeek, 7) - 1;
      return start.add({ days });
    }
    case 'quarter': {
      const start = quarterStart(year, part('quarter', base === null ? 1 : quarterOf(base), 4));
      const length = daysBetween(start, start.add({ months: 3 }));
      const day = part('dayOfQuarter', base === null ? 1 : dayOfQuarter(base), length);
      return start.add({ days: day - 1 });
    }
    case 'ordinalDay': {
      const start = new Temporal.PlainDate(year, 1, 1);
      return start.add({ days: part('ordinalDay', 1, start.daysInYear) - 1 });
    }
  }
};

/** A time of day; components that are missing are those of `base`, or 0. A fraction replaces the whole fraction. */
export const timeOf = (parts: Parts, base: Temporal.PlainTime | null): Temporal.PlainTime => {
  const [hasMilliseconds, hasMicroseconds] = [parts.has('millisecond'), parts.has('microsecond')];
  if (base === null) {
    const isGiven = [
      ...['hour', 'minute', 'second'].map((name) => parts.has(name)),
      TIME_PARTS.slice(3).some((name) => parts.has(name)),
    ];
    const gap = isGiven.findIndex((given, at) => given && isGiven[at - 1] === false);
    if (gap > 0) return fail(`a time without ${TIME_PARTS[gap - 1]}, but with a smaller unit`);
  }
  const part = (name: string, ofBase: number | undefined, most: number): number =>
    checked(name, parts.get(name) ?? ofBase ?? 0, 0, most);
  const hasFraction = TIME_PARTS.slice(3).some((name) => parts.has(name));
  const ofBase = hasFraction || base === null ? new Temporal.PlainTime() : base;
  const nanoseconds =
    part('millisecond', ofBase.millisecond, 999) * 1_000_000 +
    part('microsecond', ofBase.microsecond, hasMilliseconds || !hasFraction ? 999 : 999_999) * 1_000 +
    part(
      'nanosecond',
      ofBase.nanosecond,
      hasMicroseconds || !hasFraction ? 999 : hasMilliseconds ? 999_999 : 999_999_999,
    );
  return new Temporal.PlainTime(
    part('hour', base?.hour, 23),
    part('minute', base?.minute, 59),
    part('second', base?.second, 59),
  ).add({ nanoseconds });
};
