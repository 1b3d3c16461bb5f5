import { comparePositions, type StoredEvent } from '../../../domain/kernel/event';
import { type ParkedEventStore } from '../../../domain/ports/feed-consumer';

interface Parked {
  readonly streamId: string;
  readonly event: StoredEvent;
  error: string | null;
  attempts: number;
}

/** A minimal implementation of the port, which also shows tests everything parked with its last error. */
export const createInMemoryParkedEvents = (): ParkedEventStore & { readonly all: () => readonly Parked[] } => {
  let parked: readonly Parked[] = [];
  const of = (streamId: string): readonly Parked[] => parked.filter((one) => one.streamId === streamId);
  const add = (one: Parked): void => {
    if (of(one.streamId).some(({ event }) => event.position === one.event.position)) return;
    parked = [...parked, one].sort((a, b) => comparePositions(a.event.position, b.event.position));
  };
  return {
    all: () => parked,
    heldStreams: () => Promise.resolve(new Set(parked.map(({ streamId }) => streamId))),
    park: (streamId, event, error, attempts) => Promise.resolve(add({ streamId, event, error, attempts })),
    parkIfBlocked: (streamId, event) => {
      const isHeld = of(streamId).length > 0;
      if (isHeld) add({ streamId, event, error: null, attempts: 0 });
      return Promise.resolve(isHeld);
    },
    parkedFor: (streamId, limit) => {
      const first = of(streamId).slice(0, limit);
      return Promise.resolve(
        first.map(({ event }) => ({
          position: event.position,
          eventStreamId: event.streamId,
          eventRevision: event.revision,
        })),
      );
    },
    recordFailure: (streamId, position, error) => {
      for (const one of of(streamId).filter(({ event }) => event.position === position)) {
        one.error = error;
        one.attempts += 1;
      }
      return Promise.resolve();
    },
    remove: (streamId, position) => {
      parked = parked.filter((one) => one.streamId !== streamId || one.event.position !== position);
      return Promise.resolve();
    },
  };
};
