import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError } from '../../domain/kernel/errors';
import { type DomainEvent, type StoredEvent } from '../../domain/kernel/event';
import { type CatalogueOf, decodeEvent, type EventCatalogue, unreadable } from '../../domain/kernel/event-catalogue';
import { type EventStore, readFailed } from '../../domain/ports/event-store';
import { emptyStream, type LoadedStream, streamAfter, type StreamCache } from './stream-cache';

/** A way to fold the events of a stream into a state. */
export interface Folder<E extends DomainEvent, S> {
  readonly decider: { readonly initial: S; readonly evolve: (state: S, event: StoredEvent<E>) => S };
  readonly catalogue: CatalogueOf<E>;
}

/** The log, and the cache of its streams; absent: each stream is read from the beginning. */
export interface LogPorts {
  readonly store: EventStore;
  readonly streams?: StreamCache;
}

/** A stream could not be read, or has an unknown event. */
export type ReadFailure = DomainError<'SERVICE_UNAVAILABLE' | 'INTERNAL_ERROR'>;

/** Events of a stream to hold in memory at once. */
export const PAGE = 10_000;

/** The current state of a stream. Reads only the events after its cached state; an unknown stream is empty. */
export const loadStream = async <E extends DomainEvent, S>(
  { store, streams }: LogPorts,
  folder: Folder<E, S>,
  streamId: string,
): Promise<Either<ReadFailure, LoadedStream<S>>> => {
  let stream = streams?.find(folder, streamId) ?? emptyStream(folder.decider.initial);
  for (;;) {
    const read = await loadEvents(store, folder, streamId, stream.revision, PAGE);
    if (isLeft(read)) return read;
    const last = read.right.at(-1);
    if (last !== undefined) {
      const state = read.right.reduce(folder.decider.evolve, stream.state);
      stream = streamAfter(stream, state, read.right, last);
      streams?.keep(folder, streamId, stream);
    }
    if (read.right.length < PAGE) return right(stream);
  }
};

/** The state of a stream and all its events, which are not cached. */
export const loadHistory = async <E extends DomainEvent, S>(
  store: EventStore,
  folder: Folder<E, S>,
  streamId: string,
): Promise<Either<ReadFailure, { readonly state: S; readonly events: readonly StoredEvent<E>[] }>> => {
  const read = await loadEvents(store, folder, streamId, -1);
  if (isLeft(read)) return read;
  return right({ state: read.right.reduce(folder.decider.evolve, folder.decider.initial), events: read.right });
};

/** Reads at most `limit` events of a stream after a revision, -1 for the beginning. */
const loadEvents = async <E extends DomainEvent>(
  store: EventStore,
  { catalogue }: Pick<Folder<E, never>, 'catalogue'>,
  streamId: string,
  revision: number,
  limit?: number,
): Promise<Either<ReadFailure, readonly StoredEvent<E>[]>> => {
  const read = await store.readStream(streamId, { fromRevision: revision + 1, limit });
  if (isLeft(read)) return left(readFailed(read.left));
  const events: StoredEvent<E>[] = [];
  for (const stored of read.right) {
    const event = decodeEvent<EventCatalogue>(catalogue, stored);
    if (isLeft(event)) return left(unreadable(event.left));
    // The codec of the catalogue of `E` has just accepted it.
    events.push(event.right as StoredEvent<E>);
  }
  return right(events);
};
