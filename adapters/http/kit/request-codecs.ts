import * as t from 'io-ts';
import { fields, matching, optional, text, textForm } from '../../../domain/kernel/codecs';
import { described, type DescribedType, withDefault } from './json-schema-of';

/** A canonical positive integer: `7`, but not `07`, `+7` or `7.0`; null for anything else. */
const idOf = (given: string): number | null =>
  /^[1-9]\d{0,15}$/.test(given) && Number.isSafeInteger(Number(given)) ? Number(given) : null;

export const PathId = described(
  { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  textForm('path id', idOf, 'must be a positive integer', String),
);

/**
 * The number of a version in a path. Other text is passed unchanged, so that the error is that of an unknown version.
 */
export const VersionInPath = described(
  { type: 'integer', minimum: 1 },
  textForm<number | string>('version', (given) => idOf(given) ?? given, 'must be a version', String),
);

/** A name in a path. A name with characters that stores reject is unknown. */
export const PathText = text({ min: 1, max: 1000 });

export const IdParams = fields({ id: PathId });

/** An integer in a query string, strictly: digits only, no leading zeros. */
export const queryInteger = (minimum: number, maximum: number): DescribedType<number, string> => {
  const parse = (given: string): number | null => {
    const value = /^(0|[1-9]\d{0,14})$/.test(given) ? Number(given) : NaN;
    return value >= minimum && value <= maximum ? value : null;
  };
  const words = `must be an integer from ${minimum} to ${maximum}`;
  return described({ type: 'integer', minimum, maximum }, textForm('query integer', parse, words, String));
};

/** Up to 100 ids in a query string, as `7,8,9`. */
export const QueryIds = described(
  { type: 'string', pattern: '^[1-9]\\d*(,[1-9]\\d*){0,99}$' },
  textForm<readonly number[]>(
    'query ids',
    (given) => {
      const ids = given.split(',').flatMap((one) => idOf(one) ?? []);
      return ids.length <= 100 && ids.length === given.split(',').length ? ids : null;
    },
    'must be 1 to 100 positive integers, separated by commas',
    (ids) => ids.join(','),
  ),
);

/** Whether a name can be a segment of a path: clients remove `.` and `..` from addresses, also encoded ones. */
export const isPathSegment = (name: unknown): boolean => name !== '.' && name !== '..';
/** The error for another name. */
export const NO_PATH_SEGMENT = 'must not be `.` or `..`, which addresses cannot contain';

/** A valid username; `system` and `system:…` are reserved. */
export const Username = matching(
  /^(?!\.{1,2}$)(?!system(?::|$))[!-+\--~](?:[ -+\--~]*[!-+\--~])?$/,
  'must be printable ASCII without commas and without outer spaces; `.`, `..`, `system` and names that start with `system:` are not possible',
  255,
);

/** `true` or `false` in a query string. */
export const QueryBoolean = described(
  { type: 'boolean' },
  textForm(
    'query boolean',
    (given) => (given === 'true' || given === 'false' ? given === 'true' : null),
    'must be true or false',
    String,
  ),
);

export const DEFAULT_PAGE_SIZE = 50;

/** The paging parameters of all lists. */
export const pageFields = {
  offset: optional(withDefault(queryInteger(0, 1_000_000_000), 0)),
  limit: optional(withDefault(queryInteger(1, 100), DEFAULT_PAGE_SIZE)),
};

/** Zones up to 14 hours from UTC, which both JavaScript and PostgreSQL support. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;
const JSON_SCHEMA = {
  type: 'string',
  format: 'date-time',
  pattern: TIMESTAMP.source,
  examples: ['2026-01-31T12:00:00Z'],
};
const WORDS = 'must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z';

/** Parses a timestamp; null for a nonexistent time, such as 30 February, and outside of the years 1 to 9999 UTC. */
const timeOf = (given: string): Date | null => {
  const day = TIMESTAMP.exec(given)?.[1];
  if (day === undefined) return null;
  const time = new Date(given);
  const year = time.getUTCFullYear();
  const midnight = new Date(`${day}T00:00:00Z`);
  return year >= 1 && year <= 9_999 && midnight.getUTCDate() === Number(day.slice(8)) ? time : null;
};

/** A point in time in a query string, ISO 8601 with zone. */
export const QueryTimestamp = described(
  JSON_SCHEMA,
  textForm('timestamp', timeOf, WORDS, (date) => date.toISOString()),
);

/** A point in time in a body, ISO 8601 with zone, as ISO 8601 UTC with milliseconds. */
export const Timestamp = described(
  JSON_SCHEMA,
  textForm('timestamp', (given) => timeOf(given)?.toISOString() ?? null, WORDS, t.identity),
);
