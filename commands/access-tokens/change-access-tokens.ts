import { type Either, isLeft } from 'fp-ts/Either';
import { type AccessTokenCommand, type AccessTokens, accessTokensStream } from '../../domain/access-tokens';
import { type Instance, instanceStream } from '../../domain/instance';
import { accessTokensOfInstances, instances } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandFailure, type Handled, handleCommand, loadStream, type RefusalOf } from '../kit/handle-command';

/** Issues or revokes an access token of an instance; `commandOn` gets the instance, null if it does not exist. */
export const changeAccessTokens = async <X extends AccessTokenCommand>(
  ports: CommandPorts,
  instanceId: number,
  commandOn: (instance: Instance | null) => X,
  context: CommandContext,
): Promise<Either<CommandFailure | RefusalOf<typeof accessTokensOfInstances, X>, Handled<AccessTokens>>> => {
  const loaded = await loadStream(ports.store, instances, instanceStream(instanceId));
  if (isLeft(loaded)) return loaded;
  const command = commandOn(loaded.right.state);
  return handleCommand(ports, accessTokensOfInstances, accessTokensStream(instanceId), command, context);
};
