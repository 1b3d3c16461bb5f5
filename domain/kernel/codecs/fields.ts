import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Context, type Errors, type Validation, type ValidationError } from 'io-ts';
import { nearestNames } from '../nearest-names';

/** Marks a field that may be absent. */
export class OptionalField<C extends t.Mixed> {
  readonly _tag = 'OptionalField' as const;
  constructor(readonly codec: C) {}
}

export const optional = <C extends t.Mixed>(codec: C): OptionalField<C> => new OptionalField(codec);

type Field = t.Mixed | OptionalField<t.Mixed>;
export type FieldProps = Readonly<Record<string, Field>>;

type OptionalKeys<P extends FieldProps> = { [K in keyof P]: P[K] extends OptionalField<t.Mixed> ? K : never }[keyof P];
type Simplify<T> = { [K in keyof T]: T[K] };
export type FieldsOf<P extends FieldProps> = Simplify<
  { readonly [K in Exclude<keyof P, OptionalKeys<P>>]: P[K] extends t.Mixed ? t.TypeOf<P[K]> : never } & {
    readonly [K in OptionalKeys<P>]?: P[K] extends OptionalField<infer C> ? t.TypeOf<C> : never;
  }
>;

export const codecOf = (field: Field): t.Mixed => (field instanceof OptionalField ? field.codec : field);

/**
 * A JSON object of known fields. Unknown fields are dropped, every invalid field is reported, `undefined` means absent.
 */
export class FieldsType<P extends FieldProps> extends t.Type<FieldsOf<P>> {
  readonly _tag = 'FieldsType' as const;
  constructor(
    readonly props: P,
    readonly keepsUnknown = false,
  ) {
    super(
      'object',
      (u): u is FieldsOf<P> => !isLeft(validateFields(props, u, [])),
      (u, context) => validateFields(props, u, context, keepsUnknown),
      (value) => value,
    );
  }
}

const validateFields = <P extends FieldProps>(
  props: P,
  u: unknown,
  context: Context,
  keepsUnknown = false,
): Validation<FieldsOf<P>> => {
  if (typeof u !== 'object' || u === null || Array.isArray(u)) return t.failure(u, context, 'must be an object');
  const errors: Errors = [];
  const value: Record<string, unknown> = keepsUnknown ? { ...u } : {};
  for (const [name, field] of Object.entries(props)) {
    const given: unknown = Object.hasOwn(u, name) ? (u as Record<string, unknown>)[name] : undefined;
    if (given === undefined && field instanceof OptionalField) continue;
    const codec = codecOf(field);
    const result = codec.validate(given, t.appendContext(context, name, codec, given));
    if (isLeft(result)) errors.push(...result.left);
    else value[name] = result.right;
  }
  // Every declared field was validated just above; the type system cannot follow the loop.
  return errors.length > 0 ? t.failures(errors) : t.success(value as FieldsOf<P>);
};

export const fields = <P extends FieldProps>(props: P): FieldsType<P> => new FieldsType(props);

/** Keeps unknown fields, so that the caller can warn about them. */
export const openFields = <P extends FieldProps>(props: P): FieldsType<P> => new FieldsType(props, true);

/** The codec's values, or null. */
export class NullableType<C extends t.Mixed> extends t.Type<t.TypeOf<C> | null, t.OutputOf<C> | null> {
  readonly _tag = 'NullableType' as const;
  constructor(readonly codec: C) {
    super(
      codec.name,
      (u): u is t.TypeOf<C> | null => u === null || codec.is(u),
      (u, context): Validation<t.TypeOf<C> | null> =>
        u === null ? t.success(null) : codec.validate(u, t.appendContext(context, '', codec, u)),
      (value): t.OutputOf<C> | null => (value === null ? null : (codec.encode(value) as t.OutputOf<C>)),
    );
  }
}

export const nullable = <C extends t.Mixed>(codec: C): NullableType<C> => new NullableType(codec);

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

/** One error of one field. `field` is a dotted path, empty for the value as a whole. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** The io-ts failures as error messages of the API. */
export const fieldErrors = (errors: Errors): readonly FieldError[] => errors.map(fieldError);

/** The same, each as one line of text. */
export const fieldErrorLines = (errors: Errors): readonly string[] =>
  errors.map(fieldError).map(({ field, message }) => `${field} ${message}`);

const fieldError = (error: ValidationError): FieldError => {
  const field = error.context
    .map((entry) => entry.key)
    .filter((key) => key !== '')
    .join('.');
  if (error.value === undefined) return { field, message: 'is required' };
  const message = error.message ?? expectation(error);
  return { field, message: SECRET.test(field) ? message : withValue(message, error.value) };
};

/** Names of fields whose values are not repeated in errors, which are logged and shown. */
const SECRET = /secret|token|password|api_?key|url/i;
const MOST_SHOWN = 60;

/** An error that says what must be, with what was given, unless it names that or a hint follows. */
const withValue = (message: string, value: unknown): string => {
  if (!/^must (?!not )/.test(message) || message.includes(', not ')) return message;
  const [expected = '', ...hint] = message.split('; did you mean ');
  return [`${expected}, not ${shown(value)}`, ...hint].join('; did you mean ');
};

const shown = (value: unknown): string => {
  if (typeof value === 'string')
    return JSON.stringify(value.length > MOST_SHOWN ? `${value.slice(0, MOST_SHOWN)}…` : value);
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' && value !== null ? 'an object' : String(value);
};

/** Names beyond this number are not compared at a glance. */
const LONG_LIST = 15;

const expectation = (error: ValidationError): string => {
  const type = error.context.at(-1)?.type;
  if (type !== undefined && '_tag' in type && type._tag === 'KeyofType' && 'keys' in type) {
    const names = Object.keys(type.keys as object);
    const [nearest] = names.length > LONG_LIST ? nearestNames(String(error.value), names) : [];
    return `must be one of ${names.join(', ')}${nearest === undefined ? '' : `; did you mean ${nearest}?`}`;
  }
  if (type instanceof t.DictionaryType || type instanceof t.AnyDictionaryType) return 'must be an object';
  const words: Readonly<Record<string, string>> = {
    boolean: 'must be true or false',
    string: 'must be a string',
    number: 'must be a number',
  };
  const name = type?.name ?? '';
  return words[name] ?? (name.includes('Array') ? 'must be an array' : 'has the wrong shape');
};
