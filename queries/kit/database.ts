import { types } from 'node:util';
import { knex, type Knex } from 'knex';
import { types as columnTypes } from 'pg';

/** The read side's view of PostgreSQL. */
export type ReadDatabase = Knex;

/** Number of connections, and time limits for a connection and for a statement. */
interface ReadLimits {
  readonly max: number;
  readonly connectTimeoutMs: number;
  readonly statementTimeoutMs: number;
}
const FEW: ReadLimits = { max: 4, connectTimeoutMs: 5_000, statementTimeoutMs: 10_000 };

/** Opens the read side's own connections; `log` takes what goes wrong with them. End them with `destroy()`. */
export const openReadDatabase = (
  connectionString: string,
  log: (message: string) => void = () => undefined,
  { max, connectTimeoutMs, statementTimeoutMs }: ReadLimits = FEW,
): ReadDatabase =>
  knex({
    client: 'pg',
    connection: { connectionString, query_timeout: statementTimeoutMs, types: { getTypeParser } },
    pool: { min: 0, max },
    acquireConnectionTimeout: connectTimeoutMs,
    // Messages of errors hold the statement, without its values.
    compileSqlOnError: false,
    log: { warn: log, error: log, deprecate: log, debug: log },
  });

/** Columns arrive as answers have them: ids, counts and sizes as numbers, which hold them exactly; times as ISO 8601 text. */
const getTypeParser = (type: Parameters<typeof columnTypes.getTypeParser>[0]): ((text: string) => unknown) => {
  if (type === columnTypes.builtins.INT8) return Number;
  const parse = columnTypes.getTypeParser(type) as (text: string) => unknown;
  if (type !== columnTypes.builtins.TIMESTAMPTZ) return parse;
  return (text) => (parse(text) as Date).toISOString();
};

const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
/** Lost connections, a server that stops, and one that cannot write. */
const SQLSTATE_LOST = /^(08...|57P0[1-5]|53100|58030|25006)$/;
const CLIENT_WORDS =
  /connection (terminated|ended|error)|query read timeout|timeout (expired|exceeded when trying to connect)|acquiring a connection/i;

/** Whether a statement failed because the database could not be reached, went away or cannot write, so that it may succeed later. */
export const isDatabaseAway = (error: unknown): boolean => {
  if (!types.isNativeError(error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // The server's own errors have a code; their message holds the statement, with any words.
  return SQLSTATE.test(code) ? SQLSTATE_LOST.test(code) : NETWORK.test(code) || CLIENT_WORDS.test(error.message);
};
