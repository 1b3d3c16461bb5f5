import { type Either, left, right } from 'fp-ts/Either';
import { type Given, type OptionSpec } from './action';
import { type CliFailure, wrongUsage } from './failure';

const SHORT = /^(?:(\d+)w|(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)$/;

export const lifeOptions: readonly OptionSpec[] = [
  { flags: '--ttl <duration>', description: 'how long it lives: 24h, 7d, PT90M; "default" for the configured time' },
  { flags: '--inactivity <duration>', description: 'ends it after as long without use, likewise' },
];

interface Life {
  readonly ttl?: string | null;
  readonly inactivity_timeout?: string | null;
}

/** The life span somebody asked for; absent options are left out. */
export const lifeOf = (given: Given): Either<CliFailure, Life> => {
  const wrong = ['ttl', 'inactivity'].find((option) => durationOf(given.text(option)) === 'wrong');
  if (wrong !== undefined) {
    const text = given.text(wrong) ?? '';
    return left(wrongUsage(`--${wrong} ${text} is not a duration: write 90m, 24h, 7d, 1d12h or ISO 8601 (PT24H).`));
  }
  const [ttl, inactivity] = [durationOf(given.text('ttl')), durationOf(given.text('inactivity'))];
  return right({
    ...(ttl === undefined ? {} : { ttl }),
    ...(inactivity === undefined ? {} : { inactivity_timeout: inactivity }),
  });
};

/** ISO 8601, which is what the API takes; null for the default. */
const durationOf = (text: string | undefined): string | null | undefined => {
  if (text === undefined) return undefined;
  if (text === 'default') return null;
  if (/^P/i.test(text)) return text.toUpperCase();
  const match = SHORT.exec(text);
  if (match === null || text === '') return 'wrong';
  const [, weeks, days, hours, minutes, seconds] = match;
  if (weeks !== undefined) return `P${weeks}W`;
  const part = (number: string | undefined, unit: string): string => (number === undefined ? '' : number + unit);
  const time = part(hours, 'H') + part(minutes, 'M') + part(seconds, 'S');
  return `P${part(days, 'D')}${time === '' ? '' : `T${time}`}`;
};
