import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type CommandPorts } from '../../commands/kit/command-context';
import { deliveriesOf } from '../../commands/processes/process-inputs';
import { type DomainError } from '../../domain/kernel/errors';
import { type StoredEvent } from '../../domain/kernel/event';
import { readFeedEvent } from '../../projections/feed/apply-events';

/** Passes an event to every process that handles it, up to the first that fails. */
export const giveToProcesses = async (ports: CommandPorts, event: StoredEvent): Promise<Either<DomainError, void>> => {
  for (const delivery of deliveriesOf(ports, readFeedEvent(event))) {
    const taken = await delivery.apply();
    if (isLeft(taken)) return left(taken.left.error);
  }
  return right(undefined);
};
