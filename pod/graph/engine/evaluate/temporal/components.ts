import { fail } from '../evaluation-fault';
import { type Value } from '../values';
import { dayOfQuarter, quarterOf } from './date-and-time';
import { Duration } from './duration';
import { hasDate, hasTime, type Moment, offsetText, type Zone } from './moment';

type Components<A> = Readonly<Record<string, (of: A) => bigint | number | string | undefined>>;

const OF_DATES: Components<Moment> = {
  year: ({ local }) => local.year,
  quarter: ({ local }) => quarterOf(local),
  month: ({ local }) => local.month,
  week: ({ local }) => local.weekOfYear,
  weekYear: ({ local }) => local.yearOfWeek,
  dayOfQuarter: ({ local }) => dayOfQuarter(local.toPlainDate()),
  quarterDay: ({ local }) => dayOfQuarter(local.toPlainDate()),
  day: ({ local }) => local.day,
  ordinalDay: ({ local }) => local.dayOfYear,
  dayOfWeek: ({ local }) => local.dayOfWeek,
  weekDay: ({ local }) => local.dayOfWeek,
};

const OF_TIMES: Components<Moment> = {
  hour: ({ local }) => local.hour,
  minute: ({ local }) => local.minute,
  second: ({ local }) => local.second,
  millisecond: ({ local }) => local.millisecond,
  microsecond: ({ local }) => local.millisecond * 1_000 + local.microsecond,
  nanosecond: ({ local }) => local.millisecond * 1_000_000 + local.microsecond * 1_000 + local.nanosecond,
};

const OF_ZONES: Components<Zone> = {
  timezone: ({ name, offset }) => name ?? offsetText(offset),
  offset: ({ offset }) => offsetText(offset),
  offsetMinutes: ({ offset }) => Math.trunc(offset / 60),
  offsetSeconds: ({ offset }) => offset,
};

const epochMilliseconds = ({ utc }: Moment): number => utc.toZonedDateTime('UTC').epochMilliseconds;

const OF_INSTANTS: Components<Moment> = {
  epochSeconds: (moment) => Math.floor(epochMilliseconds(moment) / 1000),
  epochMillis: epochMilliseconds,
};

const OF_DURATIONS: Components<Duration> = {
  years: ({ months }) => months / 12n,
  quarters: ({ months }) => months / 3n,
  months: ({ months }) => months,
  weeks: ({ days }) => days / 7n,
  days: ({ days }) => days,
  hours: ({ seconds }) => seconds / 3600n,
  minutes: ({ seconds }) => seconds / 60n,
  seconds: ({ seconds }) => seconds,
  milliseconds: ({ seconds, nanosecondsOfSecond }) => seconds * 1_000n + nanosecondsOfSecond / 1_000_000n,
  microseconds: ({ seconds, nanosecondsOfSecond }) => seconds * 1_000_000n + nanosecondsOfSecond / 1_000n,
  nanoseconds: ({ nanoseconds }) => nanoseconds,
  quartersOfYear: ({ months }) => (months / 3n) % 4n,
  monthsOfQuarter: ({ months }) => months % 3n,
  monthsOfYear: ({ months }) => months % 12n,
  daysOfWeek: ({ days }) => days % 7n,
  minutesOfHour: ({ seconds }) => (seconds / 60n) % 60n,
  secondsOfMinute: ({ seconds }) => seconds % 60n,
  millisecondsOfSecond: ({ nanosecondsOfSecond }) => nanosecondsOfSecond / 1_000_000n,
  microsecondsOfSecond: ({ nanosecondsOfSecond }) => nanosecondsOfSecond / 1_000n,
  nanosecondsOfSecond: ({ nanosecondsOfSecond }) => nanosecondsOfSecond,
};

/** `moment.year`, `duration.days`. */
export const componentOf = (value: Moment | Duration, name: string): Value => {
  const found = value instanceof Duration ? valueIn(OF_DURATIONS, name, value) : ofMoment(value, name);
  if (found === undefined) return fail(`the component ${name} of ${String(value)}`);
  return typeof found === 'number' ? BigInt(found) : found;
};

const ofMoment = (moment: Moment, name: string): bigint | number | string | undefined =>
  (hasDate(moment.type) ? valueIn(OF_DATES, name, moment) : undefined) ??
  (hasTime(moment.type) ? valueIn(OF_TIMES, name, moment) : undefined) ??
  (moment.zone === null ? undefined : valueIn(OF_ZONES, name, moment.zone)) ??
  (moment.type === 'DATETIME' || moment.type === 'TIMESTAMP' ? valueIn(OF_INSTANTS, name, moment) : undefined);

const valueIn = <A>(components: Components<A>, name: string, of: A): bigint | number | string | undefined =>
  Object.hasOwn(components, name) ? components[name]?.(of) : undefined;
