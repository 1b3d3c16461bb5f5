import { isLeft, left, right } from 'fp-ts/Either';
import { type CommandContext, type CommandPorts } from '../../../../commands/kit/command-context';
import { type CommandResult } from '../../../../commands/kit/handle-command';
import { changeApiKeys } from '../../../../commands/user/change-user';
import { type ApiKeyCommand, canManageKeys, type ReadUser } from '../../../../domain/api-keys';
import { durationMs } from '../../../../domain/kernel/codecs';
import { domainError } from '../../../../domain/kernel/errors';
import { type Position } from '../../../../domain/kernel/event';
import { userNotFound } from '../../../../domain/user';
import { listApiKeys } from '../../../../queries/credentials';
import { findUser } from '../../../../queries/users';
import { makeSecret } from '../../../system/secret';
import { replyPage } from '../codecs';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';
import { type apiKeyEndpoints } from './endpoints';

export const apiKeyHandlers = ({ db, ports }: PublicDependencies): PublicHandlers<typeof apiKeyEndpoints> => ({
  createApiKey: async ({ params: { username }, body, identity }) => {
    const ttlMs = body.ttl == null ? null : durationMs(body.ttl);
    const expiresAt = ttlMs === null ? null : new Date(ports.clock.now().getTime() + ttlMs).toISOString();
    const created = await issueApiKey(
      ports,
      { username, name: body.name, expiresAt, createdWith: identity.keyId },
      identity.context,
    );
    if (isLeft(created)) return created;
    const { key, keyId, position, createdAt } = created.right;
    return right({
      position,
      isShownOnce: true,
      body: {
        id: keyId,
        name: body.name,
        created_at: createdAt,
        created_by: identity.username,
        expires_at: expiresAt,
        key,
      },
    });
  },

  listApiKeys: async ({ params: { username }, query, identity }) => {
    const user = await findUser(db, username);
    const allowed = canManageKeys(identity, username, user);
    if (isLeft(allowed)) return allowed;
    if (user === null) return left(userNotFound(username));
    return replyPage(query, (page) => listApiKeys(db, username, query, page));
  },

  revokeApiKey: async ({ params: { username, key_id: keyId }, identity }) => {
    const revoke = (user: ReadUser) => ({ type: 'RevokeApiKey', username, keyId, user }) as const;
    const revoked = await changeApiKeys(ports, username, revoke, identity.context);
    if (isLeft(revoked)) return revoked;
    return right({ position: revoked.right.position, body: { deleted: true as const } });
  },
});

export interface IssuedApiKey {
  readonly key: string;
  readonly keyId: string;
  readonly position: Position;
  readonly createdAt: string;
}

/** Creates a key. Only this response contains its secret, so a repeated request cannot return it again. */
export const issueApiKey = async (
  ports: CommandPorts,
  wanted: Omit<Extract<ApiKeyCommand, { readonly type: 'CreateApiKey' }>, 'type' | 'keyId' | 'hash' | 'user'>,
  context: CommandContext,
): CommandResult<IssuedApiKey, 'FORBIDDEN' | 'RESOURCE_NOT_FOUND' | 'ALREADY_EXISTS' | 'INVALID_STATE'> => {
  const { secret: key, id: keyId, hash } = makeSecret('rgk');
  const create = (user: ReadUser) => ({ type: 'CreateApiKey', keyId, hash, user, ...wanted }) as const;
  const created = await changeApiKeys(ports, wanted.username, create, context);
  if (isLeft(created)) return created;
  const { state, position, occurredAt } = created.right;
  return state.keys.has(keyId) ? right({ key, keyId, position, createdAt: occurredAt }) : left(KEY_ALREADY_SHOWN);
};

/** The response to a repeated request whose first response contained a secret. */
export const KEY_ALREADY_SHOWN = domainError(
  'ALREADY_EXISTS',
  'The first request with this Idempotency-Key was done, and its secret was shown then. Revoke that one and create another.',
);
