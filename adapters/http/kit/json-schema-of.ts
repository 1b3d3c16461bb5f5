import * as t from 'io-ts';
import {
  codecOf,
  type DurationType,
  type FieldProps,
  type FieldsType,
  type IntegerType,
  type NullableType,
  OptionalField,
  type TextType,
} from '../../../domain/kernel/codecs';

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

/** Every codec that has a JSON Schema. */
type SupportedCodec =
  | t.StringType
  | t.NumberType
  | t.BooleanType
  | t.NullType
  | t.UnknownType
  | t.LiteralType<string | number | boolean>
  | t.KeyofType<Record<string, unknown>>
  | t.UnionType<t.Mixed[]>
  | t.IntersectionType<t.Mixed[]>
  | t.AnyArrayType
  | t.ArrayType<t.Mixed>
  | t.ReadonlyArrayType<t.Mixed>
  | t.AnyDictionaryType
  | t.DictionaryType<t.Mixed, t.Mixed>
  | t.InterfaceType<t.Props>
  | t.PartialType<t.Props>
  | t.ExactType<t.Mixed>
  | t.ReadonlyType<t.Mixed>
  | t.RecursiveType<t.Mixed>
  | TextType
  | IntegerType
  | DurationType
  | FieldsType<FieldProps>
  | NullableType<t.Mixed>
  | DescribedType<unknown, unknown>;

/** Translates the codec at `where`. */
export type Translate = (codec: t.Mixed, where: string) => JsonSchema;
type TranslateParts = (codec: t.Mixed, where: string, ofPart?: Translate) => JsonSchema;

/**
 * The JSON Schema of the input of a codec. Unknown fields are allowed, as the codecs drop them. The parts of a codec
 * are translated by `ofPart`, which may return a reference.
 *
 * @throws when a codec has no JSON Schema, with its `where`: an unknown codec never becomes "any value".
 */
export const jsonSchemaOf: TranslateParts = (codec, where, ofPart = jsonSchemaOf) => {
  // Codecs are distinguished by their tag; unknown tags reach the default branch.
  const known = codec as SupportedCodec;
  switch (known._tag) {
    case 'StringType':
      return { type: 'string' };
    case 'NumberType':
      return { type: 'number' };
    case 'BooleanType':
      return { type: 'boolean' };
    case 'NullType':
      return { type: 'null' };
    case 'UnknownType':
      return { description: 'Any JSON value' };
    case 'LiteralType':
      return { const: known.value };
    case 'KeyofType':
      return { type: 'string', enum: Object.keys(known.keys) };
    case 'AnyArrayType':
      return { type: 'array' };
    case 'ArrayType':
    case 'ReadonlyArrayType':
      return { type: 'array', items: ofPart(known.type, `${where}[]`) };
    case 'AnyDictionaryType':
      return { type: 'object' };
    case 'DictionaryType':
      return recordSchema(known, where, ofPart);
    case 'InterfaceType':
    case 'FieldsType':
      return objectSchema(known.props, where, ofPart);
    case 'PartialType':
      return { ...objectSchema(known.props, where, ofPart), required: [] };
    case 'ExactType':
    case 'ReadonlyType':
    // A codec of itself must be described under a name.
    case 'RecursiveType':
      return ofPart(known.type, where);
    case 'NullableType':
      return { anyOf: [ofPart(known.codec, where), { type: 'null' }] };
    case 'UnionType':
      return unionSchema(known, where, ofPart);
    case 'IntersectionType':
      return { allOf: known.types.map((type) => ofPart(type, where)) };
    case 'TextType':
      return textSchema(known, where);
    case 'IntegerType':
      return { type: 'integer', minimum: known.min, maximum: known.max };
    case 'DurationType':
      return { type: 'string', pattern: known.pattern, examples: ['PT4H', 'P7D'] };
    case 'DescribedType':
      return known.jsonSchema;
    default:
      throw new Error(
        `${where}: the codec ${codec.name} has no JSON Schema. Give it one with described(…), or use a codec that has one.`,
      );
  }
};

const objectSchema = (props: FieldProps, where: string, ofPart: Translate): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(props).map(([name, field]) => [name, ofPart(codecOf(field), `${where}.${name}`)]),
  ),
  required: Object.keys(props).filter((name) => isRequired(props[name])),
});

/** A codec that accepts `undefined` accepts an absent field. */
const isRequired = (field: FieldProps[string] | undefined): boolean =>
  field !== undefined && !(field instanceof OptionalField) && !field.is(undefined);

/** A record over a keyof requires every key; a record over strings accepts any key. */
const recordSchema = (
  { domain, codomain }: t.DictionaryType<t.Mixed, t.Mixed>,
  where: string,
  ofPart: Translate,
): JsonSchema => {
  const keys = domain as SupportedCodec;
  return keys._tag === 'KeyofType'
    ? objectSchema(Object.fromEntries(Object.keys(keys.keys).map((key) => [key, codomain])), where, ofPart)
    : {
        type: 'object',
        propertyNames: ofPart(domain, `${where} key`),
        additionalProperties: ofPart(codomain, `${where}.*`),
      };
};

/** JSON has no `undefined`: a union with it means an optional field. */
const unionSchema = ({ types }: t.UnionType<t.Mixed[]>, where: string, ofPart: Translate): JsonSchema => {
  const schemas = types.filter((type) => type.name !== 'undefined').map((type) => ofPart(type, where));
  return schemas.every((schema) => 'const' in schema)
    ? { enum: schemas.map((schema) => schema['const']) }
    : { anyOf: schemas };
};

const textSchema = ({ rules }: TextType, where: string): JsonSchema => {
  const { source, flags } = rules.pattern?.regexp ?? { source: undefined, flags: '' };
  if (/[ims]/.test(flags)) {
    throw new Error(`${where}: JSON Schema patterns have no flags; write /${source}/${flags} without "${flags}".`);
  }
  return {
    type: 'string',
    minLength: rules.min,
    maxLength: rules.max,
    ...(source === undefined ? {} : { pattern: source }),
    not: { pattern: rules.notBlank === true ? '^\\s*$|\\u0000' : '\\u0000' },
  };
};

/** The same codec with a default value for the API description; the handler applies the default. */
export const withDefault = <A, O>(codec: t.Type<A, O>, value: A): DescribedType<A, O> =>
  described({ ...jsonSchemaOf(codec, 'a field with a default'), default: value }, codec);
