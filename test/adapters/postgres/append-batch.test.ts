import * as fc from 'fast-check';
import { takeBatch } from '../../../adapters/postgres/append-batch';

const queues = fc.array(
  fc.record({
    streamId: fc.integer({ min: 1, max: 200 }).map((n) => `a-${n}`),
    bytes: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 3_000_000 })),
  }),
  { maxLength: 300 },
);

describe('taking a batch from the queue', () => {
  it('takes each stream once, within the limits, and always at least one append', () => {
    fc.assert(
      fc.property(queues, (queue) => {
        const { batch } = takeBatch(queue);
        expect(new Set(batch.map((append) => append.streamId)).size).toBe(batch.length);
        expect(batch.length).toBeLessThanOrEqual(128);
        if (batch.length > 1) {
          expect(batch.reduce((sum, append) => sum + append.bytes, 0)).toBeLessThanOrEqual(4 * 1024 * 1024);
        }
        expect(batch.length > 0).toBe(queue.length > 0);
      }),
    );
  });

  it('loses nothing and keeps the order within every stream over all batches', () => {
    fc.assert(
      fc.property(queues, (queue) => {
        const taken: typeof queue = [];
        for (let rest = queue; rest.length > 0;) {
          const next = takeBatch(rest);
          taken.push(...next.batch);
          rest = next.rest;
        }
        for (const streamId of new Set(queue.map((append) => append.streamId))) {
          const ofStream = (appends: typeof queue): typeof queue => appends.filter((a) => a.streamId === streamId);
          expect(ofStream(taken)).toEqual(ofStream(queue));
        }
        expect(taken).toHaveLength(queue.length);
      }),
    );
  });
});
