import { type Either, isLeft, left, right, traverseArray } from 'fp-ts/Either';
import { parseJson } from '../../../domain/kernel/codecs';
import { publicEndpoints } from '../../http/public/public-endpoints';
import { type Action, type ActionGroup } from '../action';
import { sendUnchecked } from '../command';
import { type Session } from '../connection';
import { type Answer, answered, type CliFailure, unknownValue, usageError } from '../failure';
import { checkBody } from '../read-input';
import { codecOfField, nest } from '../request-fields';

const OPERATIONS = {
  lifecycle: ['getLifecycleConfig', 'setLifecycleConfig'],
  concurrency: ['getConcurrencyConfig', 'setConcurrencyConfig'],
  maintenance: ['getMaintenanceConfig', 'setMaintenanceConfig'],
  export: ['getExportConfig', 'setExportConfig'],
} as const;
type Kind = keyof typeof OPERATIONS;
const KINDS = Object.keys(OPERATIONS);

const kindOf = (text: string): Either<CliFailure, Kind> =>
  isKind(text) ? right(text) : left(unknownValue('configuration', text, KINDS));
const isKind = (text: string): text is Kind => Object.hasOwn(OPERATIONS, text);

const read = ({ api }: Session, kind: Kind): Answer<object> =>
  answered<object, object>(api[OPERATIONS[kind][0]](), ({ data }) => data);

const get: Action = {
  usage: 'get [kind]',
  summary: 'Show the configuration, all or of one kind',
  choices: { kind: KINDS },
  run: async (session, input) => {
    const data: Record<string, object> = {};
    const wanted = input.args[0];
    for (const name of wanted === undefined ? KINDS : [wanted]) {
      const kind = kindOf(name);
      if (isLeft(kind)) return kind;
      const config = await read(session, kind.right);
      if (isLeft(config)) return config;
      data[name] = config.right;
    }
    return right({ data: wanted === undefined ? data : data[wanted], record: flat(data) });
  },
};

/** Flattens nested fields to dotted names. */
const flat = (value: object, prefix = ''): readonly (readonly [string, unknown])[] =>
  Object.entries(value).flatMap(([name, one]: [string, unknown]) =>
    typeof one === 'object' && one !== null ? flat(one, `${prefix}${name}.`) : [[`${prefix}${name}`, one] as const],
  );

const set: Action = {
  usage: 'set <kind> <field=value...>',
  summary: 'Change fields of the configuration',
  choices: { kind: KINDS },
  examples: [
    'config set concurrency per_analyst=8',
    'config set lifecycle instance.max_ttl=P14D instance.default_ttl=PT12H',
    'config set maintenance enabled=true message="Back at 18:00"',
    'config set export max_duration_seconds=7200',
  ],
  run: async (session, input) => {
    const named = kindOf(input.argument(0));
    if (isLeft(named)) return named;
    const kind = named.right;
    const changes = traverseArray(changeOf)(input.args.slice(1));
    if (isLeft(changes)) return changes;
    const operation = OPERATIONS[kind][1];
    const unknown = changes.right.find(([path]) => codecOfField(publicEndpoints[operation], path) === undefined);
    if (unknown !== undefined) {
      return left(usageError(`Unknown field "${unknown[0]}"; see: rowgraph config get ${kind}`));
    }
    // Except for the lifecycle, the whole configuration is replaced, so unchanged fields are sent too.
    const known = kind === 'lifecycle' ? right({}) : await read(session, kind);
    if (isLeft(known)) return known;
    const changed = { ...known.right, ...nest(Object.fromEntries(changes.right)) };
    const body = checkBody(publicEndpoints[operation], changed, (problems) =>
      usageError(...problems.map((problem) => `${problem}.`)),
    );
    if (isLeft(body)) return body;
    const written = await answered(sendUnchecked(session, operation, { body: body.right }), () => undefined);
    if (isLeft(written)) return written;
    const config = await read(session, kind);
    return isLeft(config) ? config : right({ data: config.right, record: flat({ [kind]: config.right }) });
  },
};

/** Parses `a.b=value`; the value is JSON or else text. */
const changeOf = (text: string): Either<CliFailure, readonly [path: string, value: unknown]> => {
  const [, path, value] = /^([a-z_]+(?:\.[a-z_]+)*)=([\s\S]*)$/.exec(text) ?? [];
  if (path === undefined || value === undefined) {
    return left(usageError(`Invalid change "${text}"; expected field=value, for example per_analyst=8.`));
  }
  const json = parseJson(value);
  return right([path, json === undefined ? value : json]);
};

export const configCommands: ActionGroup = {
  name: 'config',
  summary: 'Limits, lifetimes, maintenance mode (ops)',
  actions: [get, set],
};
