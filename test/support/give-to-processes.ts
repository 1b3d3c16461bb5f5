import { type Either, isLeft, right } from 'fp-ts/Either';
import { type CommandPorts } from '../../commands/kit/command-context';
import { processesFor, takeInput } from '../../commands/processes/run-process';
import { type DomainError } from '../../domain/kernel/errors';
import { type StoredEvent } from '../../domain/kernel/event';

/** Gives an event to every process that it concerns, up to the first that cannot take it in. */
export const giveToProcesses = async (ports: CommandPorts, event: StoredEvent): Promise<Either<DomainError, void>> => {
  const targets = processesFor(event);
  if (isLeft(targets)) return targets;
  for (const target of targets.right) {
    const taken = await takeInput(ports, target, event);
    if (isLeft(taken)) return taken;
  }
  return right(undefined);
};
