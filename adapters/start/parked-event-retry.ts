import { right } from 'fp-ts/Either';
import { type EventStore } from '../../domain/ports/event-store';
import { type FeedConsumer } from '../../domain/ports/feed-consumer';
import { type ParkedEventRetry } from '../../domain/ports/parked-event-retry';
import { retryParked } from '../../projections/feed/retry-parked';
import { type ReadDatabase } from '../../queries/kit/database';
import { findFirstParked } from '../../queries/parked-events';

/** What is parked for any of the consumers of the feed, behind one port. */
export const parkedEventRetry = (
  db: ReadDatabase,
  store: EventStore,
  consumers: readonly FeedConsumer[],
): ParkedEventRetry => ({
  firstOf: (reader, streamId) => findFirstParked(db, reader, streamId),
  retry: async (reader, streamId, skip) => {
    const consumer = consumers.find(({ name }) => name === reader);
    if (consumer === undefined) return right({ applied: 0, error: null });
    return retryParked(consumer, store, streamId, skip);
  },
});
