import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type DomainError, domainError, unavailable } from '../../domain/kernel/errors';
import { type Clock } from '../../domain/ports/clock';
import { type EngineCatalog, type EngineInspector, type QueryEngineError } from '../../domain/ports/query-engine';
import { type CachedCounts, type SchemaCache, type SchemaPage } from '../../domain/ports/schema-cache';
import { type AllowList, isCacheableName } from '../../domain/schema-cache';
import { refusalOfEngine } from '../../domain/sql/check-query';
import { type Job, type JobResult } from './job';

export interface SchemaCachePorts {
  readonly engine: EngineInspector;
  readonly cache: SchemaCache;
  readonly clock: Clock;
  readonly allowList: AllowList;
}

export interface SchemaRefresh {
  /** The refresh as a background job. */
  readonly job: Job;
  /** Starts a refresh, or has the one in progress begin again when it ends. `ended` never rejects. */
  start(signal: AbortSignal): {
    readonly status: 'started' | 'already_running';
    readonly ended: Promise<Either<DomainError, JobResult>>;
  };
  /** Resolves when no refresh runs. */
  settled(): Promise<unknown>;
}

/**
 * Reads the allowed part of the query engine's catalogs into the cache, one catalog after the other. Unreadable parts
 * keep their cached content and make the run a failure that names them; catalogs that the engine no longer has are
 * removed.
 */
export const createSchemaRefresh = (ports: SchemaCachePorts): SchemaRefresh => {
  let running: Promise<Either<DomainError, JobResult>> | null = null;
  let requests = 0;
  const refreshUntilCurrent = async (signal: AbortSignal): Promise<Either<DomainError, JobResult>> => {
    for (;;) {
      const answered = requests;
      const result = await refresh(ports, signal);
      if (requests === answered || signal.aborted) return result;
    }
  };
  const start: SchemaRefresh['start'] = (signal) => {
    // Files that came since it began are read as well.
    requests += 1;
    if (running !== null) return { status: 'already_running', ended: running };
    running = refreshUntilCurrent(signal)
      .catch((error: unknown) => left(unavailable('The database of the schema cache', String(error))))
      .finally(() => (running = null));
    return { status: 'started', ended: running };
  };
  return {
    start,
    settled: () => running ?? Promise.resolve(),
    job: { name: 'schema_cache', run: ({ signal }) => endedOrStopped(start(signal).ended, signal) },
  };
};

const refresh = async (ports: SchemaCachePorts, signal: AbortSignal): Promise<Either<DomainError, JobResult>> => {
  const startedAt = ports.clock.now();
  const refreshed = await ports.engine.refresh();
  const listed = isLeft(refreshed) ? refreshed : await ports.engine.listCatalogs();
  if (isLeft(listed)) {
    const failure = refusalOfEngine(listed.left, 'Its catalogs could not be listed');
    if (!signal.aborted) await ports.cache.failRefresh(failure.message, startedAt);
    return left(failure);
  }
  const catalogs = listed.right.filter(({ name }) => isCacheableName(name) && ports.allowList.allowsCatalog(name));
  const problems: string[] = [];
  const total = { tables: 0, columns: 0 };
  for (const catalog of catalogs) {
    if (signal.aborted) break;
    const read = await refreshCatalog(ports, catalog, signal);
    const problem = isLeft(read) ? read.left.message : catalog.problem;
    if (problem !== null) problems.push(`catalog ${catalog.name}: ${problem.replaceAll('\n', '; ')}`);
    if (isLeft(read)) continue;
    total.tables += read.right.tables;
    total.columns += read.right.columns;
  }
  if (signal.aborted) return left(STOPPED);
  const forgotten = await ports.cache.finishRefresh(
    catalogs.map(({ name }) => name),
    startedAt,
  );
  if (problems.length > 0) {
    const message = `The schema cache was refreshed only in part; the rest keeps its old content. ${problems.join('; ')}.`;
    return left(domainError('QUERYENGINE_ERROR', message, { catalogs: problems }));
  }
  return right({ catalogs: catalogs.length, ...total, catalogs_forgotten: forgotten });
};

const STOPPED = domainError('SERVICE_UNAVAILABLE', 'The refresh of the schema cache was stopped');

/** Resolves immediately on a stop; the running call ends later. */
const endedOrStopped = async <A>(
  ended: Promise<Either<DomainError, A>>,
  signal: AbortSignal,
): Promise<Either<DomainError, A>> => {
  if (signal.aborted) return left(STOPPED);
  let stop = (): void => undefined;
  const stopped = new Promise<Either<DomainError, A>>((resolve) => (stop = () => resolve(left(STOPPED))));
  signal.addEventListener('abort', stop);
  const outcome = await Promise.race([ended, stopped]);
  signal.removeEventListener('abort', stop);
  return outcome;
};

const refreshCatalog = (
  { engine, cache, clock, allowList }: SchemaCachePorts,
  { name: catalog, problem, skipped }: EngineCatalog,
  signal: AbortSignal,
): Promise<Either<QueryEngineError, CachedCounts>> =>
  cache.replaceCatalog(
    {
      catalog,
      readAt: clock.now(),
      problem: problem === null || skipped === null ? (problem ?? skipped) : `${problem}\n${skipped}`,
      isComplete: problem === null,
    },
    pagesOf(engine, catalog, (schema) => isCacheableName(schema) && allowList.allowsSchema(catalog, schema), signal),
  );

/** The tables of a catalog, page by page, up to the first failure. */
async function* pagesOf(
  engine: EngineInspector,
  catalog: string,
  isWanted: (schema: string) => boolean,
  signal: AbortSignal,
): AsyncGenerator<Either<QueryEngineError, SchemaPage>> {
  const schemas = await engine.listSchemas(catalog);
  if (isLeft(schemas)) {
    yield schemas;
    return;
  }
  for (const schema of schemas.right.filter(isWanted)) {
    let after: string | null = null;
    for (;;) {
      const page: Awaited<ReturnType<EngineInspector['listTables']>> = signal.aborted
        ? left({ kind: 'unavailable', message: STOPPED.message })
        : await engine.listTables(catalog, schema, after);
      if (isLeft(page)) {
        yield page;
        return;
      }
      const last = page.right.at(-1);
      if (last === undefined) break;
      after = last.name;
      yield right({ schema, tables: page.right.filter(({ name }) => isCacheableName(name)).map(cacheable) });
    }
  }
}

const cacheable = (table: SchemaPage['tables'][number]): SchemaPage['tables'][number] => ({
  ...table,
  columns: table.columns.filter(({ name }) => isCacheableName(name)),
});
