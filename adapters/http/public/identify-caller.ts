import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { type CatchUp } from '../../../projections/catch-up';
import { usersProjection } from '../../../projections/users';
import { type ReadDatabase } from '../../../queries/kit/database';
import { findUser, hasUsers } from '../../../queries/users';
import { type UserView } from '../../../queries/views/user';
import { type Access } from '../kit';
import { type Identify, unauthorized } from './identity';
import { type Caller } from './public-dependencies';
import { untilReadModelChanges } from './until-read-model-changes';

const ROLE_RANK = { analyst: 0, admin: 1, ops: 2 } as const;
/** What is told while there is nobody who could let anybody in. */
const FRESH =
  'This system has no users yet. Create the first one, who lets in the others: rowgraph users bootstrap <username>, or POST /api/users/bootstrap.';
/** For operations without identity. */
const NOBODY: Caller = { username: '', role: 'analyst', displayName: null };

/**
 * Finds the user behind a request and checks the role. The role comes from the user's record alone.
 */
export const identifyCaller = (db: ReadDatabase, catchUp: Pick<CatchUp, 'versionOf'>, identify: Identify) => {
  // Every request looks for its caller.
  const userOf = staleIfError(untilReadModelChanges(catchUp, usersProjection, (username) => findUser(db, username)));
  const nameFirstStep = untilFirstUser(db);
  return async (request: Request, access: Access): Promise<Either<DomainError, Caller>> => {
    if (access === 'anybody') return right(NOBODY);
    const username = await identify(request);
    if (isLeft(username)) return left(await nameFirstStep(username.left));
    const user = await userOf(username.right, access === 'ops' && request.method === 'GET');
    if (user === null) {
      const message = `${username.right} is not a user of this system; ask an admin.`;
      return left(await nameFirstStep(unauthorized(message, 'user_not_provisioned')));
    }
    if (!user.is_active) {
      return left(unauthorized(`The user ${username.right} is deactivated; ask an admin.`, 'user_disabled'));
    }
    const required = access === 'ops' || access === 'admin' ? access : 'analyst';
    if (ROLE_RANK[user.role] < ROLE_RANK[required]) {
      const details = { required_role: required, your_role: user.role };
      return left(domainError('FORBIDDEN', `This needs the role ${required}; yours is ${user.role}.`, details));
    }
    return right({ username: user.username, role: user.role, displayName: user.display_name });
  };
};

/** Tells those who are refused how the first user is made, as long as there is none. */
const untilFirstUser = (db: ReadDatabase) => {
  let isInhabited = false;
  return async (refusal: DomainError): Promise<DomainError> => {
    if (isInhabited) return refusal;
    const found = await hasUsers(db).catch(() => null);
    isInhabited = found === true;
    return found === false ? { ...refusal, message: FRESH } : refusal;
  };
};

/** How long ops wait for a database that hangs before they are taken for who they were. */
const STALE_AFTER_MS = 2000;

/**
 * While the database is away, ops are let in for reads (`mayBeStale`) as they were last seen: so they learn from the
 * cluster's health that it is away. Everything that needs the database fails all the same.
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
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<UserView>((resolve) => (timer = setTimeout(() => resolve(known), STALE_AFTER_MS)));
    const found = findNow(username).catch(() => known);
    return Promise.race([found, late]).finally(() => clearTimeout(timer));
  };
};
