import { DAY, durationPart } from './duration-value';
import { type Frame } from './frame';
import { eachUsedOnce, usedOnce } from './list-map';
import { INTEGER, isZoned, typed, type Value } from './type';

/** A date or time and a duration; a date ignores parts of days. Null for other values. */
export const movedTime = (time: Value, operator: '+' | '-', duration: Value, frame: Frame): Value | null => {
  const { type } = time;
  if (duration.type.kind !== 'duration' || (type.kind !== 'date' && type.kind !== 'timestamp') || isZoned(type))
    return null;
  const sql = eachUsedOnce([time, duration], frame, ({ sql: start }, { sql: length }) => {
    const [days, rest] = [durationPart(length, 'd'), durationPart(length, 'u')];
    const interval = (whole: string, microseconds: string): string =>
      `(to_months(CAST(${durationPart(length, 'm')} AS INTEGER)) + to_days(CAST(${whole} AS INTEGER)) + to_microseconds(${microseconds}))`;
    if (type.kind === 'timestamp') return `(${start} ${operator} ${interval(days, rest)})`;
    return `CAST(${start} ${operator} ${interval(`${days} + ${rest} // ${DAY}`, '0')} AS DATE)`;
  });
  return typed(type, sql);
};

const SECONDS = '((u - (u % 1000000 + 1000000) % 1000000) // 1000000)';
const FRACTION = '((u % 1000000 + 1000000) % 1000000)';

const COMPONENTS: Readonly<Record<string, string>> = {
  years: 'm // 12',
  quarters: 'm // 3',
  months: 'm',
  weeks: 'd // 7',
  days: 'd',
  hours: `${SECONDS} // 3600`,
  minutes: `${SECONDS} // 60`,
  seconds: SECONDS,
  milliseconds: `${SECONDS} * 1000 + ${FRACTION} // 1000`,
  microseconds: 'u',
  nanoseconds: 'u * 1000',
  quartersOfYear: '(m // 3) % 4',
  monthsOfQuarter: 'm % 3',
  monthsOfYear: 'm % 12',
  daysOfWeek: 'd % 7',
  minutesOfHour: `(${SECONDS} // 60) % 60`,
  secondsOfMinute: `${SECONDS} % 60`,
  millisecondsOfSecond: `${FRACTION} // 1000`,
  microsecondsOfSecond: FRACTION,
  nanosecondsOfSecond: `${FRACTION} * 1000`,
};

/** SQL with the parts of a duration as `m`, `d` and `u`. */
const withParts = (duration: Value, frame: Frame, sql: string): string =>
  usedOnce(duration, frame, ({ sql: once }) =>
    sql.replaceAll(/\b[mdu]\b/g, (name) => durationPart(once, name === 'm' ? 'm' : name === 'd' ? 'd' : 'u')),
  );

/** `duration.days`. */
export const partOfDuration = (duration: Value, name: string, frame: Frame): Value | null => {
  const sql = Object.hasOwn(COMPONENTS, name) ? COMPONENTS[name] : undefined;
  return sql === undefined ? null : typed(INTEGER, `(${withParts(duration, frame, sql)})`);
};

/** What orders durations: with average months and days of 24 hours. */
export const averageLength = (duration: Value, frame: Frame): string =>
  withParts(duration, frame, `m::HUGEINT * 2629746000000 + d::HUGEINT * ${DAY} + u`);

const count = (number: string, unit: string): string =>
  `CASE WHEN ${number} = 0 THEN '' ELSE ${number} || '${unit}' END`;

const TEXT_OF_SECONDS = [
  "CASE WHEN (u // 1000000) % 60 = 0 AND u % 1000000 < 0 THEN '-0' ELSE CAST((u // 1000000) % 60 AS VARCHAR) END",
  "CASE WHEN u % 1000000 = 0 THEN '' ELSE '.' || rtrim(lpad(CAST(abs(u % 1000000) AS VARCHAR), 6, '0'), '0') END",
].join(' || ');

/** `P1Y2M3DT4H5M6.789S`. */
const TEXT = [
  "CASE WHEN m = 0 AND d = 0 AND u = 0 THEN 'PT0S' ELSE rtrim('P'",
  ...[count('m // 12', 'Y'), count('m % 12', 'M'), count('d', 'D'), "'T'", count('u // 3600000000', 'H')],
  count('(u // 60000000) % 60', 'M'),
  `CASE WHEN u % 60000000 = 0 THEN '' ELSE ${TEXT_OF_SECONDS} || 'S' END, 'T') END`,
].join(' || ');

export const durationText = (duration: Value, frame: Frame): string => withParts(duration, frame, TEXT);
