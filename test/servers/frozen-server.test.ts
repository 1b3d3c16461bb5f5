import { type Either, isLeft } from 'fp-ts/Either';
import { START } from '../../domain/kernel/event';
import { bySize } from '../support/proof-size';
import { waitFor } from '../support/wait-for';
import { describeWithEventStore } from './support/event-store-command';
import { type EventStoreServer, startEventStoreServer } from './support/event-store-server';
import { startLoad } from './support/load';
import { CATEGORY, openStore } from './support/open-store';

jest.setTimeout(300_000);

const FROZEN_MS = bySize({ sample: 8_000, full: 30_000 });
const TIMEOUT_MS = bySize({ sample: 3_000, full: 8_000 });
/** Tolerance for the timers of a busy machine. */
const SLACK_MS = 20_000;

describeWithEventStore('a frozen server', () => {
  let server: EventStoreServer;
  beforeAll(async () => {
    server = await startEventStoreServer();
  });
  afterAll(async () => {
    server.thaw();
    await server.stop();
  });

  it('ends every call within its timeout, and leaves no duplicates afterwards', async () => {
    const [{ store, identity, close }, reader] = [TIMEOUT_MS, TIMEOUT_MS].map((timeoutMs) =>
      openStore(server, { timeoutMs }),
    ) as [ReturnType<typeof openStore>, ReturnType<typeof openStore>];
    const load = startLoad(store, { writers: 16, follower: reader.store });
    await load.more(100);

    server.freeze();
    const frozenAt = performance.now();
    const isOver = (): boolean => performance.now() - frozenAt > FROZEN_MS;
    const calls: Readonly<Record<string, () => Promise<Either<unknown, unknown>>>> = {
      'reading a stream': () => store.readStream(`${CATEGORY}-0x0`),
      'reading the feed': () => store.readAll(START, 100),
      'asking for the head': () => store.head(),
      'asking for the identity': () => identity.read(),
    };
    const answers = await Promise.all(
      Object.entries(calls).map(async ([name, call]) => {
        let longestMs = 0;
        const kinds = new Set<string>();
        while (!isOver()) {
          const askedAt = performance.now();
          const outcome = await call();
          longestMs = Math.max(longestMs, performance.now() - askedAt);
          kinds.add(isLeft(outcome) ? (outcome.left as { readonly kind: string }).kind : 'an answer');
        }
        return { name, kinds: [...kinds], isInTime: longestMs <= TIMEOUT_MS + SLACK_MS };
      }),
    );
    server.thaw();

    expect(answers).toEqual(Object.keys(calls).map((name) => ({ name, kinds: ['unavailable'], isInTime: true })));
    await load.more(100);
    expect(await load.stop()).toEqual([]);
    expect(load.longestMs()).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    await Promise.all([close(), reader.close()]);
  });

  it('blocks neither the end of a subscription nor closing', async () => {
    const opened = openStore(server, { timeoutMs: TIMEOUT_MS });
    const stop = new AbortController();
    const pages = opened.store.subscribeAll(START, { signal: stop.signal })[Symbol.asyncIterator]();
    await pages.next();
    server.freeze();
    const isDone = { current: false };
    const ended = (async () => {
      while ((await pages.next()).done !== true);
      isDone.current = true;
    })();
    stop.abort();
    await waitFor('the subscription ends', () => isDone.current, TIMEOUT_MS + SLACK_MS);
    await ended;
    const askedAt = performance.now();
    await opened.close();
    expect(performance.now() - askedAt).toBeLessThan(TIMEOUT_MS + SLACK_MS);
    server.thaw();
    await server.untilReady();
  });
});
