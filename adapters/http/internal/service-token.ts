import { type Either, left, right } from 'fp-ts/Either';
import jwt from 'jsonwebtoken';

/** Who a service token speaks for: export workers, or the pod of one instance. */
export type Component = { readonly kind: 'worker' } | { readonly kind: 'wrapper'; readonly instanceId: number };

const AUDIENCE = 'rowgraph-internal';

/** Makes the token a component of the embedded system identifies itself with. */
export const signServiceToken = (secret: string, component: Component, expiresInSeconds: number): string => {
  const subject = component.kind === 'worker' ? 'worker' : `wrapper:${component.instanceId}`;
  return jwt.sign({}, secret, { algorithm: 'HS256', audience: AUDIENCE, subject, expiresIn: expiresInSeconds });
};

/** The component a token was made for; `left` says what is wrong with it. */
export const verifyServiceToken = (secret: string, token: string): Either<string, Component> => {
  try {
    const { sub, exp } = jwt.verify(token, secret, { algorithms: ['HS256'], audience: AUDIENCE, complete: false }) as {
      readonly sub?: unknown;
      readonly exp?: unknown;
    };
    if (typeof exp !== 'number') return left('it never expires');
    if (sub === 'worker') return right({ kind: 'worker' });
    const instanceId = typeof sub === 'string' ? /^wrapper:([1-9]\d{0,15})$/.exec(sub)?.[1] : undefined;
    return instanceId === undefined
      ? left('its subject is not a component')
      : right({ kind: 'wrapper', instanceId: Number(instanceId) });
  } catch (error) {
    return left(error instanceof Error ? error.message : 'it cannot be read');
  }
};
