import { isLeft, left, right } from 'fp-ts/Either';
import { changeAccessTokens } from '../../../../commands/instance/change-access';
import { canAccess, type Instance } from '../../../../domain/instance';
import { durationMs } from '../../../../domain/kernel/codecs';
import { invalidField, notFound } from '../../../../domain/kernel/errors';
import { listAccessTokens } from '../../../../queries/credentials';
import { findInstanceWithAccess } from '../../../../queries/visible-instances';
import { makeSecret } from '../../../system/secret';
import { KEY_ALREADY_SHOWN } from '../api-key/handlers';
import { replyPage } from '../codecs';
import { type PublicDependencies, type PublicHandlers } from '../public-dependencies';
import { type accessTokenEndpoints } from './endpoints';

const LONGEST = 'PT24H';
const LONGEST_MS = 24 * 3_600_000;

export const accessTokenHandlers = ({
  db,
  ports,
}: PublicDependencies): PublicHandlers<typeof accessTokenEndpoints> => ({
  issueAccessToken: async ({ params: { id: instanceId }, body: { expires_in: requested }, identity }) => {
    const milliseconds = durationMs(requested) ?? 0;
    if (milliseconds > LONGEST_MS) {
      return left(invalidField('expires_in', `must be at most ${LONGEST}`, { requested, max_allowed: LONGEST }));
    }
    const expiresAt = new Date(ports.clock.now().getTime() + milliseconds).toISOString();
    const { secret: token, id: tokenId, hash } = makeSecret('rgt');
    const issue = (instance: Instance | null) =>
      ({ type: 'IssueAccessToken', instanceId, instance, tokenId, hash, expiresAt }) as const;
    const issued = await changeAccessTokens(ports, instanceId, issue, identity.context);
    if (isLeft(issued)) return issued;
    const { state, position } = issued.right;
    if (!state.has(tokenId)) return left(KEY_ALREADY_SHOWN);
    return right({ position, isShownOnce: true, body: { id: tokenId, token, expires_at: expiresAt } });
  },

  listAccessTokens: async ({ params: { id: instanceId }, query, identity }) => {
    const instance = await findInstanceWithAccess(db, { id: instanceId });
    if (instance === null || !canAccess(instance, identity)) return left(notFound('instance', instanceId));
    const { username, role } = identity;
    const canListAll = role !== 'analyst' || username === instance.ownerUsername;
    const whose = { instanceId, username: canListAll ? null : username, now: ports.clock.now() };
    return replyPage(query, (page) => listAccessTokens(db, whose, query, page));
  },

  revokeAccessToken: async ({ params: { id: instanceId, token_id: tokenId }, identity }) => {
    const revoke = (instance: Instance | null) =>
      ({ type: 'RevokeAccessToken', instanceId, instance, tokenId }) as const;
    const revoked = await changeAccessTokens(ports, instanceId, revoke, identity.context);
    return isLeft(revoked) ? revoked : right({ position: revoked.right.position, body: { deleted: true as const } });
  },
});
