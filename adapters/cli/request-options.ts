import { type Either, right } from 'fp-ts/Either';
import { nameOf, type OptionSpec } from './action';
import { answered, type CliFailure } from './failure';
import { type Session } from './connection';

export type Fields = Readonly<Record<string, unknown>>;

/** What to send for what was written (undefined: nothing), given the fields before it; undefined: leave it out. */
type Reader = (session: Session, written: unknown, before: Fields) => Promise<Either<CliFailure, unknown>>;

/** An option that stands for a field of a request. */
export interface RequestOption extends OptionSpec {
  /** The field, dotted where it is nested. Default: the name of the option. */
  readonly field?: string;
  /** What was written as the API takes it, or what is wrong with it. Default: as it was written. */
  readonly parse?: (written: string) => Either<CliFailure, unknown>;
  /** Default: what was written; names of mappings and instances as their ids. */
  readonly read?: Reader;
}

export const option = (
  flags: string,
  description: string,
  more: Omit<RequestOption, 'flags' | 'description'> = {},
): RequestOption => ({ flags, description, ...more });

export const fieldOf = (one: RequestOption): string => one.field ?? nameOf(one).replaceAll('-', '_');

export const callerName = ({ api }: Session): Promise<Either<CliFailure, string>> =>
  answered(api.getUserInstanceStatus(), ({ data }) => data.username);

export const reasonOption = option('--reason <text>', 'why; kept for ever', {
  required: 'Say why: --reason <text>. It is kept for ever.',
});

/** Names a file that holds the body of the request. */
export const bodyFileOption = option('-f, --file <path>', 'JSON or YAML with the definitions; - is the standard input');

/** Options of lists by the query parameters they stand for, in the order of the help. */
export const LIST_OPTIONS: readonly RequestOption[] = [
  option('--status <status>', 'only those in this state'),
  option('--reader <name>', 'only those of this read model, or of "processes"'),
  option('--stream <id>', 'only those of this stream', { field: 'stream_id' }),
  option('--mine', 'only your own', {
    field: 'owner',
    read: async (session, written) => (written === true ? callerName(session) : right(undefined)),
  }),
  option('--owner <username>', 'only those of this user'),
  option('--search <text>', 'only with this text in name or description'),
  option('--created-after <time>', 'only from this time on, such as 2026-01-31T12:00:00Z'),
  option('--created-before <time>', 'only up to this time'),
  option('--sort <field>', 'order by this field', { field: 'sort_by' }),
  option('--ascending', 'smallest or oldest first', {
    field: 'sort_order',
    read: (_, written) => Promise.resolve(right(written === true ? 'asc' : undefined)),
  }),
  option('--limit <n>', 'how many (default 50, at most 100)'),
  option('--offset <n>', 'skip as many'),
];
