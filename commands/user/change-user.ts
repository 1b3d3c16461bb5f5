import { isLeft, right } from 'fp-ts/Either';
import {
  type ChangeUser,
  isActiveOps,
  OPS_GUARD_STREAM,
  type SeenUser,
  type User,
  userStream,
} from '../../domain/user';
import { opsGuards, users } from '../kit/aggregates';
import { type CommandContext, type CommandPorts, contextOfPart } from '../kit/command-context';
import { type CommandResult, type Handled, handleCommand, loadStream } from '../kit/handle-command';

export interface ChangeUserPorts extends CommandPorts {
  /** Candidates for active ops users; each is verified by its stream. */
  readonly findOpsUsernames: () => Promise<readonly string[]>;
}

/** Changes a user. The last active ops user cannot be removed, even by concurrent commands. */
export const changeUser = (
  ports: ChangeUserPorts,
  command: ChangeUser,
  context: CommandContext,
): CommandResult<Handled<User | null>, 'FORBIDDEN' | 'RESOURCE_NOT_FOUND' | 'INVALID_STATE'> => {
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
    const loaded = await loadStream(ports.store, users, userStream(username));
    if (isLeft(loaded)) return loaded;
    const last = loaded.right.events.at(-1);
    if (last !== undefined && isActiveOps(loaded.right.state)) others.push({ username, revision: last.revision });
  }
  const command = { type: 'AllowOpsRemoval', ...removed, others } as const;
  const part = contextOfPart(ports.ids, context, `ops removal at ${removed.revision}`);
  return handleCommand(ports, opsGuards, OPS_GUARD_STREAM, command, part);
};
