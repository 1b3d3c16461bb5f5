import { type Duration } from '../../evaluate/temporal/duration';
import { simple, type Type, type Value } from './type';

export const DURATION: Type = { kind: 'duration' };
/** In microseconds. */
export const DAY = 86_400_000_000;

/** Months, days and microseconds; not an INTERVAL, which equals others of the same length. */
export const durationStruct = (months: string, days: string, microseconds: string): string =>
  `{'m': CAST(${months} AS BIGINT), 'd': CAST(${days} AS BIGINT), 'u': CAST(${microseconds} AS BIGINT)}`;

export const durationPart = (sql: string, name: 'm' | 'd' | 'u'): string => `struct_extract(${sql}, '${name}')`;

/** A constant duration; null if it has nanoseconds, which stored times do not have. */
export const durationLiteral = ({ months, days, nanoseconds }: Duration): Value | null =>
  nanoseconds % 1000n === 0n
    ? simple(DURATION, durationStruct(String(months), String(days), String(nanoseconds / 1000n)))
    : null;
