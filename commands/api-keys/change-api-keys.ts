import { type Either, isLeft } from 'fp-ts/Either';
import { type ApiKeyCommand, type ApiKeys, apiKeysStream } from '../../domain/api-keys';
import { type DomainError } from '../../domain/kernel/errors';
import { userStream } from '../../domain/user';
import { apiKeysOfUsers, users } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type Handled, handleCommand, loadStream } from '../kit/handle-command';

type WithoutUser<C> = C extends unknown ? Omit<C, 'user'> : never;

/** Creates or revokes an API key of a user. */
export const changeApiKeys = async (
  ports: CommandPorts,
  command: WithoutUser<ApiKeyCommand>,
  context: CommandContext,
): Promise<Either<DomainError, Handled<ApiKeys>>> => {
  const { username } = command;
  const loaded = await loadStream(ports.store, users, userStream(username));
  if (isLeft(loaded)) return loaded;
  const known = { ...command, user: loaded.right.state };
  return handleCommand(ports, apiKeysOfUsers, apiKeysStream(username), known, context);
};
