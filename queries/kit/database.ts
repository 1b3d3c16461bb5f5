import { availableParallelism } from 'node:os';
import { types } from 'node:util';
import { knex, type Knex } from 'knex';
import { types as columnTypes } from 'pg';
import { type SharedConnections, shareConnections } from './shared-connections';

/** The read side's view of PostgreSQL. */
export interface ReadDatabase extends Knex {
  /** For statements that are prepared once on each connection, and planned once whatever their values. */
  readonly prepared: SharedConnections;
}

/** More than the processors can serve at once would only take turns, and each plans prepared statements for itself. */
const MOST_CONNECTIONS = Math.max(4, 2 * availableParallelism());
const CONNECT_WITHIN_MS = 5000;
const ANSWER_WITHIN_MS = 10_000;

/** Opens the read side's own connections; `log` takes what goes wrong with them. End them with `destroy()`. */
export const openReadDatabase = (
  connectionString: string,
  log: (message: string) => void = () => undefined,
): ReadDatabase => {
  const builder = knex({
    client: 'pg',
    connection: { connectionString, types: { getTypeParser } },
    pool: { min: 0, max: MOST_CONNECTIONS },
    acquireConnectionTimeout: CONNECT_WITHIN_MS,
    log: { warn: log, error: log, deprecate: log, debug: log },
  });
  const prepared = openPrepared(connectionString, log);
  const destroyBuilder = builder.destroy.bind(builder);
  const destroy = async (): Promise<void> => {
    await Promise.all([destroyBuilder(), prepared.end()]);
  };
  return Object.defineProperties(builder as ReadDatabase, {
    prepared: { value: prepared },
    destroy: { value: destroy },
  });
};

/** Columns arrive as answers tell them: ids, counts and sizes as numbers, which hold them exactly; times as ISO 8601 text. */
const getTypeParser = (type: Parameters<typeof columnTypes.getTypeParser>[0]): ((text: string) => unknown) => {
  if (type === columnTypes.builtins.INT8) return Number;
  const parse = columnTypes.getTypeParser(type) as (text: string) => unknown;
  if (type !== columnTypes.builtins.TIMESTAMPTZ) return parse;
  return (text) => (parse(text) as Date).toISOString();
};

const openPrepared = (connectionString: string, log: (message: string) => void): SharedConnections =>
  shareConnections(
    {
      connectionString,
      // One more than can be answered at once, so that a slow statement does not hold up all others.
      most: 1 + availableParallelism(),
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
      query_timeout: ANSWER_WITHIN_MS,
      // Otherwise the first five uses are planned by their values, and often all that follow.
      options: '-c plan_cache_mode=force_generic_plan',
    },
    log,
  );

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
