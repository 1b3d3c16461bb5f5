import { Temporal } from 'temporal-polyfill';
import { fail } from '../evaluation-fault';
import { kindOf, type Value, type ValueMap } from '../values';
import { DATE_PARTS, type Parts, TIME_PARTS } from './date-and-time';
import { hasDate, hasTime, hasZone, Moment, type TemporalType, UTC } from './moment';
import { readZone, type ZoneRule } from './zones';

/** The components of a map such as `{date: other, day: 1, timezone: 'Europe/Stockholm'}`. */
export interface ReadMap {
  readonly parts: Parts;
  readonly rule: ZoneRule | null;
  /** From which missing components are taken. */
  readonly date: Moment | null;
  readonly time: Moment | null;
}

/** The components for a type; any other key is an error. */
export const readMap = (type: TemporalType, map: ValueMap): ReadMap => {
  const numbers = [...(hasDate(type) ? DATE_PARTS : []), ...(hasTime(type) ? TIME_PARTS : [])];
  const moments = [
    ...(hasDate(type) ? ['date'] : []),
    ...(hasTime(type) ? ['time'] : []),
    ...(hasDate(type) && hasTime(type) ? ['datetime', 'epochSeconds', 'epochMillis'] : []),
  ];
  const parts = new Map<string, number>();
  const bases = new Map<string, Moment>();
  let rule: ZoneRule | null = null;
  for (const [key, value] of map) {
    if (numbers.includes(key)) parts.set(key, integerOf(key, value));
    else if (moments.includes(key)) bases.set(key, baseOf(key, value));
    else if (key === 'timezone' && (hasZone(type) || map.size === 1)) rule = readZone(textOf(value));
    else fail(`${key} in a ${type.toLowerCase()}: expected ${[...numbers, ...moments].join(', ')}`);
  }
  const whole = bases.get('datetime') ?? bases.get('epochSeconds') ?? bases.get('epochMillis') ?? null;
  if (whole !== null && bases.size > 1) fail(`several of ${[...bases.keys()].join(', ')}: write one of them`);
  return { parts, rule, date: bases.get('date') ?? whole, time: bases.get('time') ?? whole };
};

const integerOf = (key: string, value: Value): number =>
  typeof value === 'bigint' ? Number(value) : fail(`the ${key} is ${kindOf(value)}: expected an integer`);

const textOf = (value: Value): string =>
  typeof value === 'string' ? value : fail(`the timezone is ${kindOf(value)}: expected a text`);

const baseOf = (key: string, value: Value): Moment => {
  if (key === 'epochSeconds') return epochMoment({ seconds: integerOf(key, value) });
  if (key === 'epochMillis') return epochMoment({ milliseconds: integerOf(key, value) });
  const fits =
    value instanceof Moment && (key === 'time' || hasDate(value.type)) && (key === 'date' || hasTime(value.type));
  return fits ? value : fail(`the ${key} is ${kindOf(value)} without it`);
};

/** The time in UTC that is so long after 1 January 1970. */
export const epochMoment = (after: Temporal.DurationLike): Moment =>
  new Moment('DATETIME', new Temporal.PlainDateTime(1970, 1, 1).add(after), UTC);
