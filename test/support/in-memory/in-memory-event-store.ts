import { type Either, left, right } from 'fp-ts/Either';
import { FeedSignal } from '../../../adapters/system/feed-signal';
import { followFeed } from '../../../adapters/system/follow-feed';
import { type NewEvent, type Position, type StoredEvent } from '../../../domain/kernel/event';
import { findInvalidText } from '../../../domain/kernel/invalid-text';
import { type Clock } from '../../../domain/ports/clock';
import {
  type Appended,
  type AppendError,
  type EventStore,
  type ExpectedRevision,
  type FeedFilter,
  type FeedPage,
} from '../../../domain/ports/event-store';

/** The event store in memory, for tests and trials. Position n is the n-th event. */
export const createInMemoryEventStore = (clock: Clock): EventStore => {
  const log: StoredEvent[] = [];
  const streams = new Map<string, StoredEvent[]>();
  const appended = new FeedSignal();

  const append = (
    streamId: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
  ): Either<AppendError, Appended> => {
    if (events.length === 0) throw new Error(`An append to ${streamId} has no events`);
    const field = findInvalidText(events);
    if (field !== null) return left({ kind: 'invalid_text', streamId, field });
    const stream = streams.get(streamId) ?? [];
    const repeated = findRepeated(stream, expected, events);
    if (repeated !== undefined) return right(repeated);

    const actual = stream.length - 1;
    if ((expected === 'no_stream' ? -1 : expected) !== actual) {
      return left({ kind: 'wrong_expected_revision', streamId, actual: actual === -1 ? null : actual });
    }
    const recordedAt = clock.now().toISOString();
    for (const event of events) {
      const [revision, position] = [stream.length, positionOf(log.length + 1)];
      const stored: StoredEvent = { ...asStored(event), streamId, revision, position, recordedAt };
      stream.push(stored);
      log.push(stored);
    }
    streams.set(streamId, stream);
    appended.notify();
    return right({ position: positionOf(log.length), revision: stream.length - 1 });
  };

  const readAll: EventStore['readAll'] = (after, limit, filter = {}) => {
    const end = filter.types === undefined ? Number(after) + limit : log.length;
    return Promise.resolve(right(pageOf(log.slice(Number(after), end), after, limit, filter)));
  };

  return {
    append: (streamId, expected, events) => Promise.resolve(append(streamId, expected, events)),
    readStream: (streamId, { fromRevision, direction = 'forwards', limit } = {}) => {
      const stream = streams.get(streamId) ?? [];
      const inOrder =
        direction === 'forwards'
          ? stream.slice(fromRevision ?? 0)
          : stream.slice(0, (fromRevision ?? stream.length) + 1).reverse();
      return Promise.resolve(right(inOrder.slice(0, limit)));
    },
    readAt: (position) => Promise.resolve(right(log.find((event) => event.position === position) ?? null)),
    readAll,
    subscribeAll: (after, options) => followFeed(readAll, appended, after, options),
    head: () => Promise.resolve(right(positionOf(log.length))),
  };
};

/** The first `limit` events that pass the filter, and the position up to which the log was searched. */
const pageOf = (events: readonly StoredEvent[], after: Position, limit: number, { types }: FeedFilter): FeedPage => {
  const isWanted = ({ type }: StoredEvent): boolean => types?.includes(type) !== false;
  const wanted = events.filter(isWanted).slice(0, limit);
  const last = wanted.length === limit ? wanted.at(-1) : events.at(-1);
  return { events: wanted, position: last?.position ?? after };
};

const positionOf = (count: number): Position => String(count) as Position;

/** What a store that keeps JSON would return. Everything besides the data consists of strings and numbers. */
const asStored = (event: NewEvent): NewEvent => ({
  ...event,
  data: JSON.parse(JSON.stringify(event.data ?? null)) as unknown,
});

/** The outcome of the same earlier append, if exactly these events are at the expected place. */
const findRepeated = (
  stream: readonly StoredEvent[],
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): Appended | undefined => {
  const from = expected === 'no_stream' ? 0 : expected + 1;
  if (!events.every((event, index) => stream[from + index]?.id === event.id)) return undefined;
  const last = stream[from + events.length - 1];
  return last && { position: last.position, revision: last.revision };
};
