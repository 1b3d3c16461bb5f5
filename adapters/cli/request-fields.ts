import { type Either, isLeft, left, right, traverseArray } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { codecOf, type FieldProps, FieldsType, NullableType } from '../../domain/kernel/codecs';
import { type AnyInput } from '../client';
import { type AnyEndpoint, jsonSchemaOf } from '../http/kit';
import { type CommandInput, nameOf } from './action';
import { type Session } from './connection';
import { type Answer, type CliFailure, unknownValue, usageError } from './failure';
import { findInstance, findMapping } from './find-one';
import { readBody } from './read-input';
import {
  bodyFileOption,
  fieldOf,
  type Fields,
  integerIn,
  LIST_OPTIONS,
  option,
  type RequestOption,
} from './request-options';

/** Maps the arguments and options of a command to the fields of a request. */
export interface RequestSpec {
  readonly usage: string;
  readonly options?: readonly RequestOption[];
  /** Fields set by the positional arguments. Default: the parameters of the path. */
  readonly arguments?: readonly string[];
  /** Values of fields without an argument or option. */
  readonly fixed?: Fields;
  /** The error when no option is given. Default: no error. */
  readonly unchanged?: string;
}

/** The codec of a field of the query or the body, without its null; undefined for an unknown field. */
export const codecOfField = ({ query, body }: AnyEndpoint, path: string): t.Mixed | undefined =>
  path.split('.').reduce<t.Mixed | undefined>((whole, name) => {
    const field = whole instanceof FieldsType ? (whole.props as FieldProps)[name] : undefined;
    const codec = field === undefined ? undefined : codecOf(field);
    return codec instanceof NullableType ? (codec.codec as t.Mixed) : codec;
  }, query ?? body);

const paramsOf = ({ path }: AnyEndpoint): readonly string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');

/** The options of a list, from the codec of its query. */
export const listOptions = (endpoint: AnyEndpoint): readonly RequestOption[] =>
  LIST_OPTIONS.filter((one) => codecOfField(endpoint, fieldOf(one)) !== undefined);

const LOOKUPS: Readonly<Record<string, typeof findMapping>> = { mapping: findMapping, instance: findInstance };
export const placeholderOf = (flags: string): string => /[<[]([\w=-]+)/.exec(flags)?.[1] ?? '';
const lookupOf = (one: RequestOption): typeof findMapping | undefined => LOOKUPS[placeholderOf(one.flags)];

/** The option with the kind and the choices of its field. */
export const describeOption = (endpoint: AnyEndpoint, one: RequestOption): RequestOption => {
  const codec = codecOfField(endpoint, fieldOf(one));
  const schema = codec === undefined || !one.flags.includes('<') ? {} : jsonSchemaOf(codec, fieldOf(one));
  return {
    ...one,
    ...(schema['type'] === 'integer' && lookupOf(one) === undefined ? { kind: 'integer' } : {}),
    ...(Array.isArray(schema['enum']) ? { choices: schema['enum'].map(String) } : {}),
  };
};

/** The positional arguments as options of their fields. */
export const argumentOptions = (
  endpoint: AnyEndpoint,
  { usage, arguments: fields, fixed = {} }: RequestSpec,
): readonly RequestOption[] => {
  const names = fields ?? paramsOf(endpoint).filter((name) => !(name in fixed));
  const placeholders = usage.split(' ').slice(1, names.length + 1);
  return placeholders.map((flags, index) => describeOption(endpoint, option(flags, '', { field: names[index] ?? '' })));
};

/** The request of a command line. `subject`: its first argument, a mapping or an instance by its id. */
export const readRequest = async (
  endpoint: AnyEndpoint,
  spec: RequestSpec,
  session: Session,
  input: CommandInput,
): Answer<AnyInput & { readonly subject: string }> => {
  const { options = [], fixed = {}, unchanged } = spec;
  const params = paramsOf(endpoint);
  const named = argumentOptions(endpoint, spec).map((one, index) => ({ one, value: input.args[index] }));
  const chosen = options.map((one) => ({ one, value: input.value(nameOf(one)) }));
  const isField = (name: string): boolean => params.includes(name) || codecOfField(endpoint, name) !== undefined;
  const read = await readFields([...named, ...chosen], isField, session);
  if (isLeft(read)) return read;
  const fields = { ...fixed, ...read.right };
  const rest = Object.entries(fields).filter(([name]) => !params.includes(name));
  const request = {
    subject: String(named[0] === undefined ? '' : fields[fieldOf(named[0].one)]),
    params: Object.fromEntries(params.map((name) => [name, fields[name]])),
  };
  if (endpoint.method === 'GET') return right({ ...request, query: Object.fromEntries(rest) });
  const body = nest(Object.fromEntries(rest));
  const file = input.text('file');
  if (unchanged !== undefined && file === undefined && rest.length === 0) return left(usageError(unchanged));
  if (!options.some(({ flags }) => flags === bodyFileOption.flags)) return right({ ...request, body });
  const whole = await readBody(endpoint, file, session.terminal, body);
  return isLeft(whole) ? whole : right({ ...request, body: whole.right });
};

interface Written {
  readonly one: RequestOption;
  readonly value: unknown;
}

/** The values of the fields; if several options set one field, the first one applies. */
const readFields = async (
  all: readonly Written[],
  isField: (name: string) => boolean,
  session: Session,
): Answer<Fields> => {
  // Usage errors are reported before any request is sent.
  const parsed = traverseArray(parse)(all);
  if (isLeft(parsed)) return parsed;
  const fields: Record<string, unknown> = {};
  for (const { one, value } of parsed.right) {
    const field = fieldOf(one);
    if (!isField(field) || field in fields) continue;
    const lookup = typeof value === 'string' ? lookupOf(one) : undefined;
    const read = one.read === undefined ? right(value) : await one.read(session, value, fields);
    const found = lookup === undefined ? read : await lookup(session, String(value));
    if (isLeft(found)) return found;
    if (found.right !== undefined) fields[field] = found.right;
  }
  return right(fields);
};

const parse = ({ one, value }: Written): Either<CliFailure, Written> => {
  if (typeof value !== 'string') return right({ one, value });
  if (one.choices?.includes(value) === false) return left(unknownValue(placeholderOf(one.flags), value, one.choices));
  const integer = one.kind === 'integer' ? integerIn(value) : undefined;
  if (integer === null) return left(usageError(`${placeholderOf(one.flags)} must be an integer, not "${value}".`));
  const parsed = one.parse === undefined ? right(integer ?? value) : one.parse(value);
  return isLeft(parsed) ? parsed : right({ one, value: parsed.right });
};

/** `{'a.b': 1}` as `{a: {b: 1}}`. */
export const nest = (fields: Fields): Fields => {
  const whole: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(fields)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place = whole;
    for (const name of names) place = (place[name] ??= {}) as Record<string, unknown>;
    place[last] = value;
  }
  return whole;
};
