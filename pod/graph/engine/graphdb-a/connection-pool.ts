import { type Connection } from 'kuzu';

/** Connections of one database, each used by one query at a time. */
export interface ConnectionPool {
  /** Runs an action with a free connection, waiting for one if need be. */
  readonly use: <A>(action: (connection: Connection) => Promise<A>) => Promise<A>;
}

export const createConnectionPool = (connect: () => Promise<Connection>, size: number): ConnectionPool => {
  const free: Connection[] = [];
  const waiting: ((connection: Connection) => void)[] = [];
  let made = 0;

  const take = async (): Promise<Connection> => {
    const connection = free.pop();
    if (connection !== undefined) return connection;
    if (made < size) {
      made++;
      return connect();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };

  return {
    use: async (action) => {
      const connection = await take();
      try {
        return await action(connection);
      } finally {
        const next = waiting.shift();
        if (next === undefined) free.push(connection);
        else next(connection);
      }
    },
  };
};
