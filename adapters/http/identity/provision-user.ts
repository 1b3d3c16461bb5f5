import { type Either, isLeft, right } from 'fp-ts/Either';
import { LRUCache } from 'lru-cache';
import { type Logger } from 'pino';
import { type CommandPorts } from '../../../commands/kit/command-context';
import { createUserFromToken, updateRoleFromToken } from '../../../commands/user/user-from-token';
import { type DomainError } from '../../../domain/kernel/errors';
import { type Position } from '../../../domain/kernel/event';
import { type ReadDatabase } from '../../../queries/kit/database';
import { listActiveOps } from '../../../queries/users';
import { type UserView } from '../../../queries/views/user';
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
  /** The record of a user after a write at a position. */
  readonly readWrittenUser: (username: string, position: Position) => Promise<Either<DomainError, UserView>>;
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

/** Creates a record for an unknown user of a token, and saves the role of the token in the user's record. */
export const createProvisionUser = ({
  ports,
  db,
  readWrittenUser,
  createsUsers,
  log,
}: ProvisionUserOptions): ProvisionUser => {
  const failedAttempts = new LRUCache<string, true>({ max: 1000, ttl: RETRY_AFTER_MS });

  const create = async (tokenUser: TokenUser, requestId: string): Promise<Either<DomainError, UserView>> => {
    const { username, displayName, email, role } = tokenUser;
    const profile = { username, displayName, email, role: role ?? 'analyst' };
    const created = await createUserFromToken(ports, profile, requestId);
    return isLeft(created) ? created : readWrittenUser(username, created.right);
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
    return readWrittenUser(username, changed.right);
  };
};

const isOutdated = ({ issuedAt }: TokenUser, { role_changed_at: changedAt }: UserView): boolean =>
  issuedAt !== null && changedAt !== null && issuedAt.getTime() + OUTDATED_AFTER_MS < Date.parse(changedAt);
