import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { mapLeft } from '../../domain/kernel/either';
import { type DomainError } from '../../domain/kernel/errors';
import { unreadable } from '../../domain/kernel/event-catalogue';
import {
  type CheckpointStore,
  type Delivery,
  deliveryFailure,
  type FeedBatch,
  type FeedConsumer,
  type FeedEvent,
  type ParkedEventStore,
  PROCESSES,
} from '../../domain/ports/feed-consumer';
import { type CommandPorts } from '../kit/command-context';
import { allProcesses } from './process-state';
import { handleInput, processStreamsOf } from './run-process';

export interface ProcessInputPorts extends CommandPorts {
  readonly checkpoints: CheckpointStore;
  readonly parked: ParkedEventStore;
}

/** All event types that processes handle. */
export const PROCESS_INPUTS: readonly string[] = [...new Set(allProcesses.flatMap(({ listensTo }) => listensTo))];

/**
 * Increase it when a process handles another event type. Each version has its own checkpoint, which starts at that of
 * the previous version, so that an older program running at the same time does not skip the new inputs.
 */
export const PROCESSES_VERSION = 1;

/**
 * The processes as a consumer of the feed. A process ignores repeated inputs, so delivery is at least once and does not
 * need a transaction.
 */
export const processInputs = (ports: ProcessInputPorts): FeedConsumer => {
  const batch = (held: ReadonlySet<string>): FeedBatch => ({
    heldStreams: held,
    parked: ports.parked,
    deliveries: (event) => deliveriesOf(ports, event),
    flush: () => Promise.resolve(right(undefined)),
  });
  return {
    name: PROCESSES,
    listensTo: (type) => PROCESS_INPUTS.includes(type),
    checkpoint: async () => ({ position: await ports.checkpoints.load(PROCESSES), epoch: 0 }),
    advance: async (from, to, work) => {
      // A slower reader must not park events again that were parked and skipped meanwhile.
      if ((await ports.checkpoints.load(PROCESSES)) !== from.position) return left({ kind: 'checkpoint_moved' });
      const done = await work(batch(await ports.parked.heldStreams()));
      if (isLeft(done)) return done;
      const isMoved = await ports.checkpoints.advance(PROCESSES, from.position, to);
      return isMoved ? done : left({ kind: 'checkpoint_moved' });
    },
    repair: (work) => work(batch(new Set())),
  };
};

/** An unreadable event concerns unknown processes: it holds back its own stream. */
export const deliveriesOf = (ports: CommandPorts, { stored, readable }: FeedEvent): readonly Delivery[] => {
  if (isLeft(readable)) {
    const failed: Either<DomainError, never> = left(unreadable(readable.left));
    return [{ streamId: stored.streamId, apply: () => Promise.resolve(mapLeft(failed, deliveryFailure)) }];
  }
  const event = readable.right;
  return processStreamsOf(event).map((streamId) => ({
    streamId,
    apply: async () => mapLeft(await handleInput(ports, streamId, event, stored), deliveryFailure),
  }));
};
