import { createSlots } from '../../../../pod/graph/engine/slots';

describe('slots', () => {
  test('never more than there are, in the order of asking', async () => {
    const slots = createSlots(2);
    const order: number[] = [];
    let [running, most] = [0, 0];
    await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const slot = await slots.take(5_000);
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

  test('who waited too long gets none, and does not take one later', async () => {
    const slots = createSlots(1);
    const first = await slots.take(5_000);
    expect(await slots.take(10)).toBeNull();
    first?.release();
    expect((await slots.take(10))?.waitedMs).toBe(0);
  });
});
