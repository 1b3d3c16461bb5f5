import { type Either, left as failed, right as done } from 'fp-ts/Either';
import { type QueryEnd, queryEnd } from '../../../../../pod/graph/engine/duckdb/query-end';
import { SharedMemory } from '../../../../../pod/graph/engine/duckdb/shared-memory';
import { type QueryFailure } from '../../../../../pod/graph/engine/graph-engine';
import { left, right } from '../../support/loaded-engine';

const FULL = failed<QueryFailure>({ kind: 'memory' });

/** Attempts of one query, each of which ends when the test says how. */
const attempts = () => {
  const settle: ((answer: Either<QueryFailure, number>) => void)[] = [];
  return { settle, attempt: () => new Promise<Either<QueryFailure, number>>((resolve) => settle.push(resolve)) };
};

describe('queries that share the memory', () => {
  const memory = new SharedMemory();
  const controller = new AbortController();
  let end: QueryEnd;
  beforeEach(() => {
    jest.useFakeTimers();
    end = queryEnd({ text: '', parameters: {}, timeoutMs: 1_000 }, controller.signal);
  });
  afterEach(() => jest.useRealTimers());

  const settled = (): Promise<void> => jest.advanceTimersByTimeAsync(0);

  test('a query that finds it filled is repeated when an earlier query has ended', async () => {
    const [earlier, later] = [attempts(), attempts()];
    const first = memory.run(earlier.attempt, end);
    const second = memory.run(later.attempt, end);
    later.settle[0]?.(FULL);
    await settled();
    expect(later.settle).toHaveLength(1);
    earlier.settle[0]?.(done(1));
    expect(right(await first)).toBe(1);
    await settled();
    later.settle[1]?.(done(2));
    expect(right(await second)).toBe(2);
  });

  test('it is repeated when the rows of an earlier export have been read', async () => {
    let read = (): void => undefined;
    memory.uses(new Promise<void>((resolve) => (read = resolve)));
    const { settle, attempt } = attempts();
    const answer = memory.run(attempt, end);
    settle[0]?.(FULL);
    await settled();
    expect(settle).toHaveLength(1);
    read();
    await settled();
    settle[1]?.(done(3));
    expect(right(await answer)).toBe(3);
  });

  test('it fails for memory at its timeout when an earlier query still runs', async () => {
    const earlier = attempts();
    const first = memory.run(earlier.attempt, end);
    const second = memory.run(() => Promise.resolve(FULL), end);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(left(await second)).toEqual({ kind: 'memory' });
    earlier.settle[0]?.(done(1));
    await first;
  });

  test('it fails at once although later queries run', async () => {
    const [earlier, later] = [attempts(), attempts()];
    const first = memory.run(earlier.attempt, end);
    const second = memory.run(later.attempt, end);
    earlier.settle[0]?.(FULL);
    expect(left(await first)).toEqual({ kind: 'memory' });
    await settled();
    later.settle[0]?.(FULL);
    await settled();
    later.settle[1]?.(FULL);
    expect(left(await second)).toEqual({ kind: 'memory' });
  });

  test('it is abandoned with its client', async () => {
    const earlier = attempts();
    const first = memory.run(earlier.attempt, end);
    const second = memory.run(() => Promise.resolve(FULL), end);
    await settled();
    controller.abort();
    expect(left(await second)).toEqual({ kind: 'abandoned' });
    earlier.settle[0]?.(done(1));
    await first;
  });
});
