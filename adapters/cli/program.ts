import { Argument, Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { isLeft } from 'fp-ts/Either';
import { type Action, type ActionGroup, type CommandInput, nameOf, type OptionSpec, type Outcome } from './action';
import { addressOption, connect } from './connection';
import { type CliFailure, failureJson, usageError } from './failure';
import { type Environment } from './login-file';
import { FORMATS, type Output, render } from './output';
import { integerIn } from './request-options';
import { type Terminal, writeText } from './terminal';

export interface ProgramOptions {
  readonly groups: readonly ActionGroup[];
  readonly version: string;
  readonly environment: Environment;
  readonly terminal: Terminal;
}

const MAX_HELP_WIDTH = 100;
const HELP_WIDTH = 80;

/** Runs the command line; resolves with the exit code. */
export const runProgram = async (args: readonly string[], options: ProgramOptions): Promise<number> => {
  const { terminal } = options;
  const asJson = args.includes('--json');
  let exitCode = 0;
  const program = buildProgram(options, asJson, (failure) => {
    exitCode = failure.exitCode;
    const text = asJson ? failureJson(failure) : failure.lines.join('\n');
    if (failure.lines.length > 0) writeText(terminal.errors, `${text}\n`);
  });
  try {
    await program.parseAsync([...args], { from: 'user' });
    return exitCode;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
};

type Fail = (failure: CliFailure) => void;

const buildProgram = (options: ProgramOptions, asJson: boolean, fail: Fail): Command => {
  const { terminal } = options;
  const helpWidth = (): number =>
    Number.isFinite(terminal.width) ? Math.min(terminal.width, MAX_HELP_WIDTH) : HELP_WIDTH;
  const program = new Command('rowgraph')
    .description('Turn the rows of SQL queries into graphs and query them in Cypher.')
    .version(options.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .showHelpAfterError(asJson ? false : '(add --help for usage)')
    .configureHelp({
      minWidthToWrap: 20,
      subcommandTerm: (one) => `${one.name()} ${one.usage().replaceAll(/\[(?:options|command)\] ?/g, '')}`.trim(),
    })
    .configureOutput({
      writeOut: (text) => void terminal.out.write(text),
      writeErr: (text) => void terminal.errors.write(text),
      outputError: (text, write) => write(asJson ? `${failureJson(usageError(text.replace(/^error: /, '')))}\n` : text),
      getOutHelpWidth: helpWidth,
      getErrHelpWidth: helpWidth,
    });
  for (const { name, summary, actions } of options.groups) {
    const parent = name === null ? program : program.command(name).description(summary).helpCommand(false);
    for (const action of actions) addAction(parent, action, options, fail);
    if (name !== null) addHelp(parent);
  }
  addHelp(program);
  return program;
};

/** `help` of any depth: Commander's own ignores words behind the first, and an unknown first one. */
const addHelp = (parent: Command): void => {
  const help = parent.command('help [command...]').description('Show help for a command');
  help.action(async (words: readonly string[]) => {
    let shown = parent;
    for (const word of words) {
      const next = shown.commands.find((one) => one.name() === word);
      // Rejected as an unknown command.
      if (next === undefined && shown.commands.length > 0) await shown.parseAsync([word], { from: 'user' });
      shown = next ?? shown;
    }
    shown.help();
  });
};

const addAction = (parent: Command, action: Action, options: ProgramOptions, fail: Fail): void => {
  const { terminal } = options;
  const [name = '', ...positional] = action.usage.split(' ');
  const command = parent.command(name, { hidden: action.isHidden ?? false }).description(action.summary);
  for (const argument of positional) command.addArgument(new Argument(argument));
  for (const spec of action.options ?? []) command.addOption(optionOf(spec));
  command.optionsGroup('Common options:');
  for (const spec of commonOptions(action)) command.addOption(optionOf(spec));
  const examples = (action.examples ?? []).map((line) => `  rowgraph ${line}`);
  if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.join('\n')}`);
  command.action(async () => {
    const input = inputOf(command);
    const [format = 'table', other] = FORMATS.filter((one) => input.flag(one));
    if (other !== undefined) return fail(usageError(`Choose one of --${format} and --${other}.`));
    const missing = action.options?.find(
      (spec) => spec.required !== undefined && input.value(nameOf(spec)) === undefined,
    );
    if (missing?.required !== undefined) return fail(usageError(missing.required));
    const outcome = await runAction(action, options, input);
    if (isLeft(outcome)) return fail(outcome.left);
    print(outcome.right, format, input.flag('wide') ? Infinity : terminal.width, terminal);
    const { exitCode, failure } = outcome.right;
    if (failure !== undefined) fail(failure);
    else if (exitCode !== undefined) fail({ exitCode, lines: [] });
  });
};

/** Common options, listed after those of the command. */
export const commonOptions = (action: Action): readonly OptionSpec[] => [
  { flags: '--json', description: 'print JSON, errors too' },
  { flags: '--tsv', description: 'print tab-separated values' },
  ...(action.takesCsv ? [{ flags: '--csv', description: 'print CSV' }] : []),
  { flags: '--wide', description: 'do not cut tables to the width of the terminal' },
  ...('run' in action ? [addressOption] : []),
];

const print = (output: Output, format: 'table' | (typeof FORMATS)[number], width: number, terminal: Terminal): void => {
  const { note, warnings = [] } = output;
  const text = render(output, format, width);
  if (text !== '') writeText(terminal.out, `${text}\n`);
  warnings.forEach((warning) => writeText(terminal.errors, `${warning}\n`));
  if (format !== 'table') return;
  if (note !== undefined) writeText(terminal.errors, `${note}\n`);
  const isCut = Number.isFinite(width) && text !== render(output, format, Infinity);
  if (isCut) terminal.errors.write('Some cells are cut; --wide prints them whole.\n');
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
  const integer = integerIn(text);
  if (integer === null) throw new InvalidArgumentError('It must be an integer.');
  return integer;
};

const inputOf = (command: Command): CommandInput => {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const value = (name: string): unknown =>
    options[name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase())];
  return {
    args: command.args,
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
