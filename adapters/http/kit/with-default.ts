import type * as t from 'io-ts';
import { described, type DescribedType } from './json-schema';
import { jsonSchemaOf } from './json-schema-of';

/** The same codec, known to the API description with the value an absent field stands for; the handler fills it in. */
export const withDefault = <A, O>(codec: t.Type<A, O>, value: A): DescribedType<A, O> =>
  described({ ...jsonSchemaOf(codec, 'a field with a default'), default: value }, codec);
