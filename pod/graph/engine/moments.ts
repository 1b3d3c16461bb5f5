/** A time without a zone, to the microsecond. */
export interface Moment {
  /** Since 1970, in UTC. */
  readonly milliseconds: number;
  /** 0 to 999, in addition to the milliseconds. */
  readonly microseconds: number;
}

/** The parts of a moment, as named by openCypher. */
export const TIME_PARTS = [
  ...['year', 'month', 'day', 'week', 'dayOfWeek', 'ordinalDay', 'quarter', 'dayOfQuarter'],
  ...['hour', 'minute', 'second', 'millisecond', 'microsecond'],
];

/** Numbers by these names. */
export type TimeParts = Readonly<Record<string, number | undefined>>;

/** `1998-01-31`, `1998-W05-6`, `1998-031`, shorter or without dashes; years beyond 0 to 9999 as `+012345`. */
const DATE =
  /^(?<year>\d{4}|[-+]\d{6})(?:-?(?<month>\d\d)(?:-?(?<day>\d\d))?|-?W(?<week>\d\d)(?:-?(?<dayOfWeek>\d))?|-?(?<ordinalDay>\d{3}))?$/;
/** `10:30:15.123456`, `103015`, `10:30`, `10`. */
const TIME = /^(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,](?<fraction>\d{1,9}))?)?)?Z?$/;

/** Parses ISO 8601: a date, and with `hasTime` a time of day after it. Null for anything else. */
export const readMoment = (text: string, hasTime: boolean): Moment | null => {
  const [dateText = '', timeText, ...more] = text.trim().split(/[T ]/);
  const date = DATE.exec(dateText)?.groups;
  const time = timeText === undefined ? {} : TIME.exec(timeText)?.groups;
  if (date === undefined || time === undefined || more.length > 0 || (timeText !== undefined && !hasTime)) return null;
  const { fraction = '', ...clock } = time;
  if (/[1-9]/.test(fraction.slice(6))) return null;
  const parts = Object.entries<string | undefined>({ ...date, ...clock }).flatMap(([name, digits]) =>
    digits === undefined ? [] : [[name, Number(digits)] as const],
  );
  return momentOf({ ...Object.fromEntries(parts), microsecond: Number(fraction.slice(0, 6).padEnd(6, '0')) });
};

/** The moment of its parts; null if they are invalid. */
export const momentOf = (parts: TimeParts): Moment | null => {
  const { year = NaN, hour = 0, minute = 0, second = 0, millisecond = 0, microsecond = 0 } = parts;
  const time = dayOf(year, parts);
  if (time === null || hour > 23 || minute > 59 || second > 59) return null;
  const micros = millisecond * 1000 + microsecond;
  time.setUTCHours(hour, minute, second, Math.floor(micros / 1000));
  return { milliseconds: time.getTime(), microseconds: micros % 1000 };
};

const dayOf = (year: number, parts: TimeParts): Date | null => {
  const { week, dayOfWeek = 1, ordinalDay, quarter, dayOfQuarter = 1, month = 1, day = 1 } = parts;
  const time = new Date(0);
  if (week !== undefined) {
    time.setUTCFullYear(year, 0, 4);
    time.setUTCDate(4 - ((time.getUTCDay() + 6) % 7) + (week - 1) * 7 + dayOfWeek - 1);
    return isIn(week, 53) && isIn(dayOfWeek, 7) ? time : null;
  }
  if (ordinalDay !== undefined) {
    time.setUTCFullYear(year, 0, ordinalDay);
    return ordinalDay > 0 && time.getUTCFullYear() === year ? time : null;
  }
  if (quarter !== undefined) {
    time.setUTCFullYear(year, quarter * 3 - 3, dayOfQuarter);
    return isIn(quarter, 4) && Math.floor(time.getUTCMonth() / 3) === quarter - 1 ? time : null;
  }
  time.setUTCFullYear(year, month - 1, day);
  return time.getUTCMonth() === month - 1 && time.getUTCDate() === day ? time : null;
};

const isIn = (value: number, most: number): boolean => value >= 1 && value <= most;

const DAYS_OF_400_YEARS = 146_097;
const DAY_MS = 86_400_000;

/** `2024-01-31`; years outside of 0 to 9999 in the expanded format of ISO 8601, with a sign and six digits or more. */
export const isoDay = (year: number, monthAndDay: string): string => {
  const [sign, digits] = year < 0 ? ['-', 6] : year > 9999 ? ['+', 6] : ['', 4];
  return `${sign}${String(Math.abs(year)).padStart(digits, '0')}-${monthAndDay}`;
};

/** The day `days` after 1 January 1970, also beyond the range of JavaScript's dates, which ends in the year 275760. */
export const isoDayAfterEpoch = (days: number): string => {
  const cycles = Math.floor(days / DAYS_OF_400_YEARS);
  const date = new Date((days - cycles * DAYS_OF_400_YEARS) * DAY_MS);
  return isoDay(date.getUTCFullYear() + cycles * 400, date.toISOString().slice(5, 10));
};
