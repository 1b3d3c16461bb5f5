import { type Either, left, right } from 'fp-ts/Either';
import { type CommandInput, type OptionSpec } from './action';
import { type CliFailure, failed, usageError } from './failure';
import { type Terminal } from './terminal';

export const yesOption: OptionSpec = { flags: '-y, --yes', description: 'do not ask for confirmation' };

/** Asks for confirmation; scripts have to use --yes. */
export const confirm = async (
  terminal: Terminal,
  input: CommandInput,
  question: string,
): Promise<Either<CliFailure, undefined>> => {
  if (input.flag('yes')) return right(undefined);
  if (!terminal.isInteractive) {
    return left(usageError(`${question} Confirmation is required: add --yes. Nothing was changed.`));
  }
  const answer = await terminal.prompt(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer) ? right(undefined) : left(failed('Nothing was changed.'));
};
