import { DAY, DURATION, durationStruct } from './duration-value';
import { type Frame } from './frame';
import { eachUsedOnce, usedOnce } from './list-map';
import { orError } from './literal';
import { INTEGER, NULL, typed, type Value } from './type';
import { type Write } from './write-call';

const asTimestamp = (value: Value): Value =>
  value.type.kind === 'date' ? { ...value, sql: `CAST(${value.sql} AS TIMESTAMP)` } : value;

/** A function of two dates or times. */
const ofTwo =
  (write: (from: string, to: string, frame: Frame) => string): Write =>
  ([from = NULL, to = NULL], frame) => {
    if (![from, to].every(({ type }) => type.kind === 'date' || type.kind === 'timestamp')) return null;
    const sql = eachUsedOnce([asTimestamp(from), asTimestamp(to)], frame, (a, b) => {
      const isInfinite = `NOT isfinite(${a.sql}) OR NOT isfinite(${b.sql})`;
      const checked = orError(isInfinite, 'An infinite date or time; exclude it by WHERE.', write(a.sql, b.sql, frame));
      return `CASE WHEN ${a.sql} IS NOT NULL AND ${b.sql} IS NOT NULL THEN ${checked} END`;
    });
    return typed(DURATION, sql);
  };

const between = (a: string, b: string): string => `(epoch_us(${b}) - epoch_us(${a}))`;

/** Whole months; a month ends on the day with the same number, and at the same time of day. */
const monthsBetween = (a: string, b: string, frame: Frame): string => {
  const [start, end] = [a, b].map((time) => `CAST(${time} AS TIME)`);
  const lastDay = `CAST(${b} AS DATE) + CASE WHEN ${b} >= ${a} AND ${end} < ${start} THEN -1 WHEN ${b} < ${a} AND ${end} > ${start} THEN 1 ELSE 0 END`;
  return usedOnce(typed({ kind: 'date' }, `(${lastDay})`), frame, ({ sql: last }) => {
    const months = `(year(${last}) * 12 + month(${last}) - year(${a}) * 12 - month(${a}))`;
    return `(${months} + CASE WHEN ${b} >= ${a} AND day(${last}) < day(${a}) THEN -1 WHEN ${b} < ${a} AND day(${last}) > day(${a}) THEN 1 ELSE 0 END)`;
  });
};

/** Months, then days, then the rest. */
const inAllUnits = (a: string, b: string, frame: Frame): string =>
  usedOnce(typed(INTEGER, monthsBetween(a, b, frame)), frame, ({ sql: months }) => {
    const rest = typed(INTEGER, between(`(${a} + to_months(CAST(${months} AS INTEGER)))`, b));
    return usedOnce(rest, frame, ({ sql }) => durationStruct(months, `${sql} // ${DAY}`, `${sql} % ${DAY}`));
  });

/** What an integer of a map counts, of which part of a duration. */
const UNITS: Readonly<Record<string, readonly ['m' | 'd' | 'u', number] | undefined>> = {
  years: ['m', 12],
  quarters: ['m', 3],
  months: ['m', 1],
  weeks: ['d', 7],
  days: ['d', 1],
  hours: ['u', 3_600_000_000],
  minutes: ['u', 60_000_000],
  seconds: ['u', 1_000_000],
  milliseconds: ['u', 1000],
  microseconds: ['u', 1],
};

/** `duration({days: n.days})`. */
const ofUnits: Write = ([{ type, parts } = NULL], frame) => {
  if (type.kind !== 'map' || parts === undefined) return null;
  const terms = { m: ['0'], d: ['0'], u: ['0'] };
  for (const [at, { name }] of type.fields.entries()) {
    const [value = NULL, unit] = [parts[at], UNITS[name]];
    if (value.type.kind !== 'integer' || unit === undefined) return null;
    const message = `The ${name} of a duration are null; exclude such rows by WHERE.`;
    const number = usedOnce(value, frame, ({ sql }) => orError(`${sql} IS NULL`, message, sql));
    terms[unit[0]].push(`${number} * ${unit[1]}`);
  }
  return typed(DURATION, durationStruct(terms.m.join(' + '), terms.d.join(' + '), terms.u.join(' + ')));
};

export const DURATION_FUNCTIONS: Readonly<Record<string, Write>> = {
  DURATION: ofUnits,
  'DURATION.BETWEEN': ofTwo(inAllUnits),
  'DURATION.INMONTHS': ofTwo((a, b, frame) => durationStruct(monthsBetween(a, b, frame), '0', '0')),
  'DURATION.INDAYS': ofTwo((a, b) => durationStruct('0', `${between(a, b)} // ${DAY}`, '0')),
  'DURATION.INSECONDS': ofTwo((a, b) => durationStruct('0', '0', between(a, b))),
};
