import { type Parts } from './date-and-time';
import { hasDate, hasTime, hasZone, type TemporalType } from './moment';

/** `2015-07-21`, `2015-W30-2`, `2015-Q3-21`, `2015-202`, shorter or without dashes; other years as `+12345` with dashes. */
const DATE =
  /^(?<year>\d{4}|[-+]\d{1,9}(?=-|$))(?:-?(?<month>\d\d)(?:-?(?<day>\d\d))?|-?W(?<week>\d\d)(?:-?(?<dayOfWeek>\d))?|-?Q(?<quarter>\d)(?:-?(?<dayOfQuarter>\d\d))?|-?(?<ordinalDay>\d{3}))?$/;
/** `21:40:32.142`, `214032`, `21:40`, `21`, with an offset or a zone. */
const TIME =
  /^(?<hour>\d\d)(?::?(?<minute>\d\d)(?::?(?<second>\d\d)(?:[.,](?<nanosecond>\d{1,9}))?)?)?(?<offset>Z|[-+]\d\d(?::?\d\d(?::?\d\d)?)?)?(?:\[(?<zone>[^\]]+)\])?$/;

export interface ReadText {
  readonly parts: Parts;
  readonly offset: string | null;
  readonly zone: string | null;
}

/** The parts of a text in ISO 8601 that has only what a type has; null for any other text. */
export const readText = (text: string, type: TemporalType): ReadText | null => {
  const [first, second, ...more] = text.split(/[T ]/);
  const [dateText, timeText] = hasDate(type) ? [first, second] : [undefined, first];
  const date = dateText === undefined ? {} : DATE.exec(dateText)?.groups;
  const time = timeText === undefined ? {} : TIME.exec(timeText)?.groups;
  if (date === undefined || time === undefined || more.length > 0) return null;
  if (hasDate(type) ? timeText !== undefined && !hasTime(type) : second !== undefined) return null;
  const { offset = null, zone = null, nanosecond, ...clock } = time as Partial<Record<string, string>>;
  if ((offset !== null || zone !== null) && !hasZone(type)) return null;
  const digits = { ...date, ...clock, nanosecond: nanosecond?.padEnd(9, '0') };
  const parts = Object.entries<string | undefined>(digits).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Number(value)] as const],
  );
  return { parts: new Map(parts), offset, zone };
};
