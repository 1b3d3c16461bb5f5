import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type Logger } from 'pino';
import { type CommandPorts } from '../../../commands/kit/command-context';
import { createUserFromToken, updateRoleFromToken } from '../../../commands/user/user-from-token';
import { type DomainError, domainError } from '../../../domain/kernel/errors';
import { type Position } from '../../../domain/kernel/event';
import { type CatchUp } from '../../../projections/catch-up';
import { type ReadDatabase } from '../../../queries/kit/database';
import { findUser, listActiveOps } from '../../../queries/users';
import { type UserView } from '../../../queries/views/user';
import { CATCH_UP_MS } from '../kit/consistency';
import { type TokenUser } from './identity';

/** Returns the record of the user of a token of the identity provider; null if the record may not be created. */
export type ProvisionUser = (
  tokenUser: TokenUser,
  user: UserView | null,
  requestId: string,
) => Promise<Either<DomainError, UserView | null>>;

export interface ProvisionUserOptions {
  readonly ports: CommandPorts;
  readonly db: ReadDatabase;
  readonly catchUp: Pick<CatchUp, 'waitFor'>;
  /** Whether users are created for unknown people. */
  readonly createsUsers: boolean;
  readonly log: Logger;
}

/**
 * A token that was issued more than this before the last change of the role does not change the record: a newer token
 * made that change.
 */
const OUTDATED_AFTER_MS = 60_000;
/** Interval before saving a role is retried after a failure. */
const RETRY_AFTER_MS = 60_000;

/** The record of a user, once reads reflect the given position; null: nothing was written. */
const readWrittenUser = async (
  { db, catchUp }: Pick<ProvisionUserOptions, 'db' | 'catchUp'>,
  username: string,
  position: Position | null,
): Promise<Either<DomainError<'SERVICE_UNAVAILABLE'>, UserView>> => {
  if (position !== null) await catchUp.waitFor(position, CATCH_UP_MS);
  const user = await findUser(db, username);
  return user === null
    ? left(domainError('SERVICE_UNAVAILABLE', `The user ${username} was written, but cannot be read yet.`))
    : right(user);
};

/** Creates a record for an unknown user of a token, and saves the role of the token in the user's record. */
export const createProvisionUser = ({ ports, db, catchUp, createsUsers, log }: ProvisionUserOptions): ProvisionUser => {
  const failedAttempts = new LRUCache<string, true>({ max: 1000, ttl: RETRY_AFTER_MS });

  const create = async (tokenUser: TokenUser, requestId: string): Promise<Either<DomainError, UserView>> => {
    const { username, displayName, email, role } = tokenUser;
    const profile = { username, displayName, email, role: role ?? 'analyst' };
    const created = await createUserFromToken(ports, profile, requestId);
    if (isLeft(created)) return created;
    return readWrittenUser({ db, catchUp }, username, created.right);
  };

  return async (tokenUser, user, requestId) => {
    if (user === null) return createsUsers ? create(tokenUser, requestId) : right(null);
    const { username, role } = tokenUser;
    const attempt = `${role} ${username}`;
    if (
      role === null ||
      role === user.role ||
      !user.is_active ||
      isOutdated(tokenUser, user) ||
      failedAttempts.has(attempt)
    ) {
      return right(user);
    }
    const asNow = { username, displayName: user.display_name, email: user.email, role };
    const changePorts = { ...ports, findOpsUsernames: () => listActiveOps(db) };
    const changed = await updateRoleFromToken(changePorts, asNow, requestId);
    if (isLeft(changed)) {
      failedAttempts.set(attempt, true);
      log.warn({ user: username, role, reason: changed.left.message }, 'the role of a token was not saved');
      return right(user);
    }
    await catchUp.waitFor(changed.right, CATCH_UP_MS);
    return right(await findUser(db, username));
  };
};

const isOutdated = ({ issuedAt }: TokenUser, { role_changed_at: changedAt }: UserView): boolean =>
  issuedAt !== null && changedAt !== null && issuedAt.getTime() + OUTDATED_AFTER_MS < Date.parse(changedAt);
