import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { mapLeft } from '../../domain/kernel/either';
import { type EngineCatalog, type QueryEngine, type QueryEngineError } from '../../domain/ports/query-engine';
import { relativePaths } from '../system/relative-paths';
import { createCatalogBrowser } from './catalog-browser';
import { DuckdbExports } from './duckdb-exports';
import { OpeningFiles } from './opening-files';
import { describeQuery } from './prepared-query';
import { WarehouseSessions, type WarehouseSettings } from './warehouse-sessions';

export interface DuckdbQueryEngineSettings extends Partial<Pick<WarehouseSettings, 'leftOut'>> {
  /**
   * Read, never written: `<catalog>.duckdb`, `<catalog>/<schema>/<table>.parquet`, `.csv` or `.tsv`, and folders
   * `<catalog>/<schema>/<table>` of Parquet files or `<key>=<value>/*.parquet`.
   */
  readonly warehouseDirectory: string;
  /** A folder for running exports and spill files; the engine uses its own subfolder. */
  readonly scratchDirectory: string;
  /** A folder that all processes with this warehouse share, for what is decided about CSV files at a refresh. */
  readonly layoutDirectory?: string | undefined;
  /** Time that a call waits until it is decided how new CSV files are read; then it continues without them. Default: any. */
  readonly decideWithinMs?: number;
  /** Called with the files that are being opened whenever they change, the first begun first. */
  readonly onOpening?: (paths: readonly string[]) => void;
  /** Total of all queries of this engine. */
  readonly memoryLimitMb: number;
  /** Total of all queries of this engine. */
  readonly threads: number;
  /** Whether error messages may contain catalogs and tables that the query does not name. Default: true. */
  readonly hints?: boolean;
  /** Time without queries after which warehouse files are closed, so that other programs can write to them. */
  readonly detachAfterMs?: number;
}

const DETACH_AFTER_MS = 10_000;

/** The embedded query engine. `close` cancels running queries and removes the scratch files. */
export type DuckdbQueryEngine = QueryEngine & { close(): Promise<void> };

/**
 * Opens the embedded query engine on a warehouse folder. Users' SQL runs in a sandbox (see `openSandbox`); the next
 * query uses new and changed files. Fails if one of the folders is not usable.
 */
export const createDuckdbQueryEngine = async (
  settings: DuckdbQueryEngineSettings,
): Promise<Either<QueryEngineError, DuckdbQueryEngine>> => {
  const own = await makeScratch(resolve(settings.scratchDirectory));
  if (isLeft(own)) return own;
  const exportDirectory = join(own.right, 'exports');
  const warehouse = new WarehouseSessions(resolve(settings.warehouseDirectory), {
    exportDirectory,
    spillDirectory: join(own.right, 'spill'),
    layoutDirectory: settings.layoutDirectory ?? join(own.right, 'csv-layouts'),
    decideWithinMs: settings.decideWithinMs ?? null,
    isLayoutShared: settings.layoutDirectory !== undefined,
    memoryLimitMb: settings.memoryLimitMb,
    threads: settings.threads,
    leftOut: settings.leftOut ?? (() => Promise.resolve([])),
    opening: new OpeningFiles(settings.onOpening ?? (() => undefined)),
    hints: settings.hints ?? true,
    detachAfterMs: settings.detachAfterMs ?? DETACH_AFTER_MS,
  });
  const exports = new DuckdbExports(warehouse, exportDirectory);

  const close = async (): Promise<void> => {
    await exports.cancelAll();
    await warehouse.close();
    await rm(own.right, { recursive: true, force: true });
  };

  const opened = await warehouse.ping();
  if (isLeft(opened)) {
    await close();
    return opened;
  }
  const describe: QueryEngine['describe'] = async (sql, catalog = null) => {
    const session = await warehouse.open(catalog, sql);
    if (isLeft(session)) return session;
    const columns = await describeQuery(session.right, sql);
    session.right.release();
    return isLeft(columns) ? columns : right(columns.right.map(({ name, type }) => ({ name, type })));
  };
  const browser = createCatalogBrowser(warehouse);
  const shorten = relativePaths({ warehouse: settings.warehouseDirectory, scratch: settings.scratchDirectory });
  const shortened = async <A>(answer: Promise<Either<QueryEngineError, A>>): Promise<Either<QueryEngineError, A>> =>
    mapLeft(await answer, (error) => ({ ...error, message: shorten(error.message) }));
  return right({
    listCatalogs: async () => {
      const catalogs = await shortened(browser.listCatalogs());
      if (isLeft(catalogs)) return catalogs;
      return right(catalogs.right.map((catalog) => shortenedCatalog(catalog, shorten)));
    },
    listSchemas: (catalog) => shortened(browser.listSchemas(catalog)),
    listTables: (catalog, schema, after) => shortened(browser.listTables(catalog, schema, after)),
    sampleRows: (path, limit, user) => shortened(browser.sampleRows(path, limit, user)),
    tablesOf: (sql) => shortened(browser.tablesOf(sql)),
    ping: () => shortened(warehouse.ping()),
    refresh: () => shortened(warehouse.refresh()),
    describe: (sql, catalog) => shortened(describe(sql, catalog)),
    submitExport: (request) => shortened(exports.submit(request)),
    pollExport: (nextUri) => shortened(exports.poll(nextUri)),
    cancelExport: async (nextUri) => right(await exports.cancel(nextUri)),
    close,
  });
};

const shortenedCatalog = (
  { name, problem, skipped }: EngineCatalog,
  shorten: (text: string) => string,
): EngineCatalog => ({ name, problem: problem && shorten(problem), skipped: skipped && shorten(skipped) });

const makeScratch = async (directory: string): Promise<Either<QueryEngineError, string>> => {
  try {
    await mkdir(directory, { recursive: true });
    const own = await mkdtemp(join(directory, 'duckdb-'));
    await mkdir(join(own, 'exports'));
    return right(own);
  } catch (error) {
    return left({ kind: 'unavailable', message: `the scratch folder ${directory} cannot be used: ${String(error)}` });
  }
};
