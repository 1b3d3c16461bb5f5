import { type Temporal } from 'temporal-polyfill';
import { fail, unsupported } from '../evaluation-fault';
import { isMap, isNumber, kindOf, type Value, type ValueMap } from '../values';
import { Duration, fractionOf, readDuration, sumOfUnits, UNIT_NAMES } from './duration';
import { between, inDays, inMonths, inSeconds } from './durations-between';
import { inRange } from './in-range';
import { makeMoment, presentMoment } from './make-moment';
import { Moment, TEMPORAL_TYPES, type TemporalType } from './moment';
import { epochMoment } from './read-map';
import { truncated } from './truncate';
import { readZone } from './zones';

/** A function of a query whose present moment is `now`. */
type TemporalFunction = (now: Temporal.Instant, ...values: readonly Value[]) => Value;

const makeDuration = (value: Value): Duration => {
  if (value instanceof Duration) return value;
  if (isMap(value)) return ofUnits(value);
  const duration = typeof value === 'string' ? readDuration(value) : null;
  const shown = typeof value === 'string' ? `'${value}'` : kindOf(value);
  return duration ?? fail(`a duration of ${shown}: expected a map of units, or ISO 8601 such as 'P1Y2M3DT4H5M6.7S'`);
};

const ofUnits = (map: ValueMap): Duration => {
  const counts = [...map].map(([name, value]) => {
    if (isNumber(value) && Number.isFinite(Number(value))) return [name, fractionOf(String(value))] as const;
    return fail(`${name} of a duration is ${kindOf(value)}: expected a number`);
  });
  return sumOfUnits(counts) ?? fail(`a duration of ${[...map.keys()].join(', ')}: expected ${UNIT_NAMES.join(', ')}`);
};

const ofTwo =
  (name: string, measure: (from: Moment, to: Moment) => Duration): TemporalFunction =>
  (_, from = null, to = null) =>
    from instanceof Moment && to instanceof Moment
      ? measure(from, to)
      : fail(`${name} of ${kindOf(from)} and ${kindOf(to)}: expected dates or times`);

const present =
  (type: TemporalType): TemporalFunction =>
  (now, zone = 'Z') =>
    typeof zone === 'string'
      ? presentMoment(type, readZone(zone), now)
      : fail(`the time zone ${kindOf(zone)}: expected a text`);

const ofType = (type: TemporalType): readonly (readonly [string, TemporalFunction])[] => [
  [type, (now, value) => makeMoment(type, value, now)],
  ...['TRANSACTION', 'STATEMENT', 'REALTIME'].map((clock) => [`${type}.${clock}`, present(type)] as const),
  [
    `${type}.TRUNCATE`,
    (now, unit = null, value = makeMoment(type, undefined, now), components = new Map<string, Value>()) =>
      truncated(type, unit, value, components, now),
  ],
];

const BY_NAME: ReadonlyMap<string, TemporalFunction> = new Map<string, TemporalFunction>([
  ...TEMPORAL_TYPES.flatMap(ofType),
  [
    'TIMESTAMP',
    (now, ...values) => (values.length === 0 ? BigInt(now.epochMilliseconds) : unsupported('timestamp(…)')),
  ],
  [
    'DATETIME.FROMEPOCH',
    (_, seconds = null, nanoseconds = 0n) =>
      epochMoment({ seconds: integerOf(seconds), nanoseconds: integerOf(nanoseconds) }),
  ],
  ['DATETIME.FROMEPOCHMILLIS', (_, milliseconds = null) => epochMoment({ milliseconds: integerOf(milliseconds) })],
  ['DURATION', (_, value = null) => makeDuration(value)],
  ['DURATION.BETWEEN', ofTwo('duration.between', between)],
  ['DURATION.INMONTHS', ofTwo('duration.inMonths', inMonths)],
  ['DURATION.INDAYS', ofTwo('duration.inDays', inDays)],
  ['DURATION.INSECONDS', ofTwo('duration.inSeconds', inSeconds)],
]);

const integerOf = (value: Value): number =>
  typeof value === 'bigint' ? Number(value) : fail(`a time after 1970 of ${kindOf(value)}: expected an integer`);

/** The temporal functions of openCypher, in upper case; the pod computes them where no engine is needed. */
export const TEMPORAL_FUNCTIONS: ReadonlySet<string> = new Set(BY_NAME.keys());

/** The value of one of these functions; null if an argument is null. */
export const temporalValue = (name: string, values: readonly Value[], now: Temporal.Instant): Value =>
  values.includes(null) ? null : inRange(() => BY_NAME.get(name)?.(now, ...values) ?? null);
