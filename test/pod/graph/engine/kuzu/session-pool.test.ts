import { createSessionPool } from '../../../../../pod/graph/engine/kuzu/session-pool';

describe('the pool of sessions', () => {
  const poolOf = (size: number, usesOfEach: number) => {
    const closed: number[] = [];
    let made = 0;
    const connect = () => {
      const number = ++made;
      let uses = 0;
      return Promise.resolve({
        number,
        use: () => ++uses,
        isFull: () => uses >= usesOfEach,
        close: () => Promise.resolve(void closed.push(number)),
      });
    };
    return { pool: createSessionPool(connect, size), closed, made: () => made };
  };

  test('a full session is closed and replaced before the next use', async () => {
    const { pool, closed } = poolOf(1, 2);
    const used: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      await pool.use((session) => Promise.resolve(session.use()).then(() => used.push(session.number)));
    }
    expect(used).toEqual([1, 1, 2, 2, 3]);
    expect(closed).toEqual([1, 2]);
  });

  test('no more sessions are made than its size, and nobody shares one', async () => {
    const { pool, made } = poolOf(2, 100);
    const busy = new Set<number>();
    await Promise.all(
      Array.from({ length: 10 }, () =>
        pool.use(async ({ number }) => {
          expect(busy.has(number)).toBe(false);
          busy.add(number);
          await new Promise(setImmediate);
          busy.delete(number);
        }),
      ),
    );
    expect(made()).toBe(2);
  });

  test('a session whose action failed is used again', async () => {
    const { pool, made } = poolOf(1, 100);
    await expect(pool.use(() => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong');
    expect(await pool.use(({ number }) => Promise.resolve(number))).toBe(1);
    expect(made()).toBe(1);
  });

  test('a session that cannot be made fails who asked for it, and costs the others no place', async () => {
    let failures = 2;
    const connect = async () => {
      await new Promise(setImmediate);
      if (failures-- > 0) throw new Error('no memory');
      return { isFull: () => false, close: () => Promise.resolve() };
    };
    const pool = createSessionPool(connect, 1);
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map((number) => pool.use(() => Promise.resolve(number))));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled', 'fulfilled']);
  });
});
