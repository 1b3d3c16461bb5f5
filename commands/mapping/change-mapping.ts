import { type DomainError } from '../../domain/kernel/errors';
import { type EventStore } from '../../domain/ports/event-store';
import { type ChangeMapping, type Mapping, mappingStream } from '../../domain/mapping';
import { mappings } from '../kit/aggregates';
import { type CommandContext, type CommandPorts } from '../kit/command-context';
import { type Precondition, handleCommand } from '../kit/handle-command';
import { KeyedMutex } from '../kit/keyed-mutex';

/** Avoids conflicts between concurrent commands on one mapping; correctness depends on the revisions alone. */
const mutexes = new WeakMap<EventStore, KeyedMutex>();

/** Any command on one existing mapping. To delete one use `deleteMapping`, which reads the state of its snapshots. */
export const changeMapping = async <X extends ChangeMapping, F extends DomainError = never>(
  ports: CommandPorts,
  mappingId: number,
  command: X,
  context: CommandContext,
  precondition?: Precondition<Mapping | null, F>,
) => {
  const stream = mappingStream(mappingId);
  const mutex = mutexes.get(ports.store) ?? new KeyedMutex();
  mutexes.set(ports.store, mutex);
  const handle = () => handleCommand(ports, mappings, stream, command, context, precondition);
  return mutex.runExclusive(stream, handle);
};
