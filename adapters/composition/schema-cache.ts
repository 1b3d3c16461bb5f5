import { isLeft } from 'fp-ts/Either';
import { type Logger } from 'pino';
import { createSchemaRefresh, type SchemaRefresh } from '../../commands/jobs/refresh-schema-cache';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { createPool } from '../postgres/pool';
import { createPostgresSchemaCache } from '../postgres/postgres-schema-cache';
import { systemClock } from '../system/system-clock';
import { uuids } from '../system/uuids';
import { type Closers } from './closers';
import { type Settings } from './settings';

export interface OpenedSchemaCache {
  readonly refresh: SchemaRefresh;
  /** Starts a refresh in the background, whose end is logged. */
  start(): 'started' | 'already_running';
}

/** Opens the schema cache. What the configured allow-list does not let through is gone when this returns. */
export const openSchemaCache = async (
  settings: Settings,
  connectionString: string,
  engine: EngineInspector,
  closers: Closers,
  log: Logger,
): Promise<OpenedSchemaCache> => {
  const pool = createPool({ connectionString, max: 2, statementTimeoutMs: 0, log: (message) => log.warn(message) });
  const { allowedCatalogs: allowList } = settings;
  const cache = createPostgresSchemaCache(pool, uuids.uuid);
  const refresh = createSchemaRefresh({ engine, cache, clock: systemClock, allowList });
  const ending = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  const start = (): 'started' | 'already_running' => {
    const { status, ended } = refresh.start(ending.signal);
    running = ended;
    if (status === 'already_running') return status;
    void ended.then((result) => {
      if (isLeft(result)) log.warn({ reason: result.left.message }, 'the schema cache could not be refreshed');
      else log.info(result.right, 'the schema cache has been refreshed');
    });
    return status;
  };

  closers.add('schema cache', async () => {
    ending.abort();
    await running;
    await pool.end();
  });
  if (await cache.adoptAllowList(allowList)) start();
  return { refresh, start };
};
