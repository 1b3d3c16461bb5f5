import * as t from 'io-ts';

/** A JSON Schema (draft 2020-12) as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A codec with its own JSON Schema, which cannot be derived from its parts. */
export class DescribedType<A, O> extends t.Type<A, O> {
  readonly _tag = 'DescribedType' as const;
  constructor(
    readonly jsonSchema: JsonSchema,
    codec: t.Type<A, O>,
  ) {
    super(codec.name, codec.is, codec.validate, codec.encode);
  }
}

/** The same codec with `jsonSchema` for the API description; the caller guarantees that they agree. */
export const described = <A, O>(jsonSchema: JsonSchema, codec: t.Type<A, O>): DescribedType<A, O> =>
  new DescribedType(jsonSchema, codec);
