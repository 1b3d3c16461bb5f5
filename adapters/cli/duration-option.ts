import { left, right } from 'fp-ts/Either';
import { wrongUsage } from './failure';
import { option, type RequestOption } from './request-options';

const SHORT = /^(?:(\d+)w|(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?)$/;

export const durationOption = (name: string, description: string, field: string): RequestOption =>
  option(`--${name} <duration>`, description, {
    field,
    parse: (written) => {
      const duration = isoDuration(written);
      const message = `--${name} ${written} is not a duration. Examples: 90m, 24h, 7d, 1d12h, PT24H (ISO 8601).`;
      return duration === undefined ? left(wrongUsage(message)) : right(duration);
    },
  });

export const ttlOption = durationOption('ttl', 'time to live: 24h, 7d, PT90M or "default"', 'ttl');
export const lifeOptions: readonly RequestOption[] = [
  ttlOption,
  durationOption('inactivity', 'delete it after this long without use', 'inactivity_timeout'),
];

export const lifetimeText = (kind: string, id: number, ttl: string | null, unused: string | null): string =>
  `Lifetime of ${kind} ${id}: ${ttl ?? 'unlimited'} from creation, ${unused ?? 'unlimited'} without use.`;

/** ISO 8601 for the API; null for the default, undefined for an invalid duration. */
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
