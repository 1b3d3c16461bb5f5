import { isLeft } from 'fp-ts/Either';
import { type Position } from '../../domain/kernel/event';
import { type EventStore, type FeedNotifications, type FeedPage } from '../../domain/ports/event-store';
import { retry } from './retry';

const POLL_MS = 250;
const DEFAULT_BATCH_SIZE = 500;

/**
 * Turns `readAll` into the endless feed of `subscribeAll`. An append wakes it; polling covers lost signals. If the
 * store does not answer, reads are retried with increasing pauses of up to two seconds.
 */
export async function* followFeed(
  readAll: EventStore['readAll'],
  appended: FeedNotifications,
  after: Position,
  options: Parameters<EventStore['subscribeAll']>[1],
): AsyncGenerator<FeedPage, void, undefined> {
  const { filter, batchSize = DEFAULT_BATCH_SIZE, notifications = appended, signal } = options;
  let position = after;
  while (!signal.aborted) {
    const { version } = notifications;
    const from = position;
    const page = await retry(() => readAll(from, batchSize, filter), { pausesMs: [100, 2_000], signal });
    // Only the signal ends the retries.
    if (isLeft(page)) return;
    const isNew = page.right.position !== position;
    position = page.right.position;
    if (isNew) yield page.right;
    if (!isNew || notifications.isLast(position)) await notifications.waitAfter(version, POLL_MS, signal);
  }
}
