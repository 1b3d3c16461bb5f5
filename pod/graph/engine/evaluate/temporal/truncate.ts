import { type Temporal } from 'temporal-polyfill';
import { fail } from '../evaluation-fault';
import { isMap, kindOf, type Value, type ValueMap } from '../values';
import { quarterOf, quarterStart, weekYearStart } from './date-and-time';
import { withParts } from './make-moment';
import { hasDate, hasTime, Moment, type TemporalType } from './moment';

const startOfYears =
  (count: number) =>
  (date: Temporal.PlainDate): Temporal.PlainDate =>
    date.with({ year: Math.floor(date.year / count) * count, month: 1, day: 1 });

/** The start of a period that contains a date. */
const PERIODS: Readonly<Record<string, (date: Temporal.PlainDate) => Temporal.PlainDate>> = {
  millennium: startOfYears(1000),
  century: startOfYears(100),
  decade: startOfYears(10),
  year: startOfYears(1),
  weekyear: (date) => weekYearStart(date.yearOfWeek ?? date.year),
  quarter: (date) => quarterStart(date.year, quarterOf(date)),
  month: (date) => date.with({ day: 1 }),
  week: (date) => date.subtract({ days: date.dayOfWeek - 1 }),
};

const CLOCK_UNITS = ['day', 'hour', 'minute', 'second', 'millisecond', 'microsecond'] as const;

/** The value of `date.truncate(unit, moment, components)` and so on. */
export const truncated = (
  type: TemporalType,
  unit: Value,
  value: Value,
  components: Value,
  now: Temporal.Instant,
): Moment => {
  const name = `${type.toLowerCase()}.truncate`;
  if (!(value instanceof Moment)) return fail(`${name} of ${kindOf(value)}: expected a date or time`);
  if (!isMap(components)) return fail(`${name} with ${kindOf(components)}: expected a map of components`);
  const unitName = typeof unit === 'string' ? unit.toLowerCase() : '';
  const period = Object.hasOwn(PERIODS, unitName) ? PERIODS[unitName] : undefined;
  const clockUnit = CLOCK_UNITS.find((each) => each === unitName);
  const isPossible =
    period === undefined
      ? clockUnit !== undefined && (clockUnit === 'day' || (hasTime(type) && hasTime(value.type)))
      : hasDate(type);
  if (!isPossible || (hasDate(type) && !hasDate(value.type)) || (!hasDate(type) && !hasTime(value.type)))
    return fail(`${name} of ${kindOf(value)} by the unit ${typeof unit === 'string' ? unit : kindOf(unit)}`);
  const local =
    clockUnit === undefined
      ? (period ?? startOfYears(1))(value.local.toPlainDate()).toPlainDateTime()
      : value.local.round({ smallestUnit: clockUnit, roundingMode: 'trunc' });
  return withParts(type, new Moment(value.type, local, value.zone), withFraction(components, clockUnit, local), now);
};

/** Smaller units in the components do not replace the fraction that is the result. */
const withFraction = (components: ValueMap, unit: string | undefined, local: Temporal.PlainDateTime): ValueMap => {
  const isSmaller = ['microsecond', 'nanosecond'].some((name) => name !== unit && components.has(name));
  if (!isSmaller) return components;
  if (unit === 'millisecond') return new Map([['millisecond', BigInt(local.millisecond)], ...components]);
  if (unit !== 'microsecond') return components;
  return new Map([['microsecond', BigInt(local.millisecond * 1000 + local.microsecond)], ...components]);
};
