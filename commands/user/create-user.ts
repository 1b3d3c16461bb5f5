import { isLeft, left } from 'fp-ts/Either';
import { BOOTSTRAP_STREAM, type User, type UserProfile, type UserRole, userStream } from '../../domain/user';
import { users } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandResult, type Handled, handleCommand, loadStream } from '../kit/handle-command';

export const createUser = (
  ports: CommandPorts,
  profile: UserProfile & { readonly role: UserRole },
  context: CommandContext,
) => handleCommand(ports, users, userStream(profile.username), { type: 'CreateUser', ...profile }, context);

const createFirstUser = (ports: CommandPorts, profile: UserProfile, context: CommandContext) =>
  handleCommand(ports, users, userStream(profile.username), { type: 'CreateFirstUser', ...profile }, context);

/**
 * Creates the first ops user, once. The claim and the user are separate events: after a crash between them, the next
 * attempt completes the user of the claim before it is rejected.
 */
export const bootstrap = async (
  ports: CommandPorts,
  profile: UserProfile,
  context: CommandContext,
): CommandResult<Handled<User | null>, 'ALREADY_EXISTS'> => {
  const claimed = await handleCommand(ports, users, BOOTSTRAP_STREAM, { type: 'Bootstrap', ...profile }, context);
  if (!isLeft(claimed)) return createFirstUser(ports, profile, context);
  const first = await loadStream(ports.store, users, BOOTSTRAP_STREAM);
  if (isLeft(first)) return first;
  const { state, events } = first.right;
  const cause = events[0]?.metadata;
  if (state !== null && cause !== undefined) {
    const { username, displayName, email } = state;
    await createFirstUser(ports, { username, displayName, email }, { ...context, commandId: cause.commandId });
  }
  return left(claimed.left);
};
