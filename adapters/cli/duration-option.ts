import { left, right } from 'fp-ts/Either';
import { wrongUsage } from './failure';
import { option, type RequestOption } from './request-options';

const SHORT = /^(?:(\d+)w|(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)$/;

export const durationOption = (name: string, description: string, field: string): RequestOption =>
  option(`--${name} <duration>`, description, {
    field,
    parse: (written) => {
      const duration = isoDuration(written);
      const words = `--${name} ${written} is not a duration: write 90m, 24h, 7d, 1d12h or ISO 8601 (PT24H).`;
      return duration === undefined ? left(wrongUsage(words)) : right(duration);
    },
  });

export const ttlOption = durationOption(
  'ttl',
  'how long it lives: 24h, 7d, PT90M; "default" for the configured time',
  'ttl',
);
export const lifeOptions: readonly RequestOption[] = [
  ttlOption,
  durationOption('inactivity', 'ends it after as long without use, likewise', 'inactivity_timeout'),
];

/** ISO 8601, which is what the API takes; null for the default, undefined for what is no duration. */
const isoDuration = (text: string): string | null | undefined => {
  if (text === 'default') return null;
  if (/^P/i.test(text)) return text.toUpperCase();
  const match = SHORT.exec(text);
  if (match === null || text === '') return undefined;
  const parts: readonly (string | undefined)[] = match.slice(1);
  const [weeks, days, ...time] = parts.map((number, unit) =>
    number === undefined ? '' : number + 'WDHMS'.charAt(unit),
  );
  return `P${weeks}${days}${time.join('') === '' ? '' : `T${time.join('')}`}`;
};
