import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isLeft } from 'fp-ts/Either';
import { type Action, type ActionGroup, type Given, type OptionSpec } from './action';
import { connect } from './connection';
import { type CliFailure } from './failure';
import { type Environment } from './login-file';
import { type Format, render } from './output';
import { type Terminal } from './terminal';

export interface ProgramOptions {
  readonly groups: readonly ActionGroup[];
  readonly version: string;
  readonly environment: Environment;
  readonly terminal: Terminal;
}

/** Runs the command line to its end; resolves with the exit code. */
export const runProgram = async (words: readonly string[], options: ProgramOptions): Promise<number> => {
  const { terminal } = options;
  let exitCode = 0;
  const program = buildProgram(options, (failure) => {
    exitCode = failure.exitCode;
    if (failure.lines.length > 0) terminal.errors.write(`${failure.lines.join('\n')}\n`);
  });
  try {
    await program.parseAsync([...words], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
};

const buildProgram = (options: ProgramOptions, fail: (failure: CliFailure) => void): Command => {
  const { terminal } = options;
  const program = new Command('rowgraph')
    .description('Turns the rows of SQL queries into graphs, and asks them questions.')
    .version(options.version, '-V, --version', 'print the version')
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError('(add --help for what is possible)')
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.errors.write(text),
    });
  for (const { name, summary, actions } of options.groups) {
    const parent = name === null ? program : program.command(name).description(summary);
    for (const action of actions) addAction(parent, action, options, fail);
  }
  return program;
};

const addAction = (
  parent: Command,
  action: Action,
  { terminal, environment }: ProgramOptions,
  fail: (failure: CliFailure) => void,
): void => {
  const [name = '', ...positional] = action.usage.split(' ');
  const command = parent.command(name).description(action.summary);
  for (const argument of positional) command.addArgument(new Argument(argument));
  for (const spec of action.options ?? []) command.addOption(optionOf(spec));
  command.option('--json', 'print JSON').option('--tsv', 'print tab-separated lines');
  if (action.takesCsv) command.option('--csv', 'print CSV');
  if ('run' in action)
    command.option('--url <address>', 'address of rowgraph (ROWGRAPH_URL, or where you are logged in)');
  const examples = (action.examples ?? []).map((line) => `  rowgraph ${line}`);
  if (examples.length > 0) command.addHelpText('after', `\nFor example:\n${examples.join('\n')}`);
  command.action(async () => {
    const given = givenOf(command);
    const session = 'run' in action ? connect(terminal, environment, given.text('url')) : null;
    if (session !== null && isLeft(session)) return fail(session.left);
    const outcome =
      'run' in action && session !== null
        ? await action.run(session.right, given)
        : 'runLocally' in action
          ? await action.runLocally({ terminal, environment }, given)
          : null;
    if (outcome === null) return;
    if (isLeft(outcome)) return fail(outcome.left);
    const format: Format = given.flag('json')
      ? 'json'
      : given.flag('tsv')
        ? 'tsv'
        : given.flag('csv')
          ? 'csv'
          : 'table';
    const text = render(outcome.right, format, terminal.width);
    if (text !== '') terminal.out.write(`${text}\n`);
    if (outcome.right.exitCode !== undefined) fail({ exitCode: outcome.right.exitCode, lines: [] });
    if (outcome.right.note !== undefined && format === 'table') terminal.errors.write(`${outcome.right.note}\n`);
  });
};

const optionOf = ({ flags, description, kind, choices }: OptionSpec): Option => {
  const option = new Option(flags, description);
  if (choices !== undefined) option.choices(choices);
  if (kind === 'integer') option.argParser(integerOf);
  if (kind === 'list') option.argParser((value, before: readonly string[] | undefined) => [...(before ?? []), value]);
  return option;
};

const integerOf = (text: string): number => {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It has to be a whole number.');
  return Number(text);
};

const givenOf = (command: Command): Given => {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const value = (name: string): unknown =>
    options[name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  return {
    argument: (index) => command.args[index] ?? '',
    optionalArgument: (index) => command.args[index],
    restOfArguments: (from) => command.args.slice(from),
    text: (name) => asText(value(name)),
    texts: (name) => {
      const list = value(name);
      return Array.isArray(list) ? list.map(String) : [];
    },
    integer: (name) => {
      const number = value(name);
      return typeof number === 'number' ? number : undefined;
    },
    flag: (name) => value(name) === true,
  };
};

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
