import * as t from 'io-ts';

/** A whole JSON number within bounds (both inclusive). */
export class IntegerType extends t.Type<number> {
  readonly _tag = 'IntegerType' as const;
  constructor(
    readonly min: number,
    readonly max: number,
  ) {
    const fits = (u: unknown): u is number => typeof u === 'number' && Number.isInteger(u) && u >= min && u <= max;
    const words =
      max === Number.MAX_SAFE_INTEGER
        ? `must be an integer of at least ${min}`
        : `must be an integer from ${min} to ${max}`;
    super('integer', fits, (u, context) => (fits(u) ? t.success(u) : t.failure(u, context, words)), t.identity);
  }
}

export const integer = (min: number, max: number = Number.MAX_SAFE_INTEGER): IntegerType => new IntegerType(min, max);

/** A resource id in a body. */
export const ResourceId = integer(1);
