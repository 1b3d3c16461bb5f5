import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldErrors } from '../../../domain/kernel/codecs';
import { type ClientFailure, type Success } from '../../client';
import { type Endpoint } from '../../http/kit';
import { configEndpoints } from '../../http/public/config/endpoints';
import { type Action, type ActionGroup } from '../action';
import { answered } from '../answered';
import { type Session } from '../connection';
import { type CliFailure, wrongUsage } from '../failure';

const KINDS = ['lifecycle', 'concurrency', 'maintenance', 'export'] as const;
type Kind = (typeof KINDS)[number];

const isKind = (text: string | undefined): text is Kind => KINDS.some((kind) => kind === text);

const read = ({ api }: Session, kind: Kind): Promise<Either<CliFailure, object>> => {
  const data = <O>({ data: one }: Success<O>): O => one;
  if (kind === 'lifecycle') return answered(api.getLifecycleConfig(), data);
  if (kind === 'concurrency') return answered(api.getConcurrencyConfig(), data);
  return kind === 'maintenance' ? answered(api.getMaintenanceConfig(), data) : answered(api.getExportConfig(), data);
};

const get: Action = {
  usage: 'get [kind]',
  summary: `What is configured: ${KINDS.join(', ')}, or all of it`,
  run: async (session, given) => {
    const wanted = given.optionalArgument(0);
    if (wanted !== undefined && !isKind(wanted)) return left(unknownKind(wanted));
    const data: Record<string, object> = {};
    for (const kind of wanted === undefined ? KINDS : [wanted]) {
      const config = await read(session, kind);
      if (isLeft(config)) return config;
      data[kind] = config.right;
    }
    return right({ data: wanted === undefined ? data : data[wanted], record: flat(data) });
  },
};

const unknownKind = (text: string): CliFailure =>
  wrongUsage(`There is no configuration "${text}"; there are ${KINDS.join(', ')}.`);

/** Nested fields under dotted names. */
const flat = (value: object, prefix = ''): readonly (readonly [string, unknown])[] =>
  Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    typeof one === 'object' && one !== null ? flat(one, `${prefix}${name}.`) : [[`${prefix}${name}`, one] as const],
  );

const set: Action = {
  usage: 'set <kind> <field=value...>',
  summary: 'Change what is configured; fields that are not named stay',
  examples: [
    'config set concurrency per_analyst=8',
    'config set lifecycle instance.max_ttl=P14D instance.default_ttl=PT12H',
    'config set maintenance enabled=true message="Back at 18:00"',
    'config set export max_duration_seconds=7200',
  ],
  run: async (session, given) => {
    const kind = given.argument(0);
    if (!isKind(kind)) return left(unknownKind(kind));
    const changes = changesOf(given.restOfArguments(1));
    if (isLeft(changes)) return changes;
    const written = await write(session, kind, changes.right);
    if (isLeft(written)) return written;
    const config = await read(session, kind);
    return isLeft(config) ? config : right({ data: config.right, record: flat({ [kind]: config.right }) });
  },
};

const write = async (session: Session, kind: Kind, changes: object): Promise<Either<CliFailure, unknown>> => {
  const { api } = session;
  if (kind === 'lifecycle') return change(configEndpoints.setLifecycleConfig, api.setLifecycleConfig, changes);
  // The others are replaced whole, so what is not named is sent as it is.
  const present = await read(session, kind);
  if (isLeft(present)) return present;
  const body = { ...present.right, ...changes };
  if (kind === 'concurrency') return change(configEndpoints.setConcurrencyConfig, api.setConcurrencyConfig, body);
  return kind === 'maintenance'
    ? change(configEndpoints.setMaintenanceConfig, api.setMaintenanceConfig, body)
    : change(configEndpoints.setExportConfig, api.setExportConfig, body);
};

const change = async <P, Q, B, O>(
  endpoint: Endpoint<P, Q, B, O>,
  operation: (input: { readonly body: B }) => Promise<Either<ClientFailure, Success<O>>>,
  body: object,
): Promise<Either<CliFailure, O>> => {
  const codec: t.Decoder<unknown, B> = endpoint.body ?? t.never;
  const decoded = codec.decode(body);
  return isLeft(decoded)
    ? left(wrongUsage(...fieldErrors(decoded.left).map(({ field, message }) => `${field} ${message}.`)))
    : answered(operation({ body: decoded.right }), ({ data }) => data);
};

/** `a.b=value` texts as a nested object; JSON values as such, anything else as text. */
const changesOf = (texts: readonly string[]): Either<CliFailure, object> => {
  const changes: Record<string, unknown> = {};
  for (const text of texts) {
    const [, path, value] = /^([a-z_]+(?:\.[a-z_]+)*)=([\s\S]*)$/.exec(text) ?? [];
    if (path === undefined || value === undefined) {
      return left(wrongUsage(`"${text}" is no change: write field=value, for example per_analyst=8.`));
    }
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place = changes;
    for (const name of names) place = (place[name] ??= {}) as Record<string, unknown>;
    place[last] = jsonOrText(value);
  }
  return right(changes);
};

const jsonOrText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

export const configCommands: ActionGroup = {
  name: 'config',
  summary: 'Life spans, limits, maintenance and export times (ops)',
  actions: [get, set],
};
