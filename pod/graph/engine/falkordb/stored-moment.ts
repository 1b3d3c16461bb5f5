import { type GraphProperty } from '../graph-schema';

/** A time without a zone, to the microsecond. */
export interface Moment {
  readonly milliseconds: number;
  /** 0 to 999, beyond the milliseconds. */
  readonly microseconds: number;
}

/** The format of the values of a property: all times of a column have the same number of digits. */
export type StoredForm = 'DATE' | 'MILLISECONDS' | 'MICROSECONDS';

/** Null for a property without dates or times. */
export const storedForm = ({ type, wholeMilliseconds }: GraphProperty): StoredForm | null => {
  const item = type.kind === 'list' ? type.item : type;
  if (item.kind !== 'scalar') return null;
  if (item.name === 'DATE') return 'DATE';
  if (item.name !== 'TIMESTAMP') return null;
  return type.kind === 'scalar' && wholeMilliseconds ? 'MILLISECONDS' : 'MICROSECONDS';
};

/**
 * The text that equals a stored one for the same moment and sorts among the others as the moment does: where a form has
 * too few digits for it, the text comes right after the one without them.
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

/** Reads ISO 8601: a date, and with `hasTime` a time of the day after it. Null for anything else. */
export const readMoment = (text: string, hasTime: boolean): Moment | null => {
  const [dateText = '', timeText, ...more] = text.trim().split(/[T ]/);
  if (more.length > 0 || (timeText !== undefined && !hasTime)) return null;
  const date = DATE_TEXT.exec(dateText);
  const time = timeText === undefined ? [] : TIME_TEXT.exec(timeText);
  if (date === null || time === null) return null;
  const [year = 0, month = 1, day = 1] = [date[1] ?? date[2], date[3] ?? date[5], date[4] ?? date[6]].map(numberOf);
  const [hour = 0, minute = 0, second = 0] = [time[1], time[2], time[3]].map(numberOf);
  const fraction = (time[4] ?? '').padEnd(6, '0');
  if (/[1-9]/.test(fraction.slice(6))) return null;
  const moment = new Date(0);
  moment.setUTCFullYear(year, month - 1, day);
  moment.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3)));
  const inCalendar =
    moment.getUTCMonth() === month - 1 && moment.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  return inCalendar ? { milliseconds: moment.getTime(), microseconds: Number(fraction.slice(3, 6)) } : null;
};

const numberOf = (digits: string | undefined): number | undefined =>
  digits === undefined ? undefined : Number(digits);
