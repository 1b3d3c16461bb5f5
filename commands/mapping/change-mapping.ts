import { isLeft, left } from 'fp-ts/Either';
import { notFound } from '../../domain/kernel/errors';
import { type ChangeMapping, type Mapping, mappingStream } from '../../domain/mapping';
import { type EventStore } from '../../domain/ports/event-store';
import { savedQueriesStream, type SavedQueryCommand } from '../../domain/saved-queries';
import { mappings, savedQueriesOfUsers } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { handleCommand, type Handled, type Precondition } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';

/** Avoids conflicts between concurrent commands on one mapping; correctness depends on the revisions alone. */
const mutexes = new WeakMap<EventStore, KeyedMutex>();

/** Any command on one existing mapping. To delete one use `deleteMapping`, which reads the state of its snapshots. */
export const changeMapping = async <X extends ChangeMapping>(
  ports: CommandPorts,
  mappingId: number,
  command: X,
  context: CommandContext,
  precondition?: Precondition<Mapping | null>,
) => {
  const stream = mappingStream(mappingId);
  const mutex = mutexes.get(ports.store) ?? new KeyedMutex();
  mutexes.set(ports.store, mutex);
  const handle = () => handleCommand(ports, mappings, stream, command, context, precondition);
  return mutex.runExclusive(stream, handle);
};

/** Saves or deletes a query of the actor, for a mapping that exists. */
export const changeSavedQueries = async <X extends SavedQueryCommand>(
  ports: CommandPorts,
  command: X,
  context: CommandContext,
): Handled<typeof savedQueriesOfUsers, X, 'RESOURCE_NOT_FOUND'> => {
  const mapping = await loadStream(ports, mappings, mappingStream(command.mappingId));
  if (isLeft(mapping)) return mapping;
  if (mapping.right.state === null) return left(notFound('mapping', command.mappingId));
  return handleCommand(ports, savedQueriesOfUsers, savedQueriesStream(context.actor.username), command, context);
};

/** Runs tasks of one key sequentially, and tasks of different keys concurrently. */
export class KeyedMutex {
  private readonly ends = new Map<string, Promise<void>>();

  /** Settles with the result of the task, which begins after the earlier tasks of the key, in its own async context. */
  runExclusive<A>(key: string, task: () => Promise<A>): Promise<A> {
    const result = (this.ends.get(key) ?? Promise.resolve()).then(task);
    const end = result.then(ignore, ignore).then(() => {
      if (this.ends.get(key) === end) this.ends.delete(key);
    });
    this.ends.set(key, end);
    return result;
  }
}

const ignore = (): void => undefined;
