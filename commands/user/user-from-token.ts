import { isLeft, left, right } from 'fp-ts/Either';
import { type Position } from '../../domain/kernel/event';
import { type UserProfile, type UserRole, userStream } from '../../domain/user';
import { users } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, requestContext } from '../kit/command-context';
import { type CommandResult } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';
import { bootstrap, changeUser, type ChangeUserPorts, createUser } from './change-user';

type TokenProfile = UserProfile & { readonly role: UserRole };

/** The context of changes by an identity provider. */
const contextOf = ({ ids }: CommandPorts, requestId: string): CommandContext =>
  requestContext(ids, { username: 'system:oidc', role: 'system' }, requestId);

/**
 * Creates the record of the user in a token; safe under concurrent requests. Returns the position from which the user
 * can be read. The first identity with the role ops becomes the first ops user.
 */
export const createUserFromToken = async (
  ports: CommandPorts,
  profile: TokenProfile,
  requestId: string,
): CommandResult<Position, 'FORBIDDEN'> => {
  const first = await createFirstOps(ports, profile, requestId);
  if (isLeft(first)) return first;
  if (first.right !== null) return right(first.right);
  const created = await createUser(ports, profile, contextOf(ports, requestId));
  if (!isLeft(created)) return right(created.right.position);
  if (created.left.code !== 'ALREADY_EXISTS') return left(created.left);
  const loaded = await loadStream(ports, users, userStream(profile.username));
  return isLeft(loaded) ? loaded : right(loaded.right.position);
};

/** Sets the role of a user to that in the token; returns the position from which it can be read. */
export const updateRoleFromToken = async (
  ports: ChangeUserPorts,
  profile: TokenProfile,
  requestId: string,
): CommandResult<Position, 'FORBIDDEN' | 'RESOURCE_NOT_FOUND' | 'INVALID_STATE'> => {
  const first = await createFirstOps(ports, profile, requestId);
  if (isLeft(first)) return first;
  if (first.right !== null) return right(first.right);
  const { username, role } = profile;
  const changed = await changeUser(ports, { type: 'ChangeRole', username, role }, contextOf(ports, requestId));
  return isLeft(changed) ? changed : right(changed.right.position);
};

/** Null: the user is not ops, or another ops user was first. */
const createFirstOps = async (
  ports: CommandPorts,
  { role, ...profile }: TokenProfile,
  requestId: string,
): CommandResult<Position | null> => {
  if (role !== 'ops') return right(null);
  const first = await bootstrap(ports, profile, contextOf(ports, requestId));
  if (!isLeft(first)) return right(first.right.position);
  return first.left.code === 'ALREADY_EXISTS' ? right(null) : left(first.left);
};
