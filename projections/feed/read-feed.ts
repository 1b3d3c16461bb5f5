import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { domainError } from '../../domain/kernel/errors';
import { comparePositions, type Position, START } from '../../domain/kernel/event';
import { type EventStore, type FeedNews, type FeedPage } from '../../domain/ports/event-store';
import {
  type Checkpoint,
  type CheckpointMoved,
  type DeliveryFailure,
  type FeedConsumer,
} from '../../domain/ports/feed-consumer';
import { type ReadablePage, readablePage } from './feed-page';
import { type NewlyParked, takeIn } from './take-in';

export interface FeedReaderOptions {
  readonly store: EventStore;
  readonly consumers: readonly FeedConsumer[];
  /** The event types to read; absent: all, and an unknown one stops the reader. */
  readonly types?: readonly string[];
  /** Word of events of these types, so that the reader is not woken by others. */
  readonly news?: FeedNews;
  /** Pages a consumer may be ahead of its checkpoint before it is written even though nothing concerned it. */
  readonly idlePages: number;
  readonly signal: AbortSignal;
  /** The position every consumer has passed. */
  readonly onProgress?: (position: Position) => void;
  /** Called when a read model may have changed: before a position is published, and at every start. */
  readonly onChanged?: (consumer: string) => void;
  /** Called with each page that all consumers have passed; without a guarantee. */
  readonly onPage?: (page: FeedPage) => void;
  readonly onParked: (consumer: string, parked: NewlyParked) => void;
  /** A failure that will be tried again. */
  readonly onTrouble: (what: string, error: unknown) => void;
  /** Waits, unless the signal aborts first. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

interface Running {
  readonly consumer: FeedConsumer;
  checkpoint: Checkpoint;
  /** What has been looked at: later than the checkpoint while nothing concerned the consumer. */
  seen: Position;
}

/** Attempts to apply an event, with ever longer pauses, before it is parked. */
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 50;
const RESTART_PAUSE_MS = 500;

/**
 * Gives the events of the feed to consumers, all from one subscription, until the signal aborts. Per page each that is
 * concerned applies its events and moves its checkpoint by compare-and-set; when another process moved it (another
 * replica, a rebuild), the consumer resumes from there. An event that cannot be applied is parked before the
 * checkpoint passes it, and with it the later ones for its stream, so that none is ever missed.
 */
export const readFeed = async (options: FeedReaderOptions): Promise<void> => {
  const { consumers, signal } = options;
  const isStopped = (): boolean => signal.aborted;
  while (!isStopped()) {
    const ended = await follow(options).catch((error: unknown) => left(error));
    if (isStopped() || !isLeft(ended)) continue;
    options.onTrouble(`reading the feed for ${consumers.map(({ name }) => name).join(', ')}`, ended.left);
    await options.pause(RESTART_PAUSE_MS, signal);
  }
};

const follow = async (options: FeedReaderOptions): Promise<Either<DeliveryFailure, void>> => {
  const { consumers, store, types, news, idlePages, signal, onProgress, onPage } = options;
  const running = await Promise.all(consumers.map((consumer) => start(options, consumer)));
  let read = earliest(running);
  // What was done before this start counts, also when nothing new ever comes.
  onProgress?.(read);
  let pages = 0;
  for await (const page of store.subscribeAll(read, {
    ...(types && { filter: { types } }),
    ...(news && { news }),
    signal,
  })) {
    const readable = readablePage(page, read);
    pages += 1;
    for (const one of running) {
      const taken = await takePage(options, one, readable, pages % idlePages === 0);
      if (isLeft(taken)) return taken;
    }
    onProgress?.(earliest(running));
    if (readable.stoppedBy !== null) return left(tryLater(readable.stoppedBy));
    onPage?.(page);
    read = page.position;
  }
  return right(undefined);
};

const start = async ({ onChanged }: FeedReaderOptions, consumer: FeedConsumer): Promise<Running> => {
  const checkpoint = await consumer.checkpoint();
  onChanged?.(consumer.name);
  return { consumer, checkpoint, seen: checkpoint.position };
};

const earliest = (running: readonly Running[]): Position =>
  running.map(({ seen }) => seen).reduce((a, b) => (comparePositions(a, b) <= 0 ? a : b), running[0]?.seen ?? START);

const tryLater = (message: string): DeliveryFailure => ({
  kind: 'try_later',
  error: domainError('SERVICE_UNAVAILABLE', message),
});

const takePage = async (
  options: FeedReaderOptions,
  one: Running,
  page: ReadablePage,
  isPersisted: boolean,
): Promise<Either<DeliveryFailure, void>> => {
  while (comparePositions(one.seen, page.position) < 0) {
    const events = page.events.filter(
      ({ stored }) => comparePositions(stored.position, one.seen) > 0 && one.consumer.listensTo(stored.type),
    );
    if (events.length > 0 || isPersisted) {
      const taken = await tryBatch(options, one, events, page.position);
      if (isLeft(taken)) {
        if (taken.left.kind !== 'checkpoint_moved') return left(taken.left);
        Object.assign(one, await start(options, one.consumer));
        continue;
      }
      one.checkpoint = { ...one.checkpoint, position: page.position };
      if (events.length > 0) options.onChanged?.(one.consumer.name);
    }
    one.seen = page.position;
  }
  return right(undefined);
};

const tryBatch = async (
  { signal, onTrouble, onParked, pause }: FeedReaderOptions,
  { consumer, checkpoint }: Running,
  events: ReadablePage['events'],
  to: Position,
): Promise<Either<DeliveryFailure | CheckpointMoved, void>> => {
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS;
    const taken = await consumer.advance(checkpoint, to, (batch) => takeIn(batch, events, isLast ? ATTEMPTS : null));
    if (!isLeft(taken)) {
      for (const parked of taken.right) onParked(consumer.name, parked);
      return right(undefined);
    }
    if (taken.left.kind !== 'event_failed') return taken;
    onTrouble(`giving events to ${consumer.name}`, taken.left);
    await pause(FIRST_PAUSE_MS * 3 ** (attempt - 1), signal);
    // Who is stopped has not waited: the next start tries again.
    if (signal.aborted) return left(tryLater('The reader is being stopped.'));
  }
};
