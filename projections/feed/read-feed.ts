import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError } from '../../domain/kernel/errors';
import { comparePositions, type Position } from '../../domain/kernel/event';
import { type EventStore, type FeedNotifications, type FeedPage } from '../../domain/ports/event-store';
import {
  type Checkpoint,
  type CheckpointMoved,
  type DeliveryFailure,
  type FeedConsumer,
} from '../../domain/ports/feed-consumer';
import {
  applyEvents,
  type DecodedPage,
  type NewlyParked,
  pageFor,
  type ReadablePage,
  readFeedEvent,
} from './apply-events';

export interface FeedReaderOptions {
  readonly store: EventStore;
  readonly consumers: readonly FeedConsumer[];
  /** The event types to read; absent: all, and an unknown type stops the consumers that may handle it. */
  readonly types?: readonly string[];
  /** Notifications of events of these types, so that other events do not wake the reader. */
  readonly notifications?: FeedNotifications;
  /** Maximum number of pages without events for a consumer before its checkpoint is written. */
  readonly idlePages: number;
  readonly signal: AbortSignal;
  /** The position that every consumer has reached. */
  readonly onProgress?: (position: Position) => void;
  /** Called when a read model may have changed: before a position is published, and at every start. */
  readonly onChanged?: (consumer: string) => void;
  /** Called with each page that all consumers have processed; best effort. */
  readonly onPage?: (page: FeedPage) => void;
  readonly onParked: (consumer: string, parked: NewlyParked) => void;
  /** Called when a consumer waits for a newer version of rowgraph, with the event; null: it no longer waits. */
  readonly onWaiting?: (consumer: string, reason: string | null) => void;
  /** Called with a failure that will be retried. */
  readonly onError: (what: string, error: unknown) => void;
  /** Waits, unless the signal aborts first. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Running {
  readonly consumer: FeedConsumer;
  checkpoint: Checkpoint;
  /** The scanned position: ahead of the checkpoint while pages have no events for the consumer. */
  seen: Position;
}

/** Attempts to apply an event, with increasing pauses, before it is parked. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 50;
const RESTART_PAUSE_MS = 500;

/** A reader with the progress of each of its consumers. */
interface Reader extends FeedReaderOptions {
  readonly seen: Map<FeedConsumer, Position>;
}

/**
 * Delivers the events of the feed to consumers, all from one subscription, until the signal aborts. For each page with
 * events for it, a consumer applies these and advances its checkpoint by compare-and-set; if another process has
 * changed the checkpoint (another replica, a rebuild), the consumer resumes from there. An event that cannot be applied
 * is parked before the checkpoint passes it, as are later events of its stream, so that no event is lost. A consumer
 * that needs an event of an unknown type waits for a newer version, with its own subscription.
 */
export const readFeed = (options: FeedReaderOptions): Promise<void> =>
  readTogether({ ...options, seen: new Map() }, options.consumers);

const readTogether = async (reader: Reader, consumers: readonly FeedConsumer[]): Promise<void> => {
  const { signal } = reader;
  const isStopped = (): boolean => signal.aborted;
  const separated: Promise<void>[] = [];
  let together = consumers;
  const separate = (waiting: FeedConsumer): void => {
    together = together.filter((consumer) => consumer !== waiting);
    separated.push(readTogether(reader, [waiting]));
  };
  while (!isStopped()) {
    const ended = await follow(reader, together, separate).catch((error: unknown) => left(error));
    if (isStopped() || !isLeft(ended)) continue;
    if (ended.left !== WAITS) {
      reader.onError(`reading the feed for ${together.map(({ name }) => name).join(', ')}`, ended.left);
    }
    await reader.pause(RESTART_PAUSE_MS, signal);
  }
  await Promise.all(separated);
};

/** Returned when the only consumer of a reader waits for a newer version. */
const WAITS = Symbol('waits');

