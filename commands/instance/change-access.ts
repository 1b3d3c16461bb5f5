import { isLeft, left, right } from 'fp-ts/Either';
import { type AccessTokenCommand, accessTokensStream } from '../../domain/access-tokens';
import { type Instance, type InstanceAccess, instanceStream } from '../../domain/instance';
import { invalidField } from '../../domain/kernel/errors';
import { userStream } from '../../domain/user';
import { accessTokensOfInstances, instances, users } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandOutcome, type CommandResult, handleCommand, type Handled } from '../kit/handle-command';
import { loadStream, type LogPorts } from '../kit/load-stream';
import { changeInstance } from './change-instance';

const MAX_USERS = 100;

/** The requested access without duplicate users. Rejects unknown users; `before` is the prefix of the field name. */
export const validateAccess = async (
  ports: LogPorts,
  { mode, users: named }: InstanceAccess,
  before = '',
): CommandResult<InstanceAccess, 'VALIDATION_FAILED'> => {
  if (named.length > MAX_USERS) return left(invalidField(`${before}users`, `must name at most ${MAX_USERS} users`));
  for (const [index, username] of named.entries()) {
    const loaded = await loadStream(ports, users, userStream(username));
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
  requested: InstanceAccess,
  context: CommandContext,
): CommandResult<CommandOutcome<Instance | null>, 'VALIDATION_FAILED' | 'RESOURCE_NOT_FOUND' | 'PERMISSION_DENIED'> => {
  const known = await validateAccess(ports, requested);
  if (isLeft(known)) return known;
  return changeInstance(ports, instanceId, { type: 'ChangeInstanceAccess', access: known.right }, context);
};

/** Issues or revokes an access token of an instance; `commandOn` gets the instance, null if it does not exist. */
export const changeAccessTokens = async <X extends AccessTokenCommand>(
  ports: CommandPorts,
  instanceId: number,
  commandOn: (instance: Instance | null) => X,
  context: CommandContext,
): Handled<typeof accessTokensOfInstances, X> => {
  const loaded = await loadStream(ports, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const command = commandOn(loaded.right.state);
  return handleCommand(ports, accessTokensOfInstances, accessTokensStream(instanceId), command, context);
};
