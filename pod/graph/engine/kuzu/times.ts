import { constantMoment } from '../cypher/constant-moment';
import { QueryFault } from '../cypher/query-fault';
import { type Call, type Expression, type MapLiteral } from '../cypher/tree';
import { type ValueType } from '../cypher/value-type';
import { type Moment, TIME_PARTS as MOMENT_PARTS } from '../moments';

// Dates and times of openCypher as texts for the engine, which supports fewer formats.

const textIn = (value: Expression | undefined): string | null =>
  value?.kind === 'literal' && typeof value.value === 'string' ? value.value : null;

/** `2024-05-01 10:30:00.000000`. */
const engineText = ({ milliseconds, microseconds }: Moment): string =>
  new Date(milliseconds).toISOString().replace('T', ' ').slice(0, -1) + String(microseconds).padStart(3, '0');

const fail = (message: string, { start }: Call): never => {
  throw new QueryFault(message, start);
};

const checkKeys = ({ entries }: MapLiteral): void => {
  const other = entries.find(({ key }) => !MOMENT_PARTS.includes(key.text));
  if (other === undefined) return;
  throw new QueryFault(
    `${other.key.text} is not possible on this kind of instance; use ${MOMENT_PARTS.join(', ')}.`,
    other.key.start,
  );
};

/** `date(…)`. */
export const writtenDate = ([of]: readonly ValueType[], call: Call): string => {
  const [value] = call.arguments;
  if (value === undefined) return 'current_date()';
  if (value.kind === 'map') checkKeys(value);
  const found = constantMoment(value, false);
  if (found !== null && found !== undefined) return `date('${engineText(found).slice(0, -16)}')`;
  if (value.kind === 'map')
    return fail('Write make_date(year, month, day) for a date of numbers that are computed.', call);
  return of?.kind === 'other' ? 'CAST(_1 AS DATE)' : 'date(_1)';
};

/** `localdatetime(…)` and `datetime(…)`: times of the engine are in UTC. */
export const writtenMoment = (_: readonly ValueType[], call: Call): string => {
  const [value] = call.arguments;
  if (value === undefined) return 'CAST(current_timestamp() AS TIMESTAMP)';
  if (value.kind === 'map') checkKeys(value);
  const found = constantMoment(value, true, true);
  if (found !== null && found !== undefined) {
    const utc = engineText(found);
    const isInUtc = constantMoment(value, true) !== null;
    return isInUtc ? `timestamp('${utc}')` : fail(`Times have no zone here: write '${utc.replace(' ', 'T')}'.`, call);
  }
  if (value.kind === 'map') return fail('Write timestamp(text) for a time of numbers that are computed.', call);
  if (found === undefined) return 'CAST(_1 AS TIMESTAMP)';
  const advice = "write '2024-05-01T10:30:00', with at most six digits after the seconds";
  return fail(`${textIn(value)} is not a time here: ${advice}.`, call);
};

const UNITS = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'];
const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d{1,6})?)S)?)?$/;

/** `duration(…)`: whole units only, except for seconds. */
export const writtenDuration = (_: readonly ValueType[], call: Call): string => {
  const [value] = call.arguments;
  const text = textIn(value);
  if (value?.kind === 'map') {
    const parts = value.entries.map(({ key, value: part }) => {
      if (!UNITS.includes(key.text) || part.kind !== 'number' || !/^\d+$/.test(part.text)) {
        return fail(`Write interval('3 days'): a duration has whole ${UNITS.join(', ')} here.`, call);
      }
      return `${part.text} ${key.text}`;
    });
    return `interval('${weeksAsDays(parts).join(' ')}')`;
  }
  if (text?.startsWith('P') !== true) return 'interval(_1)';
  const found = DURATION.exec(text);
  const parts = UNITS.flatMap((unit, at) => (found?.[at + 1] === undefined ? [] : [`${found[at + 1]} ${unit}`]));
  if (parts.length === 0) return fail(`Write interval('3 days'): a duration has whole ${UNITS.join(', ')} here.`, call);
  return `interval('${weeksAsDays(parts).join(' ')}')`;
};

const weeksAsDays = (parts: readonly string[]): readonly string[] =>
  parts.map((part) => (part.endsWith('weeks') ? `${Number(part.split(' ')[0]) * 7} days` : part));

const TRUNCATED = new Set([
  'millennium',
  'century',
  'decade',
  'year',
  'quarter',
  'month',
  'day',
  'hour',
  'minute',
  'second',
]);

/** `date.truncate('month', n.born)`. */
export const truncated =
  (type: 'DATE' | 'TIMESTAMP') =>
  (_: readonly ValueType[], call: Call): string => {
    const unit = textIn(call.arguments[0])?.toLowerCase() ?? '';
    if (!TRUNCATED.has(unit) || call.arguments.length !== 2) {
      return fail(`Write ${call.name}(unit, time) with one of the units ${[...TRUNCATED].join(', ')}.`, call);
    }
    return `CAST(date_trunc('${unit}', CAST(_2 AS ${type})) AS ${type})`;
  };

const part = (name: string): string => `date_part('${name}', _1)`;
const DAYS = "CAST(_1 AS DATE) - date('1970-01-05')";

/** Parts of a date or time, by their name after a dot. */
export const TIME_PARTS: ReadonlyMap<string, string> = new Map([
  ...['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second'].map((name) => [name, part(name)] as const),
  ['millisecond', `${part('microsecond')} % 1000000 / 1000`],
  ['microsecond', `${part('microsecond')} % 1000000`],
  ['dayOfWeek', `((${DAYS}) % 7 + 7) % 7 + 1`],
  ['ordinalDay', `CAST(_1 AS DATE) - make_date(${part('year')}, 1, 1) + 1`],
]);

/** Rejects temporal functions that the engine does not have. */
export const noTimes =
  (instead: string) =>
  (_: readonly ValueType[], call: Call): string =>
    fail(`${call.name} is not possible on this kind of instance: write ${instead}.`, call);
