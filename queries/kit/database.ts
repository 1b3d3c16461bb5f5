import { types } from 'node:util';
import { type Knex, knex } from 'knex';
import { type ClientBase, type ClientConfig, types as columnTypes } from 'pg';

/** The read connection to PostgreSQL. */
export type ReadDatabase = Knex;

/** Number of connections, and time limits for a connection and for a statement. */
interface ReadLimits {
  readonly max: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
}
const FEW: ReadLimits = { max: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 };

/** The connection settings, and the setup of a new connection. */
interface ReadConnection {
  readonly config: ClientConfig;
  readonly prepare: (client: ClientBase, statementTimeoutMs: number) => Promise<void>;
}

/** Projections that fill temporary tables send several statements at once. The types of knex do not have it. */
const PIPELINE = { pipeline: true };

/** Opens the connections of the read side; their errors go to `log`. Close them with `destroy()`. */
export const openReadDatabase = (
  { config, prepare }: ReadConnection,
  log: (message: string) => void = () => undefined,
  { max, connectTimeoutMs, statementTimeoutMs }: ReadLimits = FEW,
): ReadDatabase =>
  knex({
    client: 'pg',
    connection: { ...config, query_timeout: statementTimeoutMs, types: { getTypeParser }, ...PIPELINE },
    pool: {
      min: 0,
      max,
      afterCreate: (client: ClientBase, done: (error: unknown, client: ClientBase) => void): void =>
        void prepare(client, statementTimeoutMs).then(
          () => done(null, client),
          (error: unknown) => done(error, client),
        ),
    },
    acquireConnectionTimeout: connectTimeoutMs,
    // Error messages contain the statement, without its values.
    compileSqlOnError: false,
    log: { warn: log, error: log, deprecate: log, debug: log },
  });

/**
 * Converts columns to the types of responses: ids, counts and sizes to numbers, which are exact; times to ISO 8601
 * text.
 */
const getTypeParser = (type: Parameters<typeof columnTypes.getTypeParser>[0]): ((text: string) => unknown) => {
  if (type === columnTypes.builtins.INT8) return Number;
  const parse = columnTypes.getTypeParser(type) as (text: string) => unknown;
  if (type !== columnTypes.builtins.TIMESTAMPTZ) return parse;
  return (text) => (parse(text) as Date).toISOString();
};

/** The connections of a `ReadDatabase`, which its type leaves open. */
interface ConnectionSource {
  readonly acquireConnection: () => Promise<ClientBase>;
  readonly releaseConnection: (client: ClientBase) => Promise<void>;
}

/** Runs work on one connection and on queries over it, in a transaction that is rolled back at the end. */
export const withRolledBack = async <A>(
  db: ReadDatabase,
  work: (client: ClientBase, db: ReadDatabase) => Promise<A>,
): Promise<A> => {
  const connections = db.client as ConnectionSource;
  const client = await connections.acquireConnection();
  try {
    const transaction = await db.transaction({ connection: client });
    try {
      return await work(client, transaction);
    } finally {
      await transaction.rollback();
    }
  } finally {
    await connections.releaseConnection(client);
  }
};

/** Errors of sockets, of the name service and of TLS. */
const NETWORK =
  /^(ECONN\w+|E(HOST|NET)\w+|EPIPE|EPROTO|ETIMEDOUT|ENOTFOUND|EAI_\w+|CERT_\w+|\w+_CERT(_\w+)?|UNABLE_TO_\w+|ERR_(TLS|SSL)_\w+)$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Lost connections, a server that shuts down, lacks resources or cannot write, and logins that it rejects. */
const SQLSTATE_LOST = /^(08...|28...|3D000|53...|57P0[1-5]|58030|25006)$/;
const CLIENT_WORDS =
  /connection (terminated|ended|error)|does not support SSL|query read timeout|timeout (expired|exceeded when trying to connect)|acquiring a connection/i;

/** Whether a statement failed because the database is unreachable or cannot write, so that a retry may succeed. */
export const isDatabaseAway = (error: unknown): boolean => {
  if (!types.isNativeError(error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // Errors of the server have a code; their message contains the statement and may match anything.
  return SQLSTATE.test(code) ? SQLSTATE_LOST.test(code) : NETWORK.test(code) || CLIENT_WORDS.test(error.message);
};
