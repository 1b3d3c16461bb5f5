import { right } from 'fp-ts/Either';
import { findKeyHolder } from '../../../../queries/credentials';
import { secretIdOf } from '../../../system/secret';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';
import { type sessionEndpoints } from './endpoints';

export const sessionHandlers = ({ db, sessions }: PublicDependencies): PublicHandlers<typeof sessionEndpoints> => ({
  openSession: async ({ header }) => {
    const key = (header('Authorization') ?? '').replace(/^Bearer +/i, '').trim();
    const keyId = secretIdOf('rgk', key);
    // The request was authorized with this key.
    const holder = keyId === null ? null : await findKeyHolder(db, keyId);
    if (sessions === null || keyId === null || holder === null) return right({ body: { expires_at: null } });
    const { session, cookie } = sessions.open(keyId, holder.expires_at);
    return right({ body: { expires_at: session.expiresAt }, cookie, isShownOnce: true });
  },

  getSession: ({ header }) => {
    const session = sessions?.read({ method: 'GET', header }) ?? null;
    return Promise.resolve(right({ body: { expires_at: session?.expiresAt ?? null } }));
  },

  closeSession: () =>
    Promise.resolve(
      right({
        body: { closed: true as const },
        ...(sessions === null ? {} : { cookie: sessions.closingCookie }),
      }),
    ),
});
