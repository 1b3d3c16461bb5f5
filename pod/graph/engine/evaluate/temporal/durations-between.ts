import { type Temporal } from 'temporal-polyfill';
import { Duration, NOTHING } from './duration';
import { hasDate, Moment } from './moment';
import { inZone, movedTo, ruleOf } from './zones';

/** Both with a date, a time, and the same zone or none: what one lacks comes from the other, and a date is at 0:00. */
const completed = (from: Moment, to: Moment): readonly [from: Moment, to: Moment] => {
  const zone = from.actualZone ?? to.actualZone;
  const complete = (moment: Moment, other: Moment): Moment => {
    const local =
      hasDate(other.type) && !hasDate(moment.type)
        ? other.local.withPlainTime(moment.local.toPlainTime())
        : moment.local;
    if (zone === null) return new Moment('LOCALDATETIME', local);
    const own = moment.actualZone;
    return own === null
      ? inZone('DATETIME', local, ruleOf(zone))
      : movedTo(new Moment('DATETIME', local, own), ruleOf(zone));
  };
  return [complete(from, to), complete(to, from)];
};

/** Whole months; a month ends on the day with the same number, and at the same time of day. */
const monthsBetween = (from: Temporal.PlainDateTime, to: Temporal.PlainDateTime): number =>
  from.until(to, { largestUnit: 'months' }).months;

const daysBetween = (from: Temporal.PlainDateTime, to: Temporal.PlainDateTime): number =>
  from.until(to, { largestUnit: 'days' }).days;

const nanosecondsBetween = (from: Moment, to: Moment): bigint => epochNanoseconds(to) - epochNanoseconds(from);

const epochNanoseconds = ({ utc }: Moment): bigint => utc.toZonedDateTime('UTC').epochNanoseconds;

/** `duration.inMonths(from, to)`. */
export const inMonths = (from: Moment, to: Moment): Duration => {
  if (!hasDate(from.type) || !hasDate(to.type)) return NOTHING;
  const [start, end] = completed(from, to);
  return new Duration(BigInt(monthsBetween(start.local, end.local)), 0n, 0n);
};

/** `duration.inDays(from, to)`. */
export const inDays = (from: Moment, to: Moment): Duration => {
  if (!hasDate(from.type) || !hasDate(to.type)) return NOTHING;
  const [start, end] = completed(from, to);
  return new Duration(0n, BigInt(daysBetween(start.local, end.local)), 0n);
};

/** `duration.inSeconds(from, to)`. */
export const inSeconds = (from: Moment, to: Moment): Duration =>
  new Duration(0n, 0n, nanosecondsBetween(...completed(from, to)));

/** `duration.between(from, to)`: months, then days, then the rest. */
export const between = (from: Moment, to: Moment): Duration => {
  if (!hasDate(from.type) || !hasDate(to.type)) return inSeconds(from, to);
  const [start, end] = completed(from, to);
  const months = monthsBetween(start.local, end.local);
  const afterMonths = start.local.add({ months });
  const days = daysBetween(afterMonths, end.local);
  const rest = nanosecondsBetween(withLocal(start, afterMonths.add({ days })), end);
  return new Duration(BigInt(months), BigInt(days), rest);
};

const withLocal = ({ type, zone }: Moment, local: Temporal.PlainDateTime): Moment =>
  zone === null ? new Moment(type, local) : inZone(type, local, ruleOf(zone));
