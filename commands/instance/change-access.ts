import { isLeft, left, right } from 'fp-ts/Either';
import { type Instance, type InstanceAccess } from '../../domain/instance';
import { invalidField } from '../../domain/kernel/errors';
import { type EventStore } from '../../domain/ports/event-store';
import { userStream } from '../../domain/user';
import { users } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandResult, type Handled, loadStream } from '../kit/handle-command';
import { changeInstance } from './change-instance';

const MAX_USERS = 100;

/** The requested access without duplicate users. Rejects unknown users; `before` is the prefix of the field name. */
export const validateAccess = async (
  store: EventStore,
  { mode, users: named }: InstanceAccess,
  before = '',
): CommandResult<InstanceAccess, 'VALIDATION_FAILED'> => {
  if (named.length > MAX_USERS) return left(invalidField(`${before}users`, `must name at most ${MAX_USERS} users`));
  for (const [index, username] of named.entries()) {
    const loaded = await loadStream(store, users, userStream(username));
    if (isLeft(loaded)) return loaded;
    if (loaded.right.state === null) {
      return left(invalidField(`${before}users.${index}`, `must be the name of a user; ${username} is unknown`));
    }
  }
  return right({ mode, users: mode === 'users' ? [...new Set(named)] : [] });
};

/** Changes the access to an instance; unknown users are reported before a missing instance. */
export const changeInstanceAccess = async (
  ports: CommandPorts,
  instanceId: number,
  asked: InstanceAccess,
  context: CommandContext,
): CommandResult<Handled<Instance | null>, 'VALIDATION_FAILED' | 'RESOURCE_NOT_FOUND' | 'PERMISSION_DENIED'> => {
  const known = await validateAccess(ports.store, asked);
  if (isLeft(known)) return known;
  return changeInstance(ports, instanceId, { type: 'ChangeInstanceAccess', access: known.right }, context);
};
