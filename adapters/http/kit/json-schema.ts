import * as t from 'io-ts';

/** A JSON Schema (draft 2020-12) as data. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** A codec that brings its own JSON Schema because its shape cannot be read from its parts. */
export class DescribedType<A, O> extends t.Type<A, O> {
  readonly _tag = 'DescribedType' as const;
  constructor(
    readonly jsonSchema: JsonSchema,
    codec: t.Type<A, O>,
  ) {
    super(codec.name, codec.is, codec.validate, codec.encode);
  }
}

/** The same codec, known to the API description as `jsonSchema`; the caller answers for the two being equal. */
export const described = <A, O>(jsonSchema: JsonSchema, codec: t.Type<A, O>): DescribedType<A, O> =>
  new DescribedType(jsonSchema, codec);
