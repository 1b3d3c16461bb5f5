import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isLeft } from 'fp-ts/Either';
import { type Action, type ActionGroup, type CommandInput, type OptionSpec, type Outcome } from './action';
import { connect } from './connection';
import { type CliFailure } from './failure';
import { type Environment } from './login-file';
import { FORMATS, render } from './output';
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
  options: ProgramOptions,
  fail: (failure: CliFailure) => void,
): void => {
  const { terminal } = options;
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
    const input = inputOf(command);
    const outcome = await runAction(action, options, input);
    if (isLeft(outcome)) return fail(outcome.left);
    const { exitCode, note, warnings = [] } = outcome.right;
    const format = FORMATS.find((one) => input.flag(one)) ?? 'table';
    const text = render(outcome.right, format, terminal.width);
    if (text !== '') terminal.out.write(`${text}\n`);
    warnings.forEach((warning) => terminal.errors.write(`${warning}\n`));
    if (exitCode !== undefined) fail({ exitCode, lines: [] });
    if (note !== undefined && format === 'table') terminal.errors.write(`${note}\n`);
  });
};

const runAction = async (action: Action, { terminal, environment }: ProgramOptions, input: CommandInput): Outcome => {
  if ('runLocally' in action) return action.runLocally({ terminal, environment }, input);
  const session = connect(terminal, environment, input.text('url'));
  return isLeft(session) ? session : action.run(session.right, input);
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

const inputOf = (command: Command): CommandInput => {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const value = (name: string): unknown =>
    options[name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  return {
    words: command.args,
    argument: (index) => command.args[index] ?? '',
    value,
    text: (name) => {
      const text = value(name);
      return typeof text === 'string' ? text : undefined;
    },
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
