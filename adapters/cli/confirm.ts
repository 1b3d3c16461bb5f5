import { type Either, left, right } from 'fp-ts/Either';
import { type CommandInput, type OptionSpec } from './action';
import { type CliFailure, failed, wrongUsage } from './failure';
import { type Terminal } from './terminal';

export const yesOption: OptionSpec = { flags: '-y, --yes', description: 'do not ask' };

/** Asks a person; a script has to say that it is sure. */
export const confirm = async (
  terminal: Terminal,
  input: CommandInput,
  question: string,
): Promise<Either<CliFailure, undefined>> => {
  if (input.flag('yes')) return right(undefined);
  if (!terminal.isInteractive) {
    return left(wrongUsage(`${question} Nobody is there to answer; say --yes to do it. Nothing was changed.`));
  }
  const answer = await terminal.ask(`${question} [y/N] `);
  return /^y(es)?$/i.test(answer) ? right(undefined) : left(failed('Nothing was changed.'));
};
