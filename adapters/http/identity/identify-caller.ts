import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { ROLE_RANK } from '../../../domain/user';
import { type CatchUp } from '../../../projections/catch-up';
import { type Projection } from '../../../projections/projection';
import { usersProjection } from '../../../projections/users';
import { type ReadDatabase } from '../../../queries/kit/database';
import { findUser, hasUsers } from '../../../queries/users';
import { type UserView } from '../../../queries/views/user';
import { settlesWithin } from '../../system/time-limit';
import { type Access, requestIdOf } from '../kit';
import { type FirstUserGate, WITH_BOOTSTRAP_TOKEN } from './first-user-gate';
import { type Caller, type Identify, type TokenUser, unauthorized } from './identity';
import { type ProvisionUser } from './provision-user';

/** The error while the system does not have users. */
const FRESH =
  'This system has no users yet. Create the first one: rowgraph users bootstrap <username>, or POST /api/users/bootstrap.';
/** For operations without identity. */
const ANONYMOUS: Caller = { username: '', role: 'analyst', displayName: null };

/**
 * Finds the user of a request and checks the role. The role comes from the user's record, unless a token of the
 * identity provider contains one. `provisionUser` is null without an identity provider, `firstUser` where no user is
 * created.
 */
export const identifyCaller = (
  db: ReadDatabase,
  catchUp: Pick<CatchUp, 'versionOf'>,
  identify: Identify,
  provisionUser: ProvisionUser | null,
  firstUser: FirstUserGate | null,
) => {
  // Every request looks up its caller.
  const userOf = staleIfError(untilReadModelChanges(catchUp, usersProjection, (username) => findUser(db, username)));
  const nameFirstStep = untilFirstUser(db, provisionUser !== null, firstUser?.needsToken === true);
  return async (request: Request, access: Access): Promise<Either<DomainError, Caller>> => {
    if (access === 'anybody') return right(ANONYMOUS);
    if (access === 'first_user') {
      const admitted = firstUser?.admit(request) ?? right(undefined);
      if (isLeft(admitted) || provisionUser === null) return isLeft(admitted) ? admitted : right(ANONYMOUS);
    }
    const identified = await identify(request);
    // An invalid token is reported even before the first user exists.
    if (isLeft(identified)) {
      const isInvalid = provisionUser !== null && request.get('Authorization') !== undefined;
      return left(isInvalid ? identified.left : await nameFirstStep(identified.left));
    }
    const { username, token, keyId } = identified.right;
    const found = await userOf(username, access === 'ops' && request.method === 'GET');
    if (access === 'first_user') return bearerOf(token, found);
    const followed =
      token === null || provisionUser === null ? right(found) : await provisionUser(token, found, idOfRequest(request));
    if (isLeft(followed)) return followed;
    const user = followed.right;
    if (user === null) {
      const message = `${username} is not a user of this system; ask an admin.`;
      return left(await nameFirstStep(unauthorized(message, 'user_not_provisioned')));
    }
    if (!user.is_active) return left(deactivated(username));
    const role = token?.role ?? user.role;
    const required = access === 'ops' || access === 'admin' ? access : 'analyst';
    if (ROLE_RANK[role] < ROLE_RANK[required]) {
      const details = { required_role: required, your_role: role };
      return left(domainError('FORBIDDEN', `This needs the role ${required}; yours is ${role}.`, details));
    }
    const caller = { username: user.username, role, displayName: user.display_name };
    return right(keyId === undefined ? caller : { ...caller, keyId });
  };
};

export const idOfRequest = ({ res }: Request): string => (res === undefined ? 'unknown' : requestIdOf(res));

const deactivated = (username: string): DomainError =>
  unauthorized(`The user ${username} is deactivated; ask an admin.`, 'user_disabled');

/** The bearer of a valid token; a user may not exist for it yet. */
const bearerOf = (token: TokenUser | null, user: UserView | null): Either<DomainError, Caller> => {
  if (token === null) {
    return left(
      unauthorized('Send a token of the identity provider; its user becomes the first one.', 'token_missing'),
    );
  }
  if (user?.is_active === false) return left(deactivated(token.username));
  const { username, displayName, role } = token;
  return right({ username, displayName, role: role ?? user?.role ?? 'analyst', token });
};

/** Before the first user exists, errors explain how to create one. */
const untilFirstUser = (db: ReadDatabase, needsToken: boolean, needsBootstrapToken: boolean) => {
  let hasFirstUser = false;
  return async (refusal: DomainError): Promise<DomainError> => {
    if (hasFirstUser) return refusal;
    const found = await hasUsers(db).catch(() => null);
    hasFirstUser = found === true;
    if (found !== false || refusal.code !== 'UNAUTHORIZED' || refusal.details === undefined) return refusal;
    const message = needsToken ? `${FRESH} ${refusal.message}` : FRESH;
    return domainError('UNAUTHORIZED', needsBootstrapToken ? `${message} ${WITH_BOOTSTRAP_TOKEN}` : message, {
      ...refusal.details,
      users: 'none',
      ...(needsBootstrapToken ? { bootstrap_token: 'required' } : {}),
    });
  };
};

/** Timeout of the database; after it an ops user is identified by the last known record. */
const STALE_AFTER_MS = 2000;

/**
 * While the database is unavailable, ops users can read (`mayBeStale`) with their cached record, so that the cluster's
 * health can report the failure to them. Everything that needs the database still fails.
 */
const staleIfError = (find: (username: string) => Promise<UserView | null>) => {
  const lastSeen = new Map<string, UserView>();
  const findNow = async (username: string): Promise<UserView | null> => {
    const user = await find(username);
    if (user?.role === 'ops') lastSeen.set(username, user);
    else lastSeen.delete(username);
    return user;
  };
  return async (username: string, mayBeStale: boolean): Promise<UserView | null> => {
    const known = lastSeen.get(username);
    if (!mayBeStale || known === undefined) return findNow(username);
    const found = findNow(username).catch(() => known);
    return (await settlesWithin(found, STALE_AFTER_MS)) ? found : known;
  };
};

/** Maximum age of cached rows, for changes without a notification, such as the retry of a parked event. */
const KEPT_MS = 1000;

/** Caches rows of a read model until it applies another event. Missing rows are not cached. */
export const untilReadModelChanges = <T extends object>(
  { versionOf }: Pick<CatchUp, 'versionOf'>,
  readModel: Projection,
  find: (key: string) => Promise<T | null>,
): typeof find => {
  const cache = new LRUCache<string, { readonly found: T; readonly at: number }>({ max: 1000, ttl: KEPT_MS });
  return async (key) => {
    const at = versionOf(readModel.name);
    const known = cache.get(key);
    if (known?.at === at) return known.found;
    const found = await find(key);
    if (found !== null) cache.set(key, { found, at });
    return found;
  };
};
