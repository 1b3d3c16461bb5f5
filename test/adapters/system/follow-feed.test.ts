import { right } from 'fp-ts/Either';
import { FeedSignal } from '../../../adapters/system/feed-signal';
import { followFeed } from '../../../adapters/system/follow-feed';
import { type Position, START } from '../../../domain/kernel/event';

const at = (position: number): Position => String(position) as Position;

describe('following the feed', () => {
  const ending = new AbortController();
  afterAll(() => ending.abort());

  it('reads once for two notifications of one append, and again for an append without a known position', async () => {
    const appended = new FeedSignal();
    let [head, reads] = [0, 0];
    const readAll = (): Promise<ReturnType<typeof right<{ events: []; position: Position }>>> => {
      reads += 1;
      return Promise.resolve(right({ events: [], position: at(head) }));
    };
    const pages = followFeed(readAll, appended, START, { signal: ending.signal });
    const next = async (): Promise<Position | undefined> => {
      const page = await pages.next();
      return page.done === true ? undefined : page.value.position;
    };
    const append = (): void => {
      head += 1;
      appended.notify(at(head));
    };

    append();
    expect([await next(), reads]).toEqual([at(1), 1]);
    // The follower waits: neither the end of the log nor a repeated notification causes a read.
    const second = next();
    appended.notify(at(1));
    await Promise.resolve();
    expect(reads).toBe(1);
    append();
    expect([await second, reads]).toEqual([at(2), 2]);

    const third = next();
    head += 1;
    appended.notify();
    expect([await third, reads]).toEqual([at(3), 3]);
  });

  it('wakes for its own event types only', async () => {
    const [appended, notifications] = [new FeedSignal(), new FeedSignal()];
    let [head, reads] = [1, 0];
    const readAll = () => {
      reads += 1;
      return Promise.resolve(right({ events: [], position: at(head) }));
    };
    const pages = followFeed(readAll, appended, START, { notifications, signal: ending.signal });
    notifications.notify(at(1));
    await pages.next();
    const next = pages.next();
    head = 2;
    appended.notify(at(2));
    await Promise.resolve();
    expect(reads).toBe(1);
    notifications.notify(at(2));
    expect((await next).value?.position).toBe(at(2));
  });

  it('finds events without a notification', async () => {
    const appended = new FeedSignal();
    appended.notify(at(1));
    let head = 1;
    const readAll = () => Promise.resolve(right({ events: [], position: at(head) }));
    const pages = followFeed(readAll, appended, START, { signal: ending.signal });
    await pages.next();
    head = 2;
    expect((await pages.next()).value?.position).toBe(at(2));
  });
});
