import { isLeft } from 'fp-ts/Either';
import { createSchemaRefresh, type SchemaRefresh } from '../../commands/jobs/refresh-schema-cache';
import { type EngineInspector } from '../../domain/ports/query-engine';
import { CONNECTIONS, createPool } from '../postgres/pool';
import { createPostgresSchemaCache } from '../postgres/postgres-schema-cache';
import { systemClock } from '../system/system-clock';
import { uuids } from '../system/uuids';
import { type Startup } from './startup';

export interface OpenedSchemaCache {
  readonly refresh: SchemaRefresh;
  /** Starts a refresh in the background, whose end is logged. */
  start(): 'started' | 'already_running';
}

/** Opens the schema cache and answers for closing the engine. What the configured allow-list does not let through is gone when this returns. */
export const openSchemaCache = async (
  connectionString: string,
  engine: EngineInspector & { close(): Promise<void> },
  { settings, closers, log }: Startup,
): Promise<OpenedSchemaCache> => {
  const pool = createPool({
    ...CONNECTIONS.schemaCache,
    connectionString,
    connectTimeoutMs: settings.databaseConnectTimeoutMs,
    log: (message) => log.warn(message),
  });
  const { allowedCatalogs: allowList } = settings;
  const cache = createPostgresSchemaCache(pool, uuids.uuid);
  const refresh = createSchemaRefresh({ engine, cache, clock: systemClock, allowList });
  const ending = new AbortController();

  const start = (): 'started' | 'already_running' => {
    const { status, ended } = refresh.start(ending.signal);
    if (status === 'already_running') return status;
    void ended.then((result) => {
      if (isLeft(result)) log.warn({ reason: result.left.message }, 'the schema cache could not be refreshed');
      else log.info(result.right, 'the schema cache has been refreshed');
    });
    return status;
  };

  closers.add('schema cache', async () => {
    await refresh.settled();
    await pool.end();
  });
  // Closed before the cache, so that a refresh under way has nothing to wait for.
  closers.add('query engine', () => {
    ending.abort();
    return engine.close();
  });
  if (await cache.adoptAllowList(allowList)) start();
  return { refresh, start };
};
