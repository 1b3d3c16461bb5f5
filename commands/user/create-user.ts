import { type Either, isLeft, left } from 'fp-ts/Either';
import { type DomainError } from '../../domain/kernel/errors';
import { BOOTSTRAP_STREAM, type User, type UserProfile, type UserRole, userStream } from '../../domain/user';
import { users } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type Handled, handleCommand, loadStream } from '../kit/handle-command';

export const createUser = (
  ports: CommandPorts,
  profile: UserProfile & { readonly role: UserRole },
  context: CommandContext,
): Promise<Either<DomainError, Handled<User | null>>> =>
  handleCommand(ports, users, userStream(profile.username), { type: 'CreateUser', ...profile }, context);

/**
 * Makes the first ops user, once. The claim is one event and the user another: where the system stopped between the
 * two, the next attempt completes the first one's user before it is refused.
 */
export const bootstrap = async (
  ports: CommandPorts,
  profile: UserProfile,
  context: CommandContext,
): Promise<Either<DomainError, Handled<User | null>>> => {
  const claimed = await handleCommand(ports, users, BOOTSTRAP_STREAM, { type: 'Bootstrap', ...profile }, context);
  if (!isLeft(claimed)) return createUser(ports, { ...profile, role: 'ops' }, context);
  const first = await loadStream(ports.store, users, BOOTSTRAP_STREAM);
  if (isLeft(first)) return first;
  const { state, events } = first.right;
  const cause = events[0]?.metadata;
  if (state !== null && cause !== undefined) {
    const { username, displayName, email } = state;
    await createUser(ports, { username, displayName, email, role: 'ops' }, { ...context, commandId: cause.commandId });
  }
  return left(claimed.left);
};
