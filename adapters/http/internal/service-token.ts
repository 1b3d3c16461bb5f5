import { type Either, left, mapLeft, right } from 'fp-ts/Either';
import jwt from 'jsonwebtoken';

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

/** Longer than the life of every instance. */
const TOKEN_SECONDS = 400 * 24 * 3600;

/** Creates the token of a worker or a local pod. */
export const signServiceToken = (secret: string, component: Component, expiresInSeconds = TOKEN_SECONDS): string => {
  const subject = component.kind === 'worker' ? 'worker' : subjectOf(component.instanceId, component.life);
  return jwt.sign({}, secret, { algorithm: 'HS256', audience: AUDIENCE, subject, expiresIn: expiresInSeconds });
};

/**
 * Identifies components by tokens that are signed with the internal secret; tokens with an asymmetric signature are
 * passed to `others`, if given.
 */
export const signedTokens =
  (secret: string, others: IdentifyComponent | null = null): IdentifyComponent =>
  (token) => {
    const algorithm = jwt.decode(token, { complete: true })?.header.alg ?? 'HS256';
    if (others !== null && algorithm !== 'HS256') return others(token);
    return Promise.resolve(
      mapLeft((reason: string): TokenFailure => ({ kind: 'invalid', reason }))(verify(secret, token)),
    );
  };

const verify = (secret: string, token: string): Either<string, Component> => {
  try {
    const { sub, exp } = jwt.verify(token, secret, { algorithms: ['HS256'], audience: AUDIENCE, complete: false }) as {
      readonly sub?: unknown;
      readonly exp?: unknown;
    };
    if (typeof exp !== 'number') return left('it never expires');
    if (sub === 'worker') return right({ kind: 'worker' });
    const [, instanceId, life] = (typeof sub === 'string' ? SUBJECT.exec(sub) : null) ?? [];
    return instanceId === undefined
      ? left('its subject is not a component')
      : right({ kind: 'wrapper', instanceId: Number(instanceId), life: life === undefined ? null : Number(life) });
  } catch (error) {
    return left(error instanceof Error ? error.message : 'it cannot be read');
  }
};
