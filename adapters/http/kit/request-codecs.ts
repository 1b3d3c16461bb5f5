import * as t from 'io-ts';
import { fields, optional, text } from '../../../domain/kernel/codecs';
import { described } from './json-schema';
import { queryInteger } from './query-integer';
import { withDefault } from './json-schema-of';

const isPathId = (text: string): boolean => /^[1-9]\d{0,15}$/.test(text) && Number.isSafeInteger(Number(text));

/** A canonical positive integer in a path: `7`, but not `07`, `+7` or `7.0`. */
export const PathId = described(
  { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  new t.Type<number, string>(
    'path id',
    (u): u is number => typeof u === 'number',
    (u, context) =>
      typeof u === 'string' && isPathId(u) ? t.success(Number(u)) : t.failure(u, context, 'must be a positive integer'),
    String,
  ),
);

/**
 * The number of a version in a path. Any other text comes through as it is, so that it can be refused like a version
 * that does not exist.
 */
export const VersionInPath = described(
  { type: 'integer', minimum: 1 },
  new t.Type<number | string, string>(
    'version',
    (u): u is number | string => typeof u === 'number' || typeof u === 'string',
    (u, context) => (typeof u === 'string' ? t.success(isPathId(u) ? Number(u) : u) : t.failure(u, context)),
    String,
  ),
);

/** A name in a path. One with characters that no store keeps names nothing. */
export const PathText = text({ min: 1, max: 1000 });

export const IdParams = fields({ id: PathId });

/** Up to 100 ids in a query string, as `7,8,9`. */
export const QueryIds = described(
  { type: 'string', pattern: '^[1-9]\\d*(,[1-9]\\d*){0,99}$' },
  new t.Type<readonly number[], string>(
    'query ids',
    (u): u is readonly number[] => Array.isArray(u),
    (u, context) => {
      const ids = typeof u === 'string' ? u.split(',') : [];
      return ids.length > 0 && ids.length <= 100 && ids.every(isPathId)
        ? t.success(ids.map(Number))
        : t.failure(u, context, 'must be 1 to 100 positive integers, separated by commas');
    },
    (ids) => ids.join(','),
  ),
);

/** A username that callers may have; `system` and `system:…` are those of rowgraph itself. */
export const Username = text({
  min: 1,
  max: 255,
  pattern: {
    regexp: /^(?!system(?::|$))[!-+\--~](?:[ -+\--~]*[!-+\--~])?$/,
    words:
      'must be printable ASCII without commas and without outer spaces; `system` and names that start with `system:` are reserved',
  },
});

/** `true` or `false` in a query string. */
export const QueryBoolean = described(
  { type: 'boolean' },
  new t.Type<boolean, string>(
    'query boolean',
    (u): u is boolean => typeof u === 'boolean',
    (u, context) =>
      u === 'true' || u === 'false' ? t.success(u === 'true') : t.failure(u, context, 'must be true or false'),
    String,
  ),
);

export const DEFAULT_PAGE_SIZE = 50;

/** Paging parameters every list takes. */
export const pageFields = {
  offset: optional(withDefault(queryInteger(0, 1_000_000_000), 0)),
  limit: optional(withDefault(queryInteger(1, 100), DEFAULT_PAGE_SIZE)),
};

/** Zones up to 14 hours away: what both JavaScript and PostgreSQL understand. */
const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-](0\d|1[0-4]):[0-5]\d)$/;
const JSON_SCHEMA = {
  type: 'string',
  format: 'date-time',
  pattern: TIMESTAMP.source,
  examples: ['2026-01-31T12:00:00Z'],
};
const WORDS = 'must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z';

/** The time a text means; null for one that does not exist, such as 30 February or a day of the year 0. */
const timeOf = (u: unknown): Date | null => {
  const day = typeof u === 'string' ? TIMESTAMP.exec(u)?.[1] : undefined;
  if (typeof u !== 'string' || day === undefined || day.startsWith('0000')) return null;
  const time = new Date(u);
  const midnight = new Date(`${day}T00:00:00Z`);
  const exists = !Number.isNaN(time.getTime()) && midnight.getUTCDate() === Number(day.slice(8));
  return exists ? time : null;
};

/** A point in time in a query string, ISO 8601 with zone. */
export const QueryTimestamp = described(
  JSON_SCHEMA,
  new t.Type<Date, string>(
    'timestamp',
    (u): u is Date => u instanceof Date,
    (u, context) => {
      const time = timeOf(u);
      return time === null ? t.failure(u, context, WORDS) : t.success(time);
    },
    (date) => date.toISOString(),
  ),
);

/** A point in time in a body, ISO 8601 with zone, as ISO 8601 UTC with milliseconds. */
export const Timestamp = described(
  JSON_SCHEMA,
  new t.Type<string>(
    'timestamp',
    (u): u is string => timeOf(u) !== null,
    (u, context) => {
      const time = timeOf(u);
      return time === null ? t.failure(u, context, WORDS) : t.success(time.toISOString());
    },
    t.identity,
  ),
);
