import { QueryFault } from '../cypher/query-fault';
import { type Call, type Expression, type MapLiteral } from '../cypher/tree';
import { type ValueType } from '../cypher/value-type';

// Dates and times of openCypher as texts for the engine, which reads fewer forms of them.

type Parts = Readonly<Record<string, number | undefined>>;

/** `2015-07-21`, `2015-W30-2` and `2015-202`, shorter, or without the dashes. */
const DATE =
  /^(?<year>\d{4})(?:-?(?<month>\d\d)(?:-?(?<day>\d\d))?|-?W(?<week>\d\d)(?:-?(?<dayOfWeek>\d))?|-?(?<ordinalDay>\d{3}))?$/;
const TIME =
  /^(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?<fraction>\.\d{1,6})?)?)?(?<zone>Z|[-+]\d\d(?::?\d\d)?)?$/;

const numbersOf = (groups: Readonly<Record<string, string | undefined>>): Parts =>
  Object.fromEntries(Object.entries(groups).map(([key, text]) => [key, text === undefined ? undefined : Number(text)]));

/** The day of parts, as ISO 8601 writes it; null where it does not exist. */
const isoDay = (parts: Parts): string | null => {
  const { year = NaN, week, dayOfWeek = 1, ordinalDay, quarter, dayOfQuarter = 1 } = parts;
  const {
    month = quarter === undefined ? 1 : quarter * 3 - 2,
    day = quarter === undefined ? (ordinalDay ?? 1) : dayOfQuarter,
  } = parts;
  const time = new Date(0);
  time.setUTCFullYear(year, week === undefined ? month - 1 : 0, week === undefined ? day : 4);
  if (week !== undefined) time.setUTCDate(4 - ((time.getUTCDay() + 6) % 7) + (week - 1) * 7 + dayOfWeek - 1);
  return Number.isNaN(time.getTime()) ? null : time.toISOString().slice(0, 10);
};

const two = (value = 0): string => String(value).padStart(2, '0');

const timeOf = ({ hour, minute, second, millisecond = 0, microsecond = 0 }: Parts): string => {
  const fraction = String(millisecond * 1000 + microsecond).padStart(6, '0');
  return `${two(hour)}:${two(minute)}:${two(second)}.${fraction}`;
};

const textIn = (value: Expression | undefined): string | null =>
  value?.kind === 'literal' && typeof value.value === 'string' ? value.value : null;

/** The numbers of a map; null where one of them is not a literal. */
const partsIn = ({ entries }: MapLiteral): Parts | null =>
  entries.every(({ value }) => value.kind === 'number')
    ? Object.fromEntries(entries.map(({ key, value }) => [key.text, value.kind === 'number' ? Number(value.text) : 0]))
    : null;

const PARTS = new Set(
  'year month day week dayOfWeek ordinalDay quarter dayOfQuarter hour minute second millisecond microsecond'.split(' '),
);

const fail = (message: string, { start }: Call): never => {
  throw new QueryFault(message, start);
};

const checkKeys = ({ entries }: MapLiteral): void => {
  const other = entries.find(({ key }) => !PARTS.has(key.text));
  if (other === undefined) return;
  throw new QueryFault(
    `${other.key.text} is not possible on this kind of instance; use ${[...PARTS].join(', ')}.`,
    other.key.start,
  );
};

/** `date(…)`. */
export const writtenDate = ([of]: readonly ValueType[], call: Call): string => {
  const [value] = call.arguments;
  if (value === undefined) return 'current_date()';
  if (value.kind === 'map') {
    checkKeys(value);
    const parts = partsIn(value);
    const day = parts === null ? null : isoDay(parts);
    if (day !== null) return `date('${day}')`;
    return fail('Write make_date(year, month, day) for a date of numbers that are computed.', call);
  }
  const groups = DATE.exec(textIn(value) ?? '')?.groups;
  const day = groups === undefined ? null : isoDay(numbersOf(groups));
  if (day !== null) return `date('${day}')`;
  return of?.kind === 'other' ? 'CAST(_1 AS DATE)' : 'date(_1)';
};

/** `localdatetime(…)` and `datetime(…)`: times of the engine are in UTC. */
export const writtenMoment = (_: readonly ValueType[], call: Call): string => {
  const [value] = call.arguments;
  if (value === undefined) return 'CAST(current_timestamp() AS TIMESTAMP)';
  if (value.kind === 'map') {
    checkKeys(value);
    const parts = partsIn(value);
    const day = parts === null ? null : isoDay(parts);
    return parts !== null && day !== null
      ? `timestamp('${day} ${timeOf(parts)}')`
      : fail('Write timestamp(text) for a time of numbers that are computed.', call);
  }
  const text = textIn(value);
  if (text === null) return 'CAST(_1 AS TIMESTAMP)';
  const [date = '', time = '00'] = text.split(/[T ]/);
  const [day, clock] = [DATE.exec(date)?.groups, TIME.exec(time)?.groups];
  const iso = day === undefined ? null : isoDay(numbersOf(day));
  if (iso === null || clock === undefined) {
    return fail(
      `${text} is not a time here: write '2024-05-01T10:30:00', with at most six digits after the seconds.`,
      call,
    );
  }
  const { hour, minute = '00', second = '00', fraction = '', zone = '' } = clock;
  return `timestamp('${iso} ${hour}:${minute}:${second}${fraction}${zone}')`;
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

/** What is read of a date or time by a name after a point. */
export const TIME_PARTS: ReadonlyMap<string, string> = new Map([
  ...['year', 'quarter', 'month', 'day', 'hour', 'minute', 'second'].map((name) => [name, part(name)] as const),
  ['millisecond', `${part('microsecond')} % 1000000 / 1000`],
  ['microsecond', `${part('microsecond')} % 1000000`],
  ['dayOfWeek', `((${DAYS}) % 7 + 7) % 7 + 1`],
  ['ordinalDay', `CAST(_1 AS DATE) - make_date(${part('year')}, 1, 1) + 1`],
]);

/** No function of times that the engine lacks. */
export const noTimes =
  (instead: string) =>
  (_: readonly ValueType[], call: Call): string =>
    fail(`${call.name} is not possible on this kind of instance: write ${instead}.`, call);
