import { type GraphProperty } from '../../graph-schema';

/** A time without a zone, to the microsecond. */
export interface Moment {
  readonly milliseconds: number;
  /** 0 to 999, beyond the milliseconds. */
  readonly microseconds: number;
}

/** How the values of a property are written: times have as many digits in the whole column. */
export type StoredForm = 'DATE' | 'MILLISECONDS' | 'MICROSECONDS';

/** Null for a property that holds no dates or times. */
export const storedForm = ({ type, wholeMilliseconds }: GraphProperty): StoredForm | null => {
  const item = type.kind === 'list' ? type.item : type;
  if (item.kind !== 'scalar') return null;
  if (item.name === 'DATE') return 'DATE';
  if (item.name !== 'TIMESTAMP') return null;
  return type.kind === 'scalar' && wholeMilliseconds ? 'MILLISECONDS' : 'MICROSECONDS';
};

/**
 * The text that equals a stored one for the same moment and sorts beside the others as the moment does: where a form has
 * no digits for all of it, it comes right after the text that lacks them.
 */
export const storedText = ({ milliseconds, microseconds }: Moment, form: StoredForm): string => {
  const iso = new Date(milliseconds).toISOString().slice(0, -1);
  const [day = '', time = ''] = iso.split('T');
  const digits = String(microseconds).padStart(3, '0');
  if (form === 'DATE') return /[1-9]/.test(time + digits) ? `${iso}${digits}` : day;
  return form === 'MICROSECONDS' ? `${iso}${digits}Z` : `${iso}Z${microseconds === 0 ? '' : digits}`;
};

/** `1998-01-31`, `19980131`, `1998-01`, `1998`, years beyond 0 to 9999 as `+012345-01-31`. */
const DATE_TEXT = /^(?:(\d{4})|([+-]\d{6}))(?:-(\d\d)(?:-(\d\d))?|(\d\d)(\d\d))?$/;
/** `10:30:15.123456`, `103015`, `10:30`, `10`. */
const TIME_TEXT = /^(\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d{1,9}))?)?)?Z?$/;

/** Reads ISO 8601: a date, and with `hasTime` a time of the day behind it. Null for anything else. */
export const readMoment = (text: string, hasTime: boolean): Moment | null => {
  const [dateText = '', timeText, ...more] = text.trim().split(/[T ]/);
  if (more.length > 0 || (timeText !== undefined && !hasTime)) return null;
  const date = DATE_TEXT.exec(dateText);
  const time = timeText === undefined ? [] : TIME_TEXT.exec(timeText);
  if (date === null || time === null) return null;
  const [, year, longYear, month, day, basicMonth, basicDay] = date;
  const [, hour, minute, second, fraction = ''] = time;
  if (/[1-9]/.test(fraction.slice(6))) return null;
  return momentOf({
    year: Number(year ?? longYear),
    month: Number(month ?? basicMonth ?? 1),
    day: Number(day ?? basicDay ?? 1),
    hour: Number(hour ?? 0),
    minute: Number(minute ?? 0),
    second: Number(second ?? 0),
    microsecond: Number(fraction.slice(0, 6).padEnd(6, '0')),
  });
};

/** What `date({…})` and `localdatetime({…})` take, in the order of their size. */
const FIELDS = ['year', 'month', 'day', 'hour', 'minute', 'second', 'millisecond', 'microsecond'] as const;

/** Null where a field is unknown, no whole number, or not in the calendar. */
export const momentOf = (fields: Readonly<Record<string, unknown>>): Moment | null => {
  if (fields['year'] === undefined || Object.keys(fields).some((name) => !FIELDS.some((field) => field === name))) {
    return null;
  }
  const numbers = FIELDS.map((field, index) => fields[field] ?? (index < 3 ? 1 : 0));
  if (!numbers.every((value): value is number => Number.isSafeInteger(value))) return null;
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0, millisecond = 0, microsecond = 0] = numbers;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute, second);
  const written = [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), date.getUTCHours()];
  if ([year, month, day, hour].some((value, index) => value !== written[index]) || minute > 59 || second > 59)
    return null;
  const micros = millisecond * 1_000 + microsecond;
  if (minute < 0 || second < 0 || millisecond < 0 || microsecond < 0 || micros > 999_999) return null;
  return { milliseconds: date.getTime() + Math.floor(micros / 1_000), microseconds: micros % 1_000 };
};
