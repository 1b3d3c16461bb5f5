import { Temporal } from 'temporal-polyfill';
import { fail } from '../evaluation-fault';
import { Moment, type MomentType, offsetText, type Zone } from './moment';

/** An offset in seconds, or the name of a zone, whose offset depends on the date. */
export type ZoneRule = number | string;

const OFFSET = /^([-+])(\d\d)(?::?(\d\d)(?::?(\d\d))?)?$/;
const MAX_OFFSET = 18 * 3600;

/** The zone of `Z`, `+01:00` or `Europe/Stockholm`. */
export const readZone = (text: string): ZoneRule => {
  if (/^z$/i.test(text)) return 0;
  const [match, sign = '', hours = 0, minutes = 0, seconds = 0] = OFFSET.exec(text) ?? [];
  const offset = Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds));
  if (match === undefined) return zoneName(text.replaceAll(' ', '_'));
  if (Math.abs(offset) > MAX_OFFSET || Number(minutes) > 59 || Number(seconds) > 59)
    return fail(`the offset ${text}: it must be between -18:00 and +18:00`);
  return offset;
};

const zoneName = (text: string): string => {
  if (/^[a-z][\w/+-]*$/i.test(text)) {
    try {
      return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return fail(`the time zone ${text}: expected an offset such as '+01:00' or a name such as 'Europe/Stockholm'`);
};

export const ruleOf = ({ offset, name }: Zone): ZoneRule => name ?? offset;

const zoneOf = ({ offsetNanoseconds }: Temporal.ZonedDateTime, name: string): Zone => ({
  offset: offsetNanoseconds / 1e9,
  name,
});

/** The local time of a zone: after a gap if it is in one, and the first of two unless `offset` selects the second. */
export const inZone = (type: MomentType, local: Temporal.PlainDateTime, rule: ZoneRule, offset?: number): Moment => {
  if (typeof rule === 'number') return new Moment(type, local, { offset: rule, name: null });
  const zoned = (disambiguation: 'compatible' | 'later'): Moment => {
    const found = local.toZonedDateTime(rule, { disambiguation });
    return new Moment(type, found.toPlainDateTime(), zoneOf(found, rule));
  };
  const first = zoned('compatible');
  if (offset === undefined || first.zone?.offset === offset) return first;
  const second = zoned('later');
  return second.zone?.offset === offset
    ? second
    : fail(
        `the offset ${offsetText(offset)} of ${rule} at ${local.toString()}: it is ${offsetText(first.zone?.offset ?? 0)}`,
      );
};

/** The same time in another zone. */
export const movedTo = (moment: Moment, rule: ZoneRule): Moment => ofUtc(moment.type, moment.utc, rule);

/** The moment in a zone when it is this time in UTC. */
export const ofUtc = (type: MomentType, utc: Temporal.PlainDateTime, rule: ZoneRule): Moment => {
  if (typeof rule === 'number') return new Moment(type, utc.add({ seconds: rule }), { offset: rule, name: null });
  const zoned = utc.toZonedDateTime('UTC').withTimeZone(rule);
  return new Moment(type, zoned.toPlainDateTime(), zoneOf(zoned, rule));
};
