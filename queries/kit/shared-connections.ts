import { Client, type ClientConfig, DatabaseError, type QueryArrayConfig, type QueryArrayResult } from 'pg';

/**
 * A few connections shared by all statements. Each is sent at once, behind those that are under way, and answered in turn:
 * PostgreSQL finds the next one when it has answered the last, instead of waiting for us. For statements that are
 * quick and need no transaction: a slow one holds up those behind it.
 */
export interface SharedConnections {
  /** Rejects if the connection is lost, or if the answer does not come in time. */
  readonly query: <R extends unknown[]>(statement: QueryArrayConfig) => Promise<QueryArrayResult<R>>;
  /** Waits for the statements under way; those that are asked afterwards are rejected. */
  readonly end: () => Promise<void>;
}

interface Shared {
  readonly client: Promise<Client>;
  underWay: number;
}

/** `most` connections are opened, when they are needed; `log` is told when one of them is lost. */
export const shareConnections = (
  config: ClientConfig & { readonly most: number },
  log: (message: string) => void,
): SharedConnections => {
  const { most, ...ofClient } = config;
  const open = new Set<Shared>();
  let hasEnded = false;

  const connect = (): Shared => {
    const client = new Client({ ...ofClient, pipeline: true });
    const drop = (): void => void open.delete(shared);
    client.on('error', (error) => {
      drop();
      log(`A database connection was lost: ${error.message}`);
    });
    client.on('end', drop);
    const shared: Shared = { client: client.connect().then(() => client), underWay: 0 };
    shared.client.catch(drop);
    open.add(shared);
    return shared;
  };

  const leastBusy = (): Shared => {
    const [first = connect(), ...others] = open;
    const least = others.reduce((best, one) => (one.underWay < best.underWay ? one : best), first);
    return least.underWay > 0 && open.size < most ? connect() : least;
  };

  return {
    query: async <R extends unknown[]>(statement: QueryArrayConfig) => {
      if (hasEnded) throw new Error('Connection ended: no statements are taken any more.');
      const shared = leastBusy();
      shared.underWay += 1;
      try {
        return await (await shared.client).query<R>(statement);
      } catch (error) {
        // All but an error in the statement itself ends the connection.
        if (!(error instanceof DatabaseError && error.severity === 'ERROR')) open.delete(shared);
        throw error;
      } finally {
        shared.underWay -= 1;
      }
    },
    end: async () => {
      hasEnded = true;
      await Promise.allSettled([...open].map(async ({ client }) => (await client).end()));
    },
  };
};
