import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  type CryptoKey,
  errors,
  type JWSHeaderParameters,
  type RemoteJWKSet,
} from 'jose';
import { type Logger } from 'pino';
import { fetchReason } from '../system/fetch-reason';

/** Why a key was not found for a token. */
export type KeyError =
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'unusable_key'; readonly reason: string }
  | { readonly kind: 'issuer_unreachable'; readonly reason: string; readonly retryAfterSeconds: number };

/** Finds the public key for a token's signature. */
export type FindKey = (header: JWSHeaderParameters) => Promise<Either<KeyError, CryptoKey>>;

const CACHE_MAX_AGE_MS = 600_000;
/** Minimum interval between two requests for unknown key ids, so that forged ids do not cause requests. */
const COOLDOWN_MS = 10_000;
const RETRY_INTERVAL_MS = 5_000;
const TIMEOUT_MS = 5_000;

/** Fetches the keys of an issuer on demand. While the issuer is unreachable, the last keys remain valid. */
export const issuerKeys = (issuer: string, log: Pick<Logger, 'warn' | 'info'>): FindKey => {
  let remote: RemoteJWKSet | null = null;
  /** The keys as they were read last, whatever their age. */
  let keys: ReturnType<typeof createLocalJWKSet> | null = null;
  let failure: { readonly reason: string; readonly at: number } | null = null;
  let pending: Promise<void> | null = null;

  const load = async (): Promise<void> => {
    try {
      remote ??= await discoverKeys(issuer);
      await remote.reload();
      keys = createLocalJWKSet(remote.jwks() ?? { keys: [] });
      if (failure !== null) log.info({ issuer }, 'the keys of the identity provider are readable again');
      failure = null;
    } catch (error) {
      const reason = fetchReason(error);
      if (failure === null) log.warn({ issuer, reason }, 'the keys of the identity provider are not readable');
      failure = { reason, at: Date.now() };
    }
  };
  const loadOnce = (): Promise<void> => (pending ??= load().finally(() => (pending = null)));
  const untilRetry = (): number => (failure === null ? 0 : failure.at + RETRY_INTERVAL_MS - Date.now());

  return async (header) => {
    let found = await findIn(keys, header);
    const isUnknown = (): boolean => isLeft(found) && found.left.kind === 'unknown_key';
    if (remote?.fresh !== true || (isUnknown() && !remote.coolingDown)) {
      if (untilRetry() <= 0) await loadOnce();
      found = await findIn(keys, header);
      if (failure !== null && isUnknown()) {
        const retryAfterSeconds = Math.max(1, Math.ceil(untilRetry() / 1000));
        return left({ kind: 'issuer_unreachable', reason: failure.reason, retryAfterSeconds });
      }
    }
    return found;
  };
};

const findIn = async (
  keys: ReturnType<typeof createLocalJWKSet> | null,
  header: JWSHeaderParameters,
): Promise<Either<KeyError, CryptoKey>> => {
  if (keys === null) return left({ kind: 'unknown_key' });
  try {
    return right(await keys(header));
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return left({ kind: 'unknown_key' });
    return left({ kind: 'unusable_key', reason: fetchReason(error) });
  }
};

const Discovery = t.type({ issuer: t.string, jwks_uri: t.string });

const discoverKeys = async (issuer: string): Promise<RemoteJWKSet> => {
  const url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const decoded = Discovery.decode(answer.ok ? await answer.json() : null);
  if (isLeft(decoded)) throw new Error(`${url} is not the configuration of an OpenID provider (${answer.status})`);
  const { issuer: named, jwks_uri: address } = decoded.right;
  if (named !== issuer) throw new Error(`${url} names the issuer ${named}; set ROWGRAPH_OIDC_ISSUER to the same`);
  if (issuer.startsWith('https:') && !address.startsWith('https:')) {
    throw new Error(`${url} names ${address} for the keys, which is not encrypted`);
  }
  const options = { cacheMaxAge: CACHE_MAX_AGE_MS, cooldownDuration: COOLDOWN_MS, timeoutDuration: TIMEOUT_MS };
  return createRemoteJWKSet(new URL(address), options);
};
