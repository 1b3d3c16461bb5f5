import { constantMoment } from './make-moment';
import { type Moment } from './moment';

/** The texts that DuckDB reads as a date or time: ISO 8601, also with single digits, slashes and a space. */
const DATE_AND_TIME =
  /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d+))?)?(Z|[-+]\d\d(?::?\d\d)?)?)?$/i;

/** A text of a query beside a stored date or time, to the microsecond; null if it is neither. */
export const momentOfText = (text: string, type: 'DATE' | 'TIMESTAMP'): Moment | null => {
  const [match, year = '', month = '', day = '', ...clock] = DATE_AND_TIME.exec(text.trim()) ?? [];
  if (match === undefined) return null;
  const date = [year, month, day].map((part) => part.padStart(2, '0')).join('-');
  if (type === 'DATE') return constantMoment('DATE', date);
  const [hour = '0', minute = '0', second = '0', fraction = '', offset = 'Z'] = clock;
  const time = [hour, minute, second].map((part) => part.padStart(2, '0')).join(':');
  return constantMoment('DATETIME', `${date}T${time}.${fraction.slice(0, 6).padEnd(6, '0')}${offset.toUpperCase()}`);
};

/** Whether a text has the form of stored years beyond 0 to 9999, or of infinite values. */
export const isUnusualTime = (text: string): boolean => /^([-+]?\d{5,}-|-\d|-?infinity$)/.test(text);
