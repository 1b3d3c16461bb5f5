import { availableParallelism } from 'node:os';
import { types } from 'node:util';
import { knex, type Knex } from 'knex';

/** The read side's view of PostgreSQL. */
export type ReadDatabase = Knex;

/** More than the processors can serve at once would only take turns. */
const MAX_CONNECTIONS = Math.max(4, 2 * availableParallelism());
const CONNECT_WITHIN_MS = 5000;
const ANSWER_WITHIN_MS = 10_000;

/** Opens the read side's own connections; `log` takes what goes wrong with them. End them with `destroy()`. */
export const openReadDatabase = (
  connectionString: string,
  log: (message: string) => void = () => undefined,
): ReadDatabase =>
  knex({
    client: 'pg',
    connection: { connectionString, query_timeout: ANSWER_WITHIN_MS },
    pool: { min: 0, max: MAX_CONNECTIONS },
    acquireConnectionTimeout: CONNECT_WITHIN_MS,
    log: { warn: log, error: log, deprecate: log, debug: log },
  });

const NETWORK = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;
const SQLSTATE_LOST = /^(08...|57P0[1-5])$/;
const CLIENT_WORDS =
  /connection (terminated|ended|error)|query read timeout|timeout (expired|exceeded when trying to connect)|acquiring a connection/i;

/** Whether a statement failed because the database could not be reached or went away, so that it may succeed later. */
export const isDatabaseAway = (error: unknown): boolean => {
  if (!types.isNativeError(error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return NETWORK.test(code) || SQLSTATE_LOST.test(code) || CLIENT_WORDS.test(error.message);
};

/** `bigint` columns arrive as text, because they may exceed what a number holds exactly; ids and sizes here do not. */
export const toNumber = (value: string | number): number => Number(value);
export const toNumberOrNull = (value: string | number | null): number | null => (value === null ? null : Number(value));
export const toTimestamp = (value: Date): string => value.toISOString();
export const toTimestampOrNull = (value: Date | null): string | null => value?.toISOString() ?? null;
