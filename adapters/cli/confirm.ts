import { type Either, left, right } from 'fp-ts/Either';
import { type CommandInput, type OptionSpec } from './action';
import { type CliFailure, failed } from './failure';
import { type Terminal } from './terminal';

export const yesOption: OptionSpec = { flags: '-y, --yes', description: 'do not ask' };

/** Asks a person; scripts have decided already. */
export const confirm = async (
  terminal: Terminal,
  input: CommandInput,
  question: string,
): Promise<Either<CliFailure, undefined>> => {
  if (input.flag('yes') || !terminal.isInteractive) return right(undefined);
  const answer = await terminal.ask(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer) ? right(undefined) : left(failed('Nothing was changed.'));
};
