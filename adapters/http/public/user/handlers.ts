import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { requestContext } from '../../../../commands/kit/command-context';
import { bootstrap, changeUser, createUser, type RevokedKey } from '../../../../commands/user/change-user';
import { handedOutKeyExpiry } from '../../../../domain/api-keys';
import { mapRight } from '../../../../domain/kernel/either';
import { type DomainError, domainError, invalidField } from '../../../../domain/kernel/errors';
import { type Position } from '../../../../domain/kernel/event';
import { type ChangeUser, userNotFound, type UserProfile } from '../../../../domain/user';
import { type ReadDatabase } from '../../../../queries/kit/database';
import { findUser, listActiveOps, listUsers } from '../../../../queries/users';
import { type UserView } from '../../../../queries/views/user';
import { type TokenUser } from '../../identity';
import { type Reply } from '../../kit';
import { CATCH_UP_MS } from '../../kit/consistency';
import { issueApiKey } from '../api-key/handlers';
import { readAfterLast, readAsOf } from '../as-of/as-of';
import { ofUser } from '../as-of/resource-streams';
import { replyPage } from '../codecs';
import { type ApiCaller, type PublicHandlers, type ResourceDependencies } from '../public-dependencies';
import { type userEndpoints } from './endpoints';

export const userHandlers = (deps: ResourceDependencies): PublicHandlers<typeof userEndpoints> => ({
  bootstrap: async ({ body: given, identity, requestId }) => {
    const actor = { username: 'system:bootstrap', role: 'system' } as const;
    const profile = firstProfile(given, identity.token);
    if (isLeft(profile)) return profile;
    const { username } = profile.right;
    const created = await bootstrap(deps.ports, profile.right, requestContext(deps.ports.ids, actor, requestId));
    if (isLeft(created)) return created;
    const answer = await record(deps, username, created.right.position);
    if (isLeft(answer) || !deps.issuesFirstKey) return answer;
    const expiresAt = handedOutKeyExpiry(deps.ports.clock.now());
    const wanted = { username, name: 'bootstrap', expiresAt };
    const issued = await issueApiKey(deps.ports, wanted, requestContext(deps.ports.ids, actor, requestId));
    // The user was created just now and does not have another key.
    if (isLeft(issued))
      return issued.left.code === 'ALREADY_EXISTS'
        ? left(issued.left)
        : left(domainError('INTERNAL_ERROR', issued.left.message));
    const { key, position } = issued.right;
    const body = { ...answer.right.body, api_key: key, api_key_expires_at: expiresAt };
    return right({ position, isShownOnce: true, body });
  },

  createUser: async ({ body, identity }) => {
    const created = await createUser(
      deps.ports,
      { ...profileOf(body), role: body.role ?? 'analyst' },
      identity.context,
    );
    return isLeft(created) ? created : record(deps, body.username, created.right.position);
  },

  listUsers: ({ query }) => replyPage(query, (page) => listUsers(deps.db, query, page)),

  getUser: async ({ params, query: { as_of }, identity }) => {
    if (identity.role === 'analyst' && identity.username !== params.username) {
      const details = { required_role: 'admin', your_role: identity.role };
      return left(domainError('FORBIDDEN', 'Analysts may read their own record only.', details));
    }
    return readAsOf(deps, as_of, identity, ofUser(params.username), async ({ db }) => {
      const user = await findUser(db, params.username);
      return user === null ? left(userNotFound(params.username)) : right({ body: user });
    });
  },

  updateUser: ({ params: { username }, body, identity }) => {
    const { display_name: displayName, email, is_active: isActive } = body;
    return change(deps, { type: 'UpdateUser', username, displayName, email, isActive }, identity);
  },

  changeUserRole: async ({ params: { username }, body: { role }, identity }) => {
    const changed = await change(deps, { type: 'ChangeRole', username, role }, identity);
    return mapRight(changed, (reply) => ({
      ...reply,
      body: { ...reply.body, revoked_api_keys: reply.revokedKeys },
    }));
  },

  deactivateUser: ({ params: { username }, identity }) => change(deps, { type: 'DeactivateUser', username }, identity),
});

type ChangedReply = Reply<UserView> & { readonly revokedKeys: readonly RevokedKey[] };

const change = async (deps: ResourceDependencies, command: ChangeUser, { context }: ApiCaller) => {
  const changed = await changeUser({ ...deps.ports, findOpsUsernames: () => listActiveOps(deps.db) }, command, context);
  if (isLeft(changed)) return changed;
  const { position, revokedKeys } = changed.right;
  return mapRight(await record(deps, command.username, position), (reply: Reply<UserView>): ChangedReply => ({
    ...reply,
    revokedKeys,
  }));
};

const record = async (deps: ResourceDependencies, username: string, position: Position) =>
  mapRight(await readWrittenUser(deps, username, position), (body): Reply<UserView> => ({ body, position }));

/** The record of a user after a write. While the read models lag, it is read from its events. */
export const readWrittenUser = async (
  { db, ports, catchUp }: Pick<ResourceDependencies, 'db' | 'ports' | 'catchUp'>,
  username: string,
  position: Position,
): Promise<Either<DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>, UserView>> => {
  const read = (from: ReadDatabase): Promise<UserView | null> => findUser(from, username);
  const isReadable = await catchUp.waitFor(position, CATCH_UP_MS);
  const user = isReadable ? right(await read(db)) : await readAfterLast({ db, ports }, ofUser(username), read);
  if (isLeft(user)) return user;
  return user.right === null
    ? left(domainError('SERVICE_UNAVAILABLE', `The user ${username} was written, but cannot be read yet.`))
    : right(user.right);
};

interface ProfileFields {
  readonly display_name?: string | null;
  readonly email?: string | null;
}

const profileOf = (body: ProfileFields & { readonly username: string }): UserProfile => ({
  username: body.username,
  displayName: body.display_name ?? null,
  email: body.email ?? null,
});

/** The first user: the requested one, or the bearer of the token, who cannot create a different user. */
const firstProfile = (
  body: ProfileFields & { readonly username?: string },
  token: TokenUser | undefined,
): Either<DomainError<'VALIDATION_FAILED' | 'FORBIDDEN'>, UserProfile> => {
  const { username = token?.username } = body;
  if (username === undefined) return left(invalidField('username', 'is required'));
  if (token === undefined) return right(profileOf({ ...body, username }));
  if (username !== token.username) {
    return left(invalidField('username', `must be ${token.username}, as in the token, or be left out`));
  }
  if (token.role !== null && token.role !== 'ops') {
    const message = `Your token gives you the role ${token.role}. The first user needs ops: change your role at the identity provider, and come with a new token.`;
    return left(domainError('FORBIDDEN', message, { required_role: 'ops', your_role: token.role }));
  }
  const { displayName, email } = token;
  return right(profileOf({ username, display_name: displayName, email, ...body }));
};
