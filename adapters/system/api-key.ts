import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new key, to be shown once, and what is kept of it. */
export interface NewApiKey {
  readonly key: string;
  readonly keyId: string;
  /** SHA-256, hexadecimal. The key has 256 random bits, so that a slow hash would add nothing. */
  readonly hash: string;
}

/** The prefix lets scanners for leaked secrets recognise a key; the id after it finds the key without its secret. */
const KEY = /^rgk_([0-9a-f]{24})_[A-Za-z0-9_-]{43}$/;

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex');

export const makeApiKey = (): NewApiKey => {
  const keyId = randomBytes(12).toString('hex');
  const key = `rgk_${keyId}_${randomBytes(32).toString('base64url')}`;
  return { key, keyId, hash: hashOf(key) };
};

/** The id a key names; null for text that is no key. */
export const keyIdOf = (text: string): string | null => KEY.exec(text)?.[1] ?? null;

/** Whether a key is the one of a hash, in a time that tells nothing about it. */
export const isKeyOf = (key: string, hash: string): boolean => sameSecret(hashOf(key), hash);

/** Compares two secrets in a time that depends on their lengths only. */
export const sameSecret = (given: string, expected: string): boolean => {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
};