const follow = async (
  reader: Reader,
  consumers: readonly FeedConsumer[],
  separate: (waiting: FeedConsumer) => void,
): Promise<Either<DeliveryFailure | typeof WAITS, void>> => {
  const { store, types, notifications, idlePages, signal, onPage, onWaiting } = reader;
  let running = await Promise.all(consumers.map((consumer) => start(reader, consumer)));
  let read = earliest(running.map(({ seen }) => seen));
  // Publishes the progress of earlier runs, since new events may never arrive.
  publishProgress(reader);
  let pages = 0;
  for await (const page of store.subscribeAll(read, {
    ...(types && { filter: { types } }),
    ...(notifications && { notifications }),
    signal,
  })) {
    const decoded = { events: page.events.map(readFeedEvent), position: page.position };
    pages += 1;
    const isPersisted = pages % idlePages === 0;
    const deliver = async (one: Running) => ({ one, delivered: await deliverPage(reader, one, decoded, isPersisted) });
    // At once, so that a page takes the time of the slowest consumer; all have ended before a restart.
    for (const outcome of await Promise.allSettled(running.map(deliver))) {
      if (outcome.status === 'rejected') throw outcome.reason;
      const { one, delivered } = outcome.value;
      if (isLeft(delivered)) return delivered;
      onWaiting?.(one.consumer.name, delivered.right);
      if (delivered.right === null) continue;
      if (running.length === 1) return left(WAITS);
      running = running.filter((other) => other !== one);
      separate(one.consumer);
    }
    publishProgress(reader);
    onPage?.(page);
    read = page.position;
  }
  return right(undefined);
};

const publishProgress = ({ onProgress, consumers, seen }: Reader): void => {
  if (seen.size === consumers.length) onProgress?.(earliest([...seen.values()]));
};

const start = async ({ onChanged, seen }: Reader, consumer: FeedConsumer): Promise<Running> => {
  const checkpoint = await consumer.checkpoint();
  onChanged?.(consumer.name);
  seen.set(consumer, checkpoint.position);
  return { consumer, checkpoint, seen: checkpoint.position };
};

const earliest = (positions: readonly Position[]): Position =>
  positions.reduce((a, b) => (comparePositions(a, b) <= 0 ? a : b));

const tryLater = (message: string): DeliveryFailure => ({
  kind: 'try_later',
  error: domainError('SERVICE_UNAVAILABLE', message),
});

/** Delivers the events of a page to a consumer; returns why it waits for a newer version, null when it does not. */
const deliverPage = async (
  reader: Reader,
  one: Running,
  page: DecodedPage,
  isPersisted: boolean,
): Promise<Either<DeliveryFailure, string | null>> => {
  const { consumer } = one;
  while (comparePositions(one.seen, page.position) < 0) {
    const unseen = page.events.filter(({ stored }) => comparePositions(stored.position, one.seen) > 0);
    const { events, position, stoppedBy } = pageFor(
      (type) => consumer.listensTo(type),
      { ...page, events: unseen },
      one.seen,
    );
    if (position !== one.seen && (events.length > 0 || isPersisted || stoppedBy !== null)) {
      const delivered = await deliverBatch(reader, one, events, position);
      if (isLeft(delivered)) {
        if (delivered.left.kind !== 'checkpoint_moved') return left(delivered.left);
        Object.assign(one, await start(reader, consumer));
        continue;
      }
      one.checkpoint = { ...one.checkpoint, position };
      if (events.length > 0) reader.onChanged?.(consumer.name);
    }
    one.seen = position;
    reader.seen.set(consumer, position);
    if (stoppedBy !== null) return right(stoppedBy);
  }
  return right(null);
};

const deliverBatch = async (
  { signal, onError, onParked, pause }: FeedReaderOptions,
  { consumer, checkpoint }: Running,
  events: ReadablePage['events'],
  to: Position,
): Promise<Either<DeliveryFailure | CheckpointMoved, void>> => {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS;
    const delivered = await consumer.advance(checkpoint, to, (batch) =>
      applyEvents(batch, events, isLast ? ATTEMPTS : null),
    );
    if (!isLeft(delivered)) {
      for (const parked of delivered.right) onParked(consumer.name, parked);
      return right(undefined);
    }
    if (delivered.left.kind !== 'event_failed') return delivered;
    onError(`giving events to ${consumer.name}`, delivered.left);
    await pause(FIRST_PAUSE_MS * 3 ** (attempt - 1), signal);
    // A stopped reader has not completed the pause: the next start retries.
    if (signal.aborted) return left(tryLater('The reader is being stopped.'));
  }
};
