import * as t from 'io-ts';
import { fields, optional } from '../../../domain/kernel/codecs';
import { described } from './json-schema';

/** A canonical positive integer in a path: `7`, but not `07`, `+7` or `7.0`. */
export const PathId = described(
  { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
  new t.Type<number, string>(
    'path id',
    (u): u is number => typeof u === 'number',
    (u, context) =>
      typeof u === 'string' && /^[1-9]\d{0,15}$/.test(u) && Number.isSafeInteger(Number(u))
        ? t.success(Number(u))
        : t.failure(u, context, 'must be a positive integer'),
    String,
  ),
);

export const IdParams = fields({ id: PathId });

/** A whole number in a query string, strictly: digits only. */
export class QueryIntegerType extends t.Type<number, string> {
  readonly _tag = 'QueryIntegerType' as const;
  constructor(
    readonly min: number,
    readonly max: number,
  ) {
    super(
      'query integer',
      (u): u is number => typeof u === 'number',
      (u, context) => {
        const value = typeof u === 'string' && /^\d{1,15}$/.test(u) ? Number(u) : NaN;
        return value >= min && value <= max
          ? t.success(value)
          : t.failure(u, context, `must be an integer from ${min} to ${max}`);
      },
      String,
    );
  }
}

export const queryInteger = (min: number, max: number): QueryIntegerType => new QueryIntegerType(min, max);

/** Paging parameters every list takes. */
export const pageFields = {
  offset: optional(queryInteger(0, 1_000_000_000)),
  limit: optional(queryInteger(1, 100)),
};

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** A point in time in a query string, ISO 8601 with zone. */
export const QueryTimestamp = described(
  { type: 'string', format: 'date-time', pattern: TIMESTAMP.source, examples: ['2026-01-31T12:00:00Z'] },
  new t.Type<Date, string>(
    'timestamp',
    (u): u is Date => u instanceof Date,
    (u, context) => {
      const value = new Date(typeof u === 'string' && TIMESTAMP.test(u) ? u : NaN);
      return Number.isNaN(value.getTime())
        ? t.failure(u, context, 'must be an ISO 8601 timestamp such as 2026-01-31T12:00:00Z')
        : t.success(value);
    },
    (date) => date.toISOString(),
  ),
);
