import { createHmac } from 'node:crypto';
import { type Either, left, right } from 'fp-ts/Either';
import { decodeProtectedHeader, jwtVerify } from 'jose';
import { mapLeft } from '../../../domain/kernel/either';

/** The subject of a service token: export workers, or one pod of an instance; `life` null: any pod of the instance. */
export type Component =
  { readonly kind: 'worker' } | { readonly kind: 'wrapper'; readonly instanceId: number; readonly life: number | null };

/** Why a token does not identify a component: it is invalid, or its verification is unavailable. */
export type TokenFailure = { readonly kind: 'invalid' | 'unavailable'; readonly reason: string };

/** Identifies the component that a bearer token was issued to. */
export type IdentifyComponent = (token: string) => Promise<Either<TokenFailure, Component>>;

const AUDIENCE = 'rowgraph-internal';

const subjectOf = (instanceId: number, life: number | null): string =>
  life === null ? `wrapper:${instanceId}` : `wrapper:${instanceId}:${life}`;
const SUBJECT = /^wrapper:([1-9]\d{0,15})(?::(\d{1,9}))?$/;

/** The life of a token that its program gets again before it ends. */
export const TOKEN_SECONDS = 24 * 3600;

/** Creates the token of a worker or a pod. */
export const signServiceToken = (secret: string, component: Component, expiresInSeconds = TOKEN_SECONDS): string => {
  const subject = component.kind === 'worker' ? 'worker' : subjectOf(component.instanceId, component.life);
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iat, exp: iat + expiresInSeconds, aud: AUDIENCE, sub: subject };
  const signed = [{ alg: 'HS256', typ: 'JWT' }, claims].map(encoded).join('.');
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
};

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/**
 * Identifies components by tokens that are signed with the internal secret; tokens with an asymmetric signature are
 * passed to `others`, if given.
 */
export const signedTokens =
  (secret: string, others: IdentifyComponent | null = null): IdentifyComponent =>
  async (token) => {
    if (others !== null && algorithmOf(token) !== 'HS256') return others(token);
    return mapLeft(await verify(secret, token), (reason: string): TokenFailure => ({ kind: 'invalid', reason }));
  };

/** HS256 for an unreadable token as well. */
const algorithmOf = (token: string): string => {
  try {
    return decodeProtectedHeader(token).alg ?? 'HS256';
  } catch {
    return 'HS256';
  }
};

const verify = async (secret: string, token: string): Promise<Either<string, Component>> => {
  try {
    const rules = { algorithms: ['HS256'], audience: AUDIENCE, requiredClaims: ['exp'] };
    const { sub } = (await jwtVerify(token, Buffer.from(secret), rules)).payload;
    if (sub === 'worker') return right({ kind: 'worker' });
    const [, instanceId, life] = SUBJECT.exec(sub ?? '') ?? [];
    return instanceId === undefined
      ? left('its subject is not a component')
      : right({ kind: 'wrapper', instanceId: Number(instanceId), life: life === undefined ? null : Number(life) });
  } catch (error) {
    return left(error instanceof Error ? error.message : 'it cannot be read');
  }
};
