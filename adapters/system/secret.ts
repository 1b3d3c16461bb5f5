import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Prefixes that scanners for leaked secrets can find: of API keys, and of access tokens of instances. */
export type SecretKind = 'rgk' | 'rgt';

/** A new secret, to be shown once, with its stored id and hash. */
export interface NewSecret {
  readonly secret: string;
  readonly id: string;
  /** SHA-256, hexadecimal. The secret has 256 random bits, so that a slow hash would add nothing. */
  readonly hash: string;
}

/** The id identifies a secret without revealing it. */
const SECRET = /^(rgk|rgt)_([0-9a-f]{24})_[A-Za-z0-9_-]{43}$/;

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const makeSecret = (kind: SecretKind): NewSecret => {
  const id = randomBytes(12).toString('hex');
  const secret = `${kind}_${id}_${randomBytes(32).toString('base64url')}`;
  return { secret, id, hash: hashOf(secret) };
};

/** The id in a secret of this kind; null for other text. */
export const secretIdOf = (kind: SecretKind, text: string): string | null => {
  const [, found, id] = SECRET.exec(text) ?? [];
  return found === kind && id !== undefined ? id : null;
};

/** Compares a secret with a hash in constant time. */
export const isSecretOf = (secret: string, hash: string): boolean => sameSecret(hashOf(secret), hash);

/** Compares two secrets in time that depends on their lengths only. */
export const sameSecret = (given: string, expected: string): boolean => {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
};
