import { Temporal } from 'temporal-polyfill';

export type MomentType = 'DATE' | 'TIME' | 'LOCALTIME' | 'DATETIME' | 'LOCALDATETIME' | 'TIMESTAMP';

/** A type of openCypher. */
export type TemporalType = Exclude<MomentType, 'TIMESTAMP'>;

export const TEMPORAL_TYPES: readonly TemporalType[] = ['DATE', 'TIME', 'LOCALTIME', 'DATETIME', 'LOCALDATETIME'];

export const hasDate = (type: MomentType): boolean => type !== 'TIME' && type !== 'LOCALTIME';
export const hasTime = (type: MomentType): boolean => type !== 'DATE';
export const hasZone = (type: MomentType): boolean => type === 'TIME' || type === 'DATETIME';

/** How far local time is ahead of UTC, in seconds, and the name of the zone if it has one. */
export interface Zone {
  readonly offset: number;
  readonly name: string | null;
}

export const UTC: Zone = { offset: 0, name: null };

/** A date or time of openCypher, or a TIMESTAMP of an engine, which is in UTC. */
export class Moment {
  #utc: Temporal.PlainDateTime | null = null;

  constructor(
    readonly type: MomentType,
    /** A time without a date is on 1 January 1970, and a date is at 0:00. */
    readonly local: Temporal.PlainDateTime,
    /** TIME and DATETIME only. */
    readonly zone: Zone | null = null,
    /** The text that an engine returned, such as a property: engines compare these with texts, too. */
    readonly stored: string | null = null,
  ) {}

  get utc(): Temporal.PlainDateTime {
    return (this.#utc ??= this.zone === null ? this.local : this.local.subtract({ seconds: this.zone.offset }));
  }

  /** A TIMESTAMP has no zone in texts, but is in UTC. */
  get actualZone(): Zone | null {
    return this.type === 'TIMESTAMP' ? UTC : this.zone;
  }

  /** In answers: a TIMESTAMP as engines return it. */
  get answerText(): string {
    if (this.stored !== null || this.type !== 'TIMESTAMP') return this.stored ?? String(this);
    const { microsecond, nanosecond } = this.local;
    return `${this.local.toString({ fractionalSecondDigits: nanosecond > 0 ? 9 : microsecond > 0 ? 6 : 3 })}Z`;
  }

  /** In the format of openCypher; a TIMESTAMP without zone. */
  toString(): string {
    const date = this.local.toPlainDate().toString();
    if (!hasTime(this.type)) return date;
    const time = this.local.toPlainTime().toString().replace(/:00$/, '');
    const zone = this.zone === null ? '' : zoneText(this.zone);
    return `${hasDate(this.type) ? `${date}T` : ''}${time}${zone}`;
  }
}

const zoneText = ({ offset, name }: Zone): string => offsetText(offset) + (name === null ? '' : `[${name}]`);

/** `Z`, `+01:00`, `+00:53:28`. */
export const offsetText = (offset: number): string => {
  if (offset === 0) return 'Z';
  const parts = [offset / 3600, (offset / 60) % 60, offset % 60].map((part) => Math.trunc(Math.abs(part)));
  const [hours, minutes, seconds] = parts.map((part) => String(part).padStart(2, '0'));
  return `${offset < 0 ? '-' : '+'}${hours}:${minutes}${parts[2] === 0 ? '' : `:${seconds}`}`;
};

/** The value of `2024-05-01` or `2024-05-01T10:30:00.000Z`, as engines return them. */
export const storedMoment = (type: 'DATE' | 'TIMESTAMP', text: string): Moment =>
  new Moment(type, Temporal.PlainDateTime.from(text.replace(/Z$/, '')), null, text);

/** Whether two moments have an order: a TIMESTAMP has one with every date with a time. */
export const areOrdered = (a: Moment, b: Moment): boolean =>
  a.type === b.type || isStampWith(a, b) || isStampWith(b, a);

const isStampWith = ({ type }: Moment, other: Moment): boolean =>
  type === 'TIMESTAMP' && (other.type === 'DATETIME' || other.type === 'LOCALDATETIME');

/** By time in UTC, then by zone. */
export const compareMoments = (a: Moment, b: Moment): number =>
  Temporal.PlainDateTime.compare(a.utc, b.utc) || (a.type === b.type ? compareZones(a.zone ?? UTC, b.zone ?? UTC) : 0);

const compareZones = (a: Zone, b: Zone): number => {
  const [left, right] = [a.name ?? '', b.name ?? ''];
  return a.offset - b.offset || (left < right ? -1 : left > right ? 1 : 0);
};
