import { Temporal } from 'temporal-polyfill';
import { EvaluationFault, fail } from '../evaluation-fault';
import { isMap, kindOf, type Value, type ValueMap } from '../values';
import { dateOf, timeOf } from './date-and-time';
import { inRange } from './in-range';
import { hasDate, hasTime, hasZone, Moment, type TemporalType, UTC } from './moment';
import { readMap } from './read-map';
import { readText } from './read-text';
import { inZone, movedTo, ofUtc, readZone, ruleOf, type ZoneRule } from './zones';

/** The value of `date(…)`, `datetime(…)` and so on; `now`: the moment of the query. */
export const makeMoment = (type: TemporalType, value: Value | undefined, now: Temporal.Instant): Moment => {
  if (value === undefined) return presentMoment(type, 0, now);
  if (typeof value === 'string') return ofText(type, value, now);
  if (value instanceof Moment) return ofMap(type, new Map([[selectorOf(type, value), value]]), now);
  return isMap(value) ? ofMap(type, value, now) : fail(`${type.toLowerCase()} of ${kindOf(value)}`);
};

const EPOCH = Temporal.Instant.fromEpochMilliseconds(0);

/** A constant as a date or time of engines: to the microsecond; a LOCALDATETIME may have the zone `Z`. Null if it is none. */
export const constantMoment = (type: 'DATE' | 'LOCALDATETIME' | 'DATETIME', value: Value): Moment | null => {
  const isLocal = type === 'LOCALDATETIME' && typeof value === 'string';
  const local = isLocal ? value.trim().replace(/([T ].*)Z$/, '$1') : value;
  try {
    const moment = inRange(() => makeMoment(type, local, EPOCH));
    return moment.local.nanosecond === 0 ? moment : null;
  } catch (error) {
    if (error instanceof EvaluationFault) return null;
    throw error;
  }
};

const selectorOf = (type: TemporalType, other: Moment): string => {
  if (!hasTime(type) || (hasDate(type) && !hasTime(other.type))) return 'date';
  return hasDate(type) ? 'datetime' : 'time';
};

/** The present date or time in a zone. */
export const presentMoment = (type: TemporalType, rule: ZoneRule, now: Temporal.Instant): Moment => {
  const present = ofUtc('DATETIME', now.toZonedDateTimeISO('UTC').toPlainDateTime(), rule);
  return type === 'DATETIME' ? present : momentOf(type, present.local, rule, now);
};

const FIRST_DAY = new Temporal.PlainDate(1970, 1, 1);

/** The parts of a local time that a type has. A time of day has an offset, but no named zone: its offset is that of now. */
export const momentOf = (
  type: TemporalType,
  local: Temporal.PlainDateTime,
  rule: ZoneRule,
  now: Temporal.Instant,
): Moment => {
  if (type === 'DATETIME') return inZone(type, local, rule);
  if (!hasTime(type)) return new Moment(type, local.withPlainTime());
  if (type === 'LOCALDATETIME') return new Moment(type, local);
  const time = FIRST_DAY.toPlainDateTime(local.toPlainTime());
  if (type === 'LOCALTIME') return new Moment(type, time);
  const offset = typeof rule === 'number' ? rule : now.toZonedDateTimeISO(rule).offsetNanoseconds / 1e9;
  return inZone(type, time, offset);
};

const ofText = (type: TemporalType, text: string, now: Temporal.Instant): Moment => {
  const read = readText(text, type);
  if (read === null) return fail(`${type.toLowerCase()} of '${text}': expected ISO 8601, such as '${EXAMPLES[type]}'`);
  const date = dateOf(read.parts, hasDate(type) ? null : FIRST_DAY);
  const local = date.toPlainDateTime(timeOf(read.parts, null));
  const offset = read.offset === null ? null : readZone(read.offset);
  if (read.zone === null || typeof offset !== 'number')
    return momentOf(type, local, read.zone === null ? (offset ?? 0) : readZone(read.zone), now);
  const moment = inZone('DATETIME', local, readZone(read.zone), offset);
  return type === 'DATETIME' ? moment : momentOf(type, local, offset, now);
};

const EXAMPLES: Readonly<Record<TemporalType, string>> = {
  DATE: '2024-05-01',
  TIME: '10:30:00+01:00',
  LOCALTIME: '10:30:00',
  DATETIME: '2024-05-01T10:30:00+01:00',
  LOCALDATETIME: '2024-05-01T10:30:00',
};

const ofMap = (type: TemporalType, map: ValueMap, now: Temporal.Instant): Moment => {
  const { parts, rule, date, time } = readMap(type, map);
  if (parts.size === 0 && date === null && time === null)
    return rule === null ? fail(`${type.toLowerCase()} of an empty map`) : presentMoment(type, rule, now);
  if (!hasDate(type) && time === null && !parts.has('hour')) return fail(`a ${type.toLowerCase()} without hour`);
  const day = dateOf(parts, hasDate(type) ? (date?.local.toPlainDate() ?? null) : FIRST_DAY);
  const local = day.toPlainDateTime(timeOf(parts, time?.local.toPlainTime() ?? null));
  const zone = time?.actualZone ?? null;
  if (zone === null || !hasZone(type)) return momentOf(type, local, rule ?? 0, now);
  const before = momentOf(type, local, type === 'TIME' ? zone.offset : ruleOf(zone), now);
  if (rule === null) return before;
  const after = momentOf(type, local, rule, now);
  return momentOf(type, movedTo(before, type === 'TIME' ? (after.zone ?? UTC).offset : rule).local, rule, now);
};

/** A moment with the components of a map, which replace its own, and its zone with the same local time. */
export const withParts = (type: TemporalType, moment: Moment, map: ValueMap, now: Temporal.Instant): Moment => {
  const { parts, rule } = readMap(type, map);
  const { local, zone } = moment;
  const replaced = dateOf(hasDate(type) ? parts : new Map(), local.toPlainDate()).toPlainDateTime(
    timeOf(parts, local.toPlainTime()),
  );
  return momentOf(type, replaced, rule ?? ruleOf(zone ?? UTC), now);
};
