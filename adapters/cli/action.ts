import { type Session } from './connection';
import { type Answer } from './failure';
import { type Environment } from './login-file';
import { type Output } from './output';
import { type Terminal } from './terminal';

/** The arguments and options of a command line, read by the declaration of the command. */
export interface CommandInput {
  /** The positional arguments, at least the required ones. */
  readonly args: readonly string[];
  readonly argument: (index: number) => string;
  readonly value: (option: string) => unknown;
  readonly text: (option: string) => string | undefined;
  readonly texts: (option: string) => readonly string[];
  readonly integer: (option: string) => number | undefined;
  readonly flag: (option: string) => boolean;
}

export interface OptionSpec {
  /** `--limit <n>`, `-p, --parameter <name=value>`. */
  readonly flags: string;
  readonly description: string;
  /** Default: text, or true for an option without a value. */
  readonly kind?: 'integer' | 'list';
  readonly choices?: readonly string[];
  /** The error when it is missing. Default: it is optional. */
  readonly required?: string;
}

export type Outcome = Answer<Output>;

export interface LocalContext {
  readonly terminal: Terminal;
  readonly environment: Environment;
}

/** One command. Commands with `run` need a login. */
export type Action = {
  /** Its name and arguments: `show <mapping>`. */
  readonly usage: string;
  /** At most 60 characters. */
  readonly summary: string;
  /** Values of its arguments by placeholder, for completion. */
  readonly choices?: Readonly<Record<string, readonly string[]>>;
  /** Not in the help. */
  readonly isHidden?: boolean;
  readonly options?: readonly OptionSpec[];
  /** Shown below the help: one line each, without `rowgraph`. */
  readonly examples?: readonly string[];
  /** For results whose natural format for programs is CSV. */
  readonly takesCsv?: true;
} & (
  | { readonly run: (session: Session, input: CommandInput) => Outcome }
  | { readonly runLocally: (context: LocalContext, input: CommandInput) => Outcome }
);

/** Commands below one word; without a name, at the top level. */
export interface ActionGroup {
  readonly name: string | null;
  readonly summary: string;
  readonly actions: readonly Action[];
}

/** The long name of an option, without its dashes. */
export const nameOf = ({ flags }: OptionSpec): string => /--([a-z-]+)/.exec(flags)?.[1] ?? flags;
