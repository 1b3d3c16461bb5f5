import { Slots } from '../../../../pod/graph/engine/slots';

/** A client that stays connected. */
const stays = (): AbortSignal => new AbortController().signal;

describe('slots', () => {
  test('are granted in the order of requests, up to their number', async () => {
    const slots = new Slots(2, 2);
    const order: number[] = [];
    let [running, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const slot = await slots.take('ada', 5_000, stays());
        order.push(index);
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        slot?.release();
      }),
    );
    expect(most).toBe(2);
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  test('are not granted, then or later, to a request that timed out or was cancelled', async () => {
    const slots = new Slots(1, 1);
    const first = await slots.take('ada', 5_000, stays());
    expect(await slots.take('ada', 10, stays())).toBeNull();
    const gone = new AbortController();
    const waiting = slots.take('bob', 5_000, gone.signal);
    gone.abort();
    expect(await waiting).toBeNull();
    expect(await slots.take('bob', 5_000, gone.signal)).toBeNull();
    first?.release();
    expect(await slots.take('ada', 10, stays())).not.toBeNull();
  });

  test('are shared: a caller holds at most its share, and does not delay other callers', async () => {
    const slots = new Slots(3, 2);
    const ofAda = [await slots.take('ada', 10, stays()), await slots.take('ada', 10, stays())];
    const third = slots.take('ada', 5_000, stays());
    expect(slots.waitingSinceMs()).toBeNull();
    expect(await slots.take('bob', 10, stays())).not.toBeNull();
    const second = slots.take('bob', 5_000, stays());
    expect(slots.waitingSinceMs()).not.toBeNull();
    ofAda[0]?.releaseQuota();
    ofAda[0]?.release();
    ofAda[0]?.release();
    expect(await third).not.toBeNull();
    ofAda[1]?.release();
    expect(await second).not.toBeNull();
    expect(await slots.take('bob', 10, stays())).toBeNull();
  });
});
