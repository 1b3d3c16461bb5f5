import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { CAPACITY_STREAM, type CapacityCommand } from '../../domain/capacity';
import { instanceStream } from '../../domain/instance';
import { type DomainError, unavailable } from '../../domain/kernel/errors';
import { type Position } from '../../domain/kernel/event';
import { capacities, instances } from '../kit/aggregates';
import { appendDecided } from '../kit/append-decided';
import { type CommandContext, type CommandPorts, contextOfPart } from '../kit/command-context';
import { type CommandFailure, type Done, handleCommand, newEvent } from '../kit/handle-command';
import { loadStream } from '../kit/load-stream';

type SlotError = CommandFailure | DomainError<'CONCURRENCY_LIMIT_EXCEEDED'>;

interface Waiting {
  readonly command: CapacityCommand;
  readonly context: CommandContext;
  readonly settle: (result: Either<SlotError, Position>) => void;
}

/**
 * Changes the live slots of the system and returns the position of the change; the limits hold exactly, also across
 * replicas.
 */
export type ChangeCapacity = (
  command: CapacityCommand,
  context: CommandContext,
) => Promise<Either<SlotError, Position>>;

/** Maximum commands per batch: with a few hundred bytes per event, far below the limit of one append. */
const MAX_BATCH = 200;

/**
 * All instances share one stream, where optimistic retries of many concurrent commands would starve each other.
 * Commands that arrive during an append are queued, decided in order in memory, and appended as one batch. The oldest
 * waiting call processes the batch, within its own timeout.
 */
export const capacityCommands = (ports: CommandPorts): ChangeCapacity => {
  let waiting: Waiting[] = [];
  let underWay: Promise<void> | null = null;

  const decideNext = async (): Promise<void> => {
    const batch = waiting.slice(0, MAX_BATCH);
    waiting = waiting.slice(MAX_BATCH);
    await decideTogether(ports, batch).catch((error: unknown) => {
      for (const { settle } of batch) settle(left(unavailable('The event store', String(error))));
    });
    underWay = null;
  };
  const serialize = async (own: Waiting): Promise<void> => {
    while (waiting.includes(own)) await (underWay ??= decideNext());
  };

  return (command, context) =>
    new Promise((settle) => {
      const own = { command, context, settle };
      waiting.push(own);
      void serialize(own);
    });
};

const decideTogether = async (ports: CommandPorts, batch: readonly Waiting[]): Promise<void> => {
  let refused = new Map<Waiting, SlotError>();
  const appended = await appendDecided(ports, CAPACITY_STREAM, async () => {
    const loaded = await loadStream(ports, capacities, CAPACITY_STREAM);
    if (isLeft(loaded)) return loaded;
    const { revision, position: before } = loaded.right;
    const now = ports.clock.now();
    let { state } = loaded.right;
    refused = new Map();
    const events = batch.flatMap((waiter) => {
      const { command, context } = waiter;
      const decided = capacities.decider.decide(command, state, { now, actor: context.actor, id: '' });
      if (isLeft(decided)) {
        refused.set(waiter, decided.left);
        return [];
      }
      state = decided.right.reduce(capacities.decider.evolve, state);
      return decided.right.map((event, index) => {
        const id = ports.ids.derivedUuid(context.commandId, `${CAPACITY_STREAM}:${index}`);
        return newEvent(event, capacities.catalogue, id, context, now);
      });
    });
    const result = (position: Position) => (events.length === 0 ? before : position);
    return right({ revision, events, result });
  });
  for (const waiter of batch) {
    const error = refused.get(waiter);
    waiter.settle(error === undefined || isLeft(appended) ? appended : left(error));
  }
};

/** Releases the slot of an instance, as a part of a command on it. */
export const releaseSlot = (
  { ids, changeCapacity }: Pick<CommandPorts, 'ids'> & { readonly changeCapacity: ChangeCapacity },
  instanceId: number,
  context: CommandContext,
) => changeCapacity({ type: 'ReleaseSlot', instanceId }, contextOfPart(ids, context, 'slot'));

/**
 * Releases the slot of an instance that was never requested. The instance's own stream is closed first, so that a late
 * request cannot create the instance without a slot. An instance that was requested in time keeps its slot.
 */
export const expireReservation = async (
  ports: CommandPorts & { readonly changeCapacity: ChangeCapacity },
  instanceId: number,
  context: CommandContext,
): Done => {
  const command = { type: 'AbandonInstance', instanceId } as const;
  const abandoned = await handleCommand(ports, instances, instanceStream(instanceId), command, context);
  if (isLeft(abandoned)) return abandoned.left.code === 'ALREADY_EXISTS' ? right(undefined) : abandoned;
  return releaseSlot(ports, instanceId, context);
};
