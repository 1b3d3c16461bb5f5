import * as t from 'io-ts';

/** A whole number in a query string, strictly: digits only, no leading zeros. */
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
        const value = typeof u === 'string' && /^(0|[1-9]\d{0,14})$/.test(u) ? Number(u) : NaN;
        return value >= min && value <= max
          ? t.success(value)
          : t.failure(u, context, `must be an integer from ${min} to ${max}`);
      },
      String,
    );
  }
}

export const queryInteger = (min: number, max: number): QueryIntegerType => new QueryIntegerType(min, max);
