import * as t from 'io-ts';
import { described } from '../../http/kit';

const MAX_DEPTH = 64;

/** Looks no deeper than the limit, so that its own stack is bounded too. */
const isDeeperThan = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1)));

const Value = described(
  { description: `Any JSON value, lists and objects in each other at most ${MAX_DEPTH} deep` },
  new t.Type<unknown>(
    'QueryParameter',
    (value): value is unknown => !isDeeperThan(value, MAX_DEPTH),
    (value, context) =>
      isDeeperThan(value, MAX_DEPTH)
        ? t.failure(value, context, `has lists or objects more than ${MAX_DEPTH} deep in each other; send it flatter`)
        : t.success(value),
    t.identity,
  ),
);

/** The parameters of a query by name. Their depth is limited, so that recursive code is safe. */
export const QueryParameters = t.record(t.string, Value);
