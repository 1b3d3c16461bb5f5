import { isLeft, left, right } from 'fp-ts/Either';
import { type ApiKeyCommand, apiKeysStream, type ReadUser } from '../../domain/api-keys';
import {
  BOOTSTRAP_STREAM,
  type ChangeUser,
  isActiveOps,
  isPromotion,
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
  type CommandOutcome,
  type CommandResult,
  handleCommand,
  type Handled,
  requireRevision,
} from '../kit/handle-command';
import { loadHistory, loadStream } from '../kit/load-stream';

export interface ChangeUserPorts extends CommandPorts {
  /** Candidates for active ops users; each is verified by its stream. */
  readonly findOpsUsernames: () => Promise<readonly string[]>;
}

/** A key that a promotion revoked. */
export interface RevokedKey {
  readonly id: string;
  readonly name: string;
  readonly created_by: string;
}

type ChangedUser = CommandOutcome<User | null> & { readonly revokedKeys: readonly RevokedKey[] };

/**
 * Changes a user. The last active ops user cannot be removed, even by concurrent commands. A promotion revokes the keys
 * that other users created for the user, and those that were created with them, because with such keys they would have the
 * rights of the new role.
 */
export const changeUser = async (
  ports: ChangeUserPorts,
  command: ChangeUser,
  context: CommandContext,
): CommandResult<ChangedUser, 'FORBIDDEN' | 'RESOURCE_NOT_FOUND' | 'INVALID_STATE'> => {
  const { username } = command;
  let revokedKeys: readonly RevokedKey[] = [];
  const confirm = async (before: User | null, after: User | null, revision: number): Removal => {
    if (isActiveOps(before) && !isActiveOps(after)) return allowOpsRemoval(ports, { username, revision }, context);
    if (!isPromotion(before, after)) return right(undefined);
    const revoked = await revokeKeysOfOthers(ports, { username, revision }, context);
    if (!isLeft(revoked)) revokedKeys = revoked.right;
    return revoked;
  };
  const changed = await handleCommand(ports, users, userStream(username), command, context, confirm);
  return isLeft(changed) ? changed : right({ ...changed.right, revokedKeys });
};

/** Revokes the keys of a user who is about to be promoted that other users created, or could create with such a key. */
const revokeKeysOfOthers = async (
  ports: CommandPorts,
  { username, revision }: SeenUser,
  context: CommandContext,
): CommandResult<readonly RevokedKey[]> => {
  const stream = apiKeysStream(username);
  const loaded = await loadHistory(ports.store, apiKeysOfUsers, stream);
  if (isLeft(loaded)) return loaded;
  const { events, state } = loaded.right;
  const known = new Set<string>();
  const ofOthers = events.flatMap(({ type, data, metadata: { actor } }) => {
    if (type !== 'ApiKeyCreated') return [];
    const isByOther = actor !== username && !actor.startsWith('system:');
    if (!isByOther && !known.has(data.createdWith ?? '')) return [];
    known.add(data.keyId);
    return state.keys.has(data.keyId) ? [{ id: data.keyId, name: data.name, created_by: actor }] : [];
  });
  const command = { type: 'RevokeForPromotion', username, revision, keyIds: ofOthers.map(({ id }) => id) } as const;
  const part = contextOfPart(ports.ids, context, `promotion at ${revision}`);
  const revoked = await handleCommand(
    ports,
    apiKeysOfUsers,
    stream,
    command,
    part,
    requireRevision(events.at(-1)?.revision ?? -1),
  );
  return isLeft(revoked) ? revoked : right(ofOthers);
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

const createFirstUser = (ports: CommandPorts, profile: UserProfile, context: CommandContext) => {
  const { username } = profile;
  const confirm = async (before: User | null, after: User | null, revision: number): CommandResult<unknown> =>
    isPromotion(before, after) ? revokeKeysOfOthers(ports, { username, revision }, context) : right(undefined);
  return handleCommand(ports, users, userStream(username), { type: 'CreateFirstUser', ...profile }, context, confirm);
};

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

/** Creates or revokes an API key of a user; `commandOn` gets the user. */
export const changeApiKeys = async <X extends ApiKeyCommand>(
  ports: CommandPorts,
  username: string,
  commandOn: (user: ReadUser) => X,
  context: CommandContext,
): Handled<typeof apiKeysOfUsers, X> => {
  const loaded = await loadStream(ports, users, userStream(username));
  if (isLeft(loaded)) return loaded;
  const { state: record, revision } = loaded.right;
  const command = commandOn({ record, revision });
  return handleCommand(ports, apiKeysOfUsers, apiKeysStream(username), command, context);
};
