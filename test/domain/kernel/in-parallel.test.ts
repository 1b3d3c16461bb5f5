import { inParallel } from '../../../domain/kernel/in-parallel';

it('runs many tasks concurrently, up to the limit', async () => {
  let running = 0;
  let most = 0;
  const items = Array.from({ length: 25 }, (_, index) => index);
  const results = await inParallel(10, items, async (item) => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    return item * 2;
  });
  expect(most).toBe(10);
  expect(results).toEqual(items.map((item) => item * 2));
});
