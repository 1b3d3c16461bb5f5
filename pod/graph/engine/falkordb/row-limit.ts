import { type Either, isLeft } from 'fp-ts/Either';
import { type CallFailure } from '../engine-failure';
import { type Connection } from './connection';

/** Runs an action while the server computes all rows of every query. */
export type WithoutRowLimit = <A>(use: () => Promise<A>) => Promise<A>;

/**
 * The server's limit of rows is one for all queries, so beside an export others may compute more rows than they answer.
 * Changes of it follow each other, each on a connection of its own: another may be busy for long. Throws when the limit
 * cannot be lifted.
 */
export const createRowLimit = (connect: () => Promise<Connection>, usualLimit: number): WithoutRowLimit => {
  let users = 0;
  let changed: Promise<unknown> = Promise.resolve();
  const change = (rows: number): Promise<Either<CallFailure, unknown>> => {
    const next = changed.then(async () => {
      const connection = await connect();
      const reply = await connection.send(['GRAPH.CONFIG', 'SET', 'RESULTSET_SIZE', String(rows)]);
      connection.close();
      return reply;
    });
    changed = next.catch(() => undefined);
    return next;
  };
  return async (use) => {
    users++;
    try {
      const lifted = await change(-1);
      if (isLeft(lifted)) throw new Error(`The server keeps its limit of rows: ${lifted.left.reason}`);
      return await use();
    } finally {
      users--;
      if (users === 0) void change(usualLimit).catch(() => undefined);
    }
  };
};
