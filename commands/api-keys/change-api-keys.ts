import { type Either, isLeft } from 'fp-ts/Either';
import { type ApiKeyCommand, type ApiKeys, apiKeysStream } from '../../domain/api-keys';
import { type User, userStream } from '../../domain/user';
import { apiKeysOfUsers, users } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type CommandFailure, type Handled, handleCommand, loadStream, type RefusalOf } from '../kit/handle-command';

/** Creates or revokes an API key of a user; `commandOn` gets the user's record, null if it does not exist. */
export const changeApiKeys = async <X extends ApiKeyCommand>(
  ports: CommandPorts,
  username: string,
  commandOn: (user: User | null) => X,
  context: CommandContext,
): Promise<Either<CommandFailure | RefusalOf<typeof apiKeysOfUsers, X>, Handled<ApiKeys>>> => {
  const loaded = await loadStream(ports.store, users, userStream(username));
  if (isLeft(loaded)) return loaded;
  return handleCommand(ports, apiKeysOfUsers, apiKeysStream(username), commandOn(loaded.right.state), context);
};
