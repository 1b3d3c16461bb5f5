import { isLeft } from 'fp-ts/Either';
import { type Position } from '../../domain/kernel/event';
import { type EventStore, type FeedFilter, type FeedPage } from '../../domain/ports/event-store';
import { type FeedNews } from './feed-news';

const POLL_MS = 250;
const DEFAULT_BATCH_SIZE = 500;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Turns `readAll` into the endless feed of `subscribeAll`. News wakes it; the poll is the safety net for news that got
 * lost. A store that does not answer is asked again, ever more slowly, up to every two seconds.
 */
export async function* followFeed(
  readAll: EventStore['readAll'],
  news: FeedNews,
  after: Position,
  options: { readonly filter?: FeedFilter; readonly batchSize?: number; readonly signal: AbortSignal },
): AsyncGenerator<FeedPage, void, undefined> {
  const { filter, batchSize = DEFAULT_BATCH_SIZE, signal } = options;
  let position = after;
  let pauseMs = 50;
  while (!signal.aborted) {
    const before = news.count;
    const page = await readAll(position, batchSize, filter);
    if (isLeft(page)) {
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      await news.waitBeyond(news.count, pauseMs, signal);
      continue;
    }
    pauseMs = 50;
    if (page.right.position === position) {
      await news.waitBeyond(before, POLL_MS, signal);
      continue;
    }
    position = page.right.position;
    yield page.right;
  }
}
