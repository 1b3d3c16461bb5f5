import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { type Parameter as ShownParameterCodec } from '../../../adapters/contracts/graph-pod/execution-endpoints';
import { type FieldError, fieldErrors, integer, nullable } from '../../../domain/kernel/codecs';

/** One parameter of an algorithm: checks requests, types `compute`, and is listed by discovery. */
export interface Parameter<A = unknown> {
  readonly type: string;
  readonly decode: (sent: unknown) => t.Validation<A>;
  /** Undefined: the parameter is required. */
  readonly fallback: A | undefined;
  readonly description: string;
  /** Other names accepted in requests. */
  readonly aliases: readonly string[];
}

export type Signature = Readonly<Record<string, Parameter>>;
export type ParametersOf<S extends Signature> = {
  readonly [K in keyof S]: S[K] extends Parameter<infer A> ? A : never;
};

interface Described<A> {
  readonly default: A | undefined;
  readonly description: string;
  readonly aliases?: readonly string[];
}

export const parameter = <A>(type: string, codec: t.Decoder<unknown, A>, shown: Described<A>): Parameter<A> => ({
  type,
  decode: (sent) => codec.decode(sent),
  fallback: shown.default,
  description: shown.description,
  aliases: shown.aliases ?? [],
});

const between = (min: number, max: number): t.Type<number> => {
  const fits = (u: unknown): u is number => typeof u === 'number' && u >= min && u <= max;
  const words = Number.isFinite(max)
    ? `must be a number from ${min} to ${max}`
    : Number.isFinite(min)
      ? `must be a number of at least ${min}`
      : 'must be a number';
  return new t.Type<number>('number', fits, (u, c) => (fits(u) ? t.success(u) : t.failure(u, c, words)), t.identity);
};

type Bounds = { readonly min?: number; readonly max?: number };

export const whole = (shown: Described<number> & Bounds): Parameter<number> =>
  parameter('integer', integer(shown.min ?? 0, shown.max), shown);

export const wholeOrNull = (shown: Described<number | null> & Bounds): Parameter<number | null> =>
  parameter<number | null>('integer', nullable(integer(shown.min ?? 0, shown.max)), shown);

export const real = (shown: Described<number> & Bounds): Parameter<number> =>
  parameter('number', between(shown.min ?? -Infinity, shown.max ?? Infinity), shown);

export const flag = (shown: Described<boolean>): Parameter<boolean> => parameter('boolean', t.boolean, shown);

/** The primary key of a node, as text or as a number. JSON parsers round integers beyond 2^53. */
export const NodeKey = new t.Type<string>(
  'node key',
  (u): u is string => typeof u === 'string',
  (u, context) => {
    if (typeof u !== 'string' && typeof u !== 'number') {
      return t.failure(u, context, 'must be the primary key of a node');
    }
    if (typeof u === 'number' && Number.isInteger(u) && !Number.isSafeInteger(u)) {
      return t.failure(u, context, 'is an integer beyond 2^53, which JSON readers round; send its digits as a string');
    }
    return t.success(String(u));
  },
  t.identity,
);

/** Groups of node keys; required. */
export const nodeGroups = (description: string): Parameter<readonly (readonly string[])[]> =>
  parameter('array of arrays of node keys', t.readonlyArray(t.readonlyArray(NodeKey)), {
    default: undefined,
    description,
  });

/** Pairs of node keys, or null. */
export const nodePairs = (description: string): Parameter<readonly (readonly [string, string])[] | null> =>
  parameter('array of pairs of node keys', nullable(t.readonlyArray(t.tuple([NodeKey, NodeKey]))), {
    default: null,
    description,
  });

/** Parameters shared by many algorithms. */
export const maxIter = (fallback: number): Parameter<number> =>
  whole({
    default: fallback,
    min: 1,
    max: 1_000_000,
    description: 'Maximum number of iterations.',
    aliases: ['max_iterations'],
  });

export const tol = (fallback: number): Parameter<number> =>
  real({ default: fallback, min: 0, max: 1, description: 'Convergence threshold.', aliases: ['tolerance'] });

export const seed = wholeOrNull({
  default: null,
  max: 2 ** 32 - 1,
  description: 'Random seed; equal requests, also those with null, have equal results.',
});

/** Finds a parameter by its name or an alias; returns it with its name. */
export const findParameter = (signature: Signature, sent: string): readonly [string, Parameter] | undefined =>
  Object.entries(signature).find(([name, { aliases }]) => name === sent || aliases.includes(sent));

/** A parameter as listed by the discovery endpoints. */
export type ShownParameter = t.TypeOf<typeof ShownParameterCodec>;

export const shownParameter = (name: string, { type, fallback, description }: Parameter): ShownParameter => ({
  name,
  type,
  required: fallback === undefined,
  default: fallback ?? null,
  description,
});

export const shownParameters = (signature: Signature): readonly ShownParameter[] =>
  Object.entries(signature).map(([name, declared]) => shownParameter(name, declared));

/** Decodes the parameters of a request by their names or aliases, with defaults; returns all errors. */
export const decodeParameters = (
  signature: Signature,
  sent: Readonly<Record<string, unknown>>,
): Either<readonly FieldError[], Readonly<Record<string, unknown>>> => {
  const invalid: FieldError[] = [];
  const values = new Map<string, unknown>();
  for (const [field, value] of Object.entries(sent)) {
    const [name, declared] = findParameter(signature, field) ?? [];
    if (name === undefined || declared === undefined) invalid.push({ field, message: 'is not a parameter' });
    else if (values.has(name)) invalid.push({ field, message: `repeats ${name}` });
    else {
      const decoded = declared.decode(value);
      if (isLeft(decoded)) invalid.push({ field, message: fieldErrors(decoded.left)[0]?.message ?? 'is wrong' });
      values.set(name, isLeft(decoded) ? null : decoded.right);
    }
  }
  for (const [field, { fallback }] of Object.entries(signature)) {
    if (values.has(field)) continue;
    if (fallback === undefined) invalid.push({ field, message: 'is required' });
    values.set(field, fallback);
  }
  return invalid.length > 0 ? left(invalid) : right(Object.fromEntries(values));
};
