import { type Either, left, right } from 'fp-ts/Either';
import { type CommandInput, nameOf, type OptionSpec } from './action';
import { type Session } from './connection';
import { type Answer, answered, type CliFailure, failed, usageError } from './failure';
import { type Terminal } from './terminal';

export type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the value to send for the given value (undefined: none) and the preceding fields; undefined: omit the field.
 */
type Reader = (session: Session, written: unknown, before: Fields) => Answer<unknown>;

/** An option that sets a field of a request. */
export interface RequestOption extends OptionSpec {
  /** The field; dotted if nested. Default: the name of the option. */
  readonly field?: string;
  /** Parses the text to a value of the API, or returns the error. Default: the text. */
  readonly parse?: (written: string) => Either<CliFailure, unknown>;
  /** Default: the parsed value; names of mappings and instances become ids. */
  readonly read?: Reader;
}

export const option = (
  flags: string,
  description: string,
  more: Omit<RequestOption, 'flags' | 'description'> = {},
): RequestOption => ({ flags, description, ...more });

export const fieldOf = (one: RequestOption): string => one.field ?? nameOf(one).replaceAll('-', '_');

export const callerName = ({ api }: Session): Answer<string> =>
  answered(api.getUserInstanceStatus(), ({ data }) => data.username);

export const reasonOption = option('--reason <text>', 'reason, stored permanently', {
  required: '--reason <text> is required. It is stored permanently.',
});

/** A file that contains the body of the request. */
export const bodyFileOption = option('-f, --file <path>', 'JSON or YAML file with the definitions; - for stdin');

/** Null: not an integer. */
export const integerIn = (text: string): number | null => (/^\d{1,15}$/.test(text) ? Number(text) : null);

/** Options of lists by their query parameters, in the order of the help. */
export const LIST_OPTIONS: readonly RequestOption[] = [
  option('--status <status>', 'filter by status'),
  option('--reader <name>', 'filter by read model, or "processes"'),
  option('--stream <id>', 'filter by stream', { field: 'stream_id' }),
  option('--mine', 'only your own', {
    field: 'owner',
    read: async (session, written) => (written === true ? callerName(session) : right(undefined)),
  }),
  option('--owner <username>', 'filter by owner'),
  option('--search <text>', 'filter by text in name or description'),
  option('--created-after <time>', 'filter by time, such as 2026-01-31T12:00:00Z'),
  option('--created-before <time>', 'filter by time'),
  option('--sort <field>', 'sort by this field', { field: 'sort_by' }),
  option('--ascending', 'smallest or oldest first', {
    field: 'sort_order',
    read: (_, written) => Promise.resolve(right(written === true ? 'asc' : undefined)),
  }),
  option('--limit <n>', 'page size (default 50, at most 100)'),
  option('--offset <n>', 'number of rows to skip'),
];

const SHORT = /^(?:(\d+)w|(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)$/;

export const durationOption = (name: string, description: string, field: string): RequestOption =>
  option(`--${name} <duration>`, description, {
    field,
    parse: (written) => {
      const duration = isoDuration(written);
      const message = `--${name} ${written} is not a duration. Examples: 90m, 24h, 7d, 1d12h, PT24H (ISO 8601).`;
      return duration === undefined ? left(usageError(message)) : right(duration);
    },
  });

export const lifeOptions: readonly RequestOption[] = [
  durationOption('ttl', 'time to live: 24h, 7d, PT90M or "default"', 'ttl'),
  durationOption('inactivity', 'delete it after this long without use', 'inactivity_timeout'),
];

export const lifetimeText = (kind: string, id: number, ttl: string | null, unused: string | null): string =>
  `Lifetime of ${kind} ${id}: ${ttl ?? 'unlimited'} from creation, ${unused ?? 'unlimited'} without use.`;

/** ISO 8601 for the API; null for the default, undefined for an invalid duration. */
const isoDuration = (text: string): string | null | undefined => {
  if (text === 'default') return null;
  if (/^P/i.test(text)) return text.toUpperCase();
  const match = SHORT.exec(text);
  if (match === null || text === '') return undefined;
  const parts: readonly (string | undefined)[] = match.slice(1);
  const [weeks, days, ...time] = parts.map((number, unit) =>
    number === undefined ? '' : number + 'WDHMS'.charAt(unit),
  );
  return `P${weeks}${days}${time.join('') === '' ? '' : `T${time.join('')}`}`;
};

export const yesOption: OptionSpec = { flags: '-y, --yes', description: 'do not ask for confirmation' };

/** Asks for confirmation; scripts have to use --yes. */
export const confirm = async (terminal: Terminal, input: CommandInput, question: string): Answer<undefined> => {
  if (input.flag('yes')) return right(undefined);
  if (!terminal.isInteractive) {
    return left(usageError(`${question} Confirmation is required: add --yes. Nothing was changed.`));
  }
  const answer = await terminal.prompt(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer) ? right(undefined) : left(failed('Nothing was changed.'));
};
