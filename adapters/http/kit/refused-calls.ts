import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { type Request } from 'express';
import { type Either } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { mapLeft } from '../../../domain/kernel/either';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { ERROR_CATALOGUE } from './error-catalogue';
import { TOO_MANY_FAILED_LOGINS } from './error-examples';

export interface RefusedCallsOptions {
  /** Limit of rejected calls per minute and address or key; further calls get 429. */
  readonly perMinute: number;
  /** The address of the client. */
  readonly addressOf: (request: Request) => string;
  /** The key, token or similar credential of a request, or its id; null for none. */
  readonly keyOf: (request: Request) => string | null;
  /** Called with the status of each rejected call. */
  readonly note: (status: 401 | 429) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** Returns the error for an unidentified caller, or 429 after too many rejections. */
export type AnswerRefusal = (request: Request, refusal: DomainError) => DomainError;

const WINDOW_MS = 60_000;
/** Maximum number of addresses and of keys that are counted; the latest ones. */
const REMEMBERED = 50_000;
const LONGEST_KEPT = 64;

/**
 * Counts failed authentications by address and by key, for a minute from the first. Identified callers are never
 * throttled.
 */
export const refusedCalls = (options: RefusedCallsOptions): AnswerRefusal => {
  const { perMinute, addressOf, keyOf, note, now = () => performance.now() } = options;
  const counts = (): LRUCache<string, number> =>
    new LRUCache({ max: REMEMBERED, ttl: WINDOW_MS, noUpdateTTL: true, ttlResolution: 0, perf: { now } });
  const [addresses, keys] = [counts(), counts()];

  /** Seconds until calls are accepted again; 0: not throttled. */
  const count = (known: LRUCache<string, number>, of: string): number => {
    // The credential may be long.
    const key = of.length <= LONGEST_KEPT ? of : createHash('sha256').update(of).digest('base64');
    const calls = (known.get(key) ?? 0) + 1;
    known.set(key, calls);
    return calls <= perMinute ? 0 : Math.max(1, Math.ceil(known.getRemainingTTL(key) / 1000));
  };

  return (request, refusal) => {
    if (ERROR_CATALOGUE[refusal.code].status !== 401) return refusal;
    const key = keyOf(request);
    const seconds = Math.max(count(addresses, networkOf(addressOf(request))), key === null ? 0 : count(keys, key));
    note(seconds === 0 ? 401 : 429);
    return seconds === 0
      ? refusal
      : domainError('RATE_LIMIT_EXCEEDED', TOO_MANY_FAILED_LOGINS, { retry_after_seconds: seconds });
  };
};

/** The same authorization with counted rejections. */
export const countRefusals =
  <A, I>(authorize: (request: Request, access: A) => Promise<Either<DomainError, I>>, answerRefusal: AnswerRefusal) =>
  async (request: Request, access: A): Promise<Either<DomainError, I>> =>
    mapLeft(await authorize(request, access), (refusal) => answerRefusal(request, refusal));

/** The address to count by, without its port: for IPv6 the /64 network, which belongs to one subscriber. */
export const networkOf = (address: string): string => {
  const [, bare = address] = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/.exec(address)?.filter(Boolean) ?? [];
  const [ip = ''] = bare.split('%');
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1];
  if (mapped !== undefined || !isIPv6(ip)) return mapped ?? ip;
  const [before = [], after = []] = canonical(ip)
    .split('::')
    .map((groups) => groups.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${canonical(`${[...before, ...zeros, ...after].slice(0, 4).join(':')}::`)}/64`;
};

const canonical = (ipv6: string): string => new URL(`http://[${ipv6}]`).hostname.slice(1, -1);
