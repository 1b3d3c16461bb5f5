import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  BOOTSTRAP_STREAM,
  type ChangeUser,
  isActiveOps,
  OPS_GUARD_STREAM,
  type SeenUser,
  type User,
  type UserProfile,
  type UserRole,
  userStream,
} from '../../domain/user';
import { apiKeysOfUsers, opsGuards, users } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, contextOfPart } from '../kit/command-context';
import {
  type CommandFailure,
  type CommandResult,
  handleCommand,
  type CommandOutcome,
  type RefusalOf,
} from '../kit/handle-command';
import { loadHistory, loadStream } from '../kit/load-stream';
import { type ApiKeyCommand, type ApiKeys, apiKeysStream } from '../../domain/api-keys';

export interface ChangeUserPorts extends CommandPorts {
  /** Candidates for active ops users; each is verified by its stream. */
  readonly findOpsUsernames: () => Promise<readonly string[]>;
}

/** Changes a user. The last active ops user cannot be removed, even by concurrent commands. */
export const changeUser = (
  ports: ChangeUserPorts,
  command: ChangeUser,
  context: CommandContext,
): CommandResult<CommandOutcome<User | null>, 'FORBIDDEN' | 'RESOURCE_NOT_FOUND' | 'INVALID_STATE'> => {
  const { username } = command;
  const confirm = async (before: User | null, after: User | null, revision: number): Removal =>
    isActiveOps(before) && !isActiveOps(after)
      ? allowOpsRemoval(ports, { username, revision }, context)
      : right(undefined);
  return handleCommand(ports, users, userStream(username), command, context, confirm);
};

type Removal = CommandResult<unknown, 'INVALID_STATE'>;

const allowOpsRemoval = async (ports: ChangeUserPorts, removed: SeenUser, context: CommandContext): Removal => {
  const others: SeenUser[] = [];
  for (const username of await ports.findOpsUsernames()) {
    if (username === removed.username) continue;
    const loaded = await loadStream(ports, users, userStream(username));
    if (isLeft(loaded)) return loaded;
    const { state, revision } = loaded.right;
    if (isActiveOps(state)) others.push({ username, revision });
  }
  const command = { type: 'AllowOpsRemoval', ...removed, others } as const;
  const part = contextOfPart(ports.ids, context, `ops removal at ${removed.revision}`);
  return handleCommand(ports, opsGuards, OPS_GUARD_STREAM, command, part);
};

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
): CommandResult<CommandOutcome<User | null>, 'ALREADY_EXISTS'> => {
  const claimed = await handleCommand(ports, users, BOOTSTRAP_STREAM, { type: 'Bootstrap', ...profile }, context);
  if (!isLeft(claimed)) return createFirstUser(ports, profile, context);
  const first = await loadHistory(ports.store, users, BOOTSTRAP_STREAM);
  if (isLeft(first)) return first;
  const { state, events } = first.right;
  const cause = events[0]?.metadata;
  if (state !== null && cause !== undefined) {
    const { username, displayName, email } = state;
    await createFirstUser(ports, { username, displayName, email }, { ...context, commandId: cause.commandId });
  }
  return left(claimed.left);
};

/** Creates or revokes an API key of a user; `commandOn` gets the user's record, null if it does not exist. */
export const changeApiKeys = async <X extends ApiKeyCommand>(
  ports: CommandPorts,
  username: string,
  commandOn: (user: User | null) => X,
  context: CommandContext,
): Promise<Either<CommandFailure | RefusalOf<typeof apiKeysOfUsers, X>, CommandOutcome<ApiKeys>>> => {
  const loaded = await loadStream(ports, users, userStream(username));
  if (isLeft(loaded)) return loaded;
  return handleCommand(ports, apiKeysOfUsers, apiKeysStream(username), commandOn(loaded.right.state), context);
};
