import { type Either, isLeft } from 'fp-ts/Either';
import { type NewEvent } from '../../domain/kernel/event';
import { type Appended, type AppendError, type EventStore } from '../../domain/ports/event-store';

/** Appends at the current revision of the stream. */
export const appendNext = async (
  store: EventStore,
  streamId: string,
  events: readonly NewEvent[],
): Promise<Either<AppendError, Appended>> => {
  const last = await store.readStream(streamId, { direction: 'backwards', limit: 1 });
  if (isLeft(last)) throw new Error(`${streamId} could not be read: ${last.left.reason}`);
  return store.append(streamId, last.right[0]?.revision ?? 'no_stream', events);
};
