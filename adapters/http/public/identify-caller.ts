import { type Request } from 'express';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { type CatchUp } from '../../../projections/catch-up';
import { type ReadDatabase } from '../../../queries/kit/database';
import { findUser } from '../../../queries/users';
import { type UserView } from '../../../queries/views/user';
import { type Access } from '../kit';
import { type Identify, unauthorized } from './identity';
import { type Caller } from './public-dependencies';
import { untilCheckpointMoves } from './until-checkpoint-moves';

const ROLE_RANK = { analyst: 0, admin: 1, ops: 2 } as const;
/** For operations without identity. */
const NOBODY: Caller = { username: '', role: 'analyst', displayName: null };

/**
 * Finds the user behind a request and checks the role. The role comes from the user's record alone.
 */
export const identifyCaller = (db: ReadDatabase, catchUp: Pick<CatchUp, 'position'>, identify: Identify) => {
  // Every request looks for its caller.
  const userOf = staleIfError(untilCheckpointMoves(catchUp, (username) => findUser(db, username)));
  return async (request: Request, access: Access): Promise<Either<DomainError, Caller>> => {
    if (access === 'anybody') return right(NOBODY);
    const username = await identify(request);
    if (isLeft(username)) return username;
    const user = await userOf(username.right, access === 'ops' && request.method === 'GET');
    if (user === null) {
      return left(
        unauthorized(`${username.right} is not a user of this system; ask an admin.`, 'user_not_provisioned'),
      );
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
