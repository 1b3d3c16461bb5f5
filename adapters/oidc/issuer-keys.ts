import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { createLocalJWKSet, type CryptoKey, errors, type JWSHeaderParameters, type LocalJWKSet } from 'jose';

/** Why there is no key for a token: the issuer has none of that id, or who knows, in which case asking later may help. */
export type KeyTrouble =
  | { readonly kind: 'unknown_key' }
  | { readonly kind: 'unusable_key'; readonly reason: string }
  | { readonly kind: 'issuer_away'; readonly reason: string; readonly retryAfterSeconds: number };

/** The public keys of an issuer, as far as they are known. */
export interface IssuerKeys {
  /** The key a token was signed with. One that is not known is looked for at the issuer, if that was not done too often. */
  find(header: JWSHeaderParameters): Promise<Either<KeyTrouble, CryptoKey>>;
  /** Reads them anew; left: why not, and what is known goes on. */
  refresh(): Promise<Either<string, void>>;
}

/** So often unknown keys are looked for: this many times at once, and then once in that time. */
const LOOKS_AT_ONCE = 5;
const LOOK_EVERY_MS = 10_000;
const PATIENCE_MS = 5_000;

const Discovery = t.type({ issuer: t.string, jwks_uri: t.string });
const KeySet = t.type({ keys: t.array(t.type({ kty: t.string })) });

/** `issuer` as the tokens name it in `iss`. Nothing is read before it is asked for. */
export const createIssuerKeys = (issuer: string, now: () => number = () => performance.now()): IssuerKeys => {
  let known: LocalJWKSet | null = null;
  let trouble = 'it has not answered yet';
  let underWay: Promise<Either<string, void>> | null = null;
  let allowance = { looks: LOOKS_AT_ONCE, at: now() };

  const refresh = (): Promise<Either<string, void>> => {
    underWay ??= readKeys(issuer).then((read) => {
      underWay = null;
      if (isLeft(read)) {
        trouble = read.left;
        return read;
      }
      known = read.right;
      return right(undefined);
    });
    return underWay;
  };

  /** Reads the keys for somebody who needs one that is not known; left: in how many milliseconds that may be done again. */
  const look = (): Either<number, Promise<Either<string, void>>> => {
    if (underWay !== null) return right(underWay);
    const at = now();
    const looks = Math.min(LOOKS_AT_ONCE, allowance.looks + (at - allowance.at) / LOOK_EVERY_MS);
    allowance = { looks: looks < 1 ? looks : looks - 1, at };
    return looks < 1 ? left((1 - looks) * LOOK_EVERY_MS) : right(refresh());
  };

  const away = (reason: string, retryAfterMs: number): Either<KeyTrouble, never> =>
    left({ kind: 'issuer_away', reason, retryAfterSeconds: Math.max(1, Math.ceil(retryAfterMs / 1000)) });

  return {
    refresh,
    find: async (header) => {
      const found = await keyOf(known, header);
      if (!isLeft(found) || found.left.kind !== 'unknown_key') return found;
      const looked = look();
      if (isLeft(looked)) {
        return away(known === null ? trouble : 'it was asked for unknown keys too often', looked.left);
      }
      const read = await looked.right;
      return isLeft(read) ? away(read.left, 1000) : keyOf(known, header);
    },
  };
};

const keyOf = async (
  known: LocalJWKSet | null,
  header: JWSHeaderParameters,
): Promise<Either<Exclude<KeyTrouble, { kind: 'issuer_away' }>, CryptoKey>> => {
  if (known === null) return left({ kind: 'unknown_key' });
  try {
    return right(await known(header));
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return left({ kind: 'unknown_key' });
    return left({ kind: 'unusable_key', reason: messageOf(error) });
  }
};

/** Asks the issuer where its keys are, and reads them there. */
const readKeys = async (issuer: string): Promise<Either<string, LocalJWKSet>> => {
  const description = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const discovered = await readJson(description, Discovery);
  if (isLeft(discovered)) return discovered;
  const { issuer: named, jwks_uri: address } = discovered.right;
  if (named !== issuer)
    return left(`${description} names the issuer ${named}; ROWGRAPH_OIDC_ISSUER has to be the same`);
  if (issuer.startsWith('https:') && !address.startsWith('https:')) {
    return left(`${description} names ${address} for the keys, which is not encrypted`);
  }
  const keySet = await readJson(address, KeySet);
  if (isLeft(keySet)) return keySet;
  return keySet.right.keys.length === 0 ? left(`${address} has no key`) : right(createLocalJWKSet(keySet.right));
};

const readJson = async <A>(url: string, codec: t.Type<A>): Promise<Either<string, A>> => {
  try {
    const answer = await fetch(url, {
      headers: { Accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!answer.ok) return left(`${url} answered ${answer.status}`);
    const decoded = codec.decode(await answer.json());
    return isLeft(decoded) ? left(`${url} did not answer as an OpenID provider does`) : decoded;
  } catch (error) {
    return left(`${url} could not be read: ${messageOf(error)}`);
  }
};

/** With the cause, where `fetch` keeps what really happened. */
const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? error.cause.message : error.message;
};
