import { type Either } from 'fp-ts/Either';
import { type CliFailure } from './failure';
import { type Session } from './connection';
import { type Environment } from './login-file';
import { type Output } from './output';
import { type Terminal } from './terminal';

/** What somebody wrote behind a command, decoded by its declaration. */
export interface Given {
  /** A positional argument the declaration requires. */
  readonly argument: (index: number) => string;
  readonly optionalArgument: (index: number) => string | undefined;
  readonly restOfArguments: (from: number) => readonly string[];
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
}

export type Outcome = Promise<Either<CliFailure, Output>>;

/** One command. Those with `run` need to be logged in. */
export type Action = {
  /** Its name and arguments: `show <mapping>`. */
  readonly usage: string;
  readonly summary: string;
  readonly options?: readonly OptionSpec[];
  /** Shown below the help: one line each, without `rowgraph`. */
  readonly examples?: readonly string[];
  /** For results whose natural format for programs is CSV. */
  readonly takesCsv?: true;
} & (
  | { readonly run: (session: Session, given: Given) => Outcome }
  | { readonly runLocally: (context: LocalContext, given: Given) => Outcome }
);

export interface LocalContext {
  readonly terminal: Terminal;
  readonly environment: Environment;
}

/** Commands that belong together, below one word; without a name they stand at the top. */
export interface ActionGroup {
  readonly name: string | null;
  readonly summary: string;
  readonly actions: readonly Action[];
}

export const pageOptions: readonly OptionSpec[] = [
  { flags: '--limit <n>', description: 'how many (default 50, at most 100)', kind: 'integer' },
  { flags: '--offset <n>', description: 'skip as many', kind: 'integer' },
];

/** The page that was asked for, absent fields left to the server. */
export const pageQuery = (given: Given): { readonly limit?: number; readonly offset?: number } => ({
  ...present('limit', given.integer('limit')),
  ...present('offset', given.integer('offset')),
});

/** `{name: value}`, or nothing when the value is absent. */
export const present = <K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } =>
  // A computed key loses its literal type.
  (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: V };
