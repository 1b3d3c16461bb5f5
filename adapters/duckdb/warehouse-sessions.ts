import { parse, sep } from 'node:path';
import { type DuckDBConnection } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { namedTables, possibleTables } from '../../domain/sql/named-tables';
import { isErrno } from '../filesystem/durable-write';
import { CsvLayouts, type CsvLayoutSettings } from './csv/csv-layouts';
import { isFatalError, readFailure } from './duckdb-error';
import { openSandbox, type Sandbox, type SandboxSettings, type WarehouseProblem } from './duckdb-sandbox';
import { type ParquetChecks } from './read-parquet';
import { sqlName } from './sql-text';
import { catalogOfViews } from './used-views';
import {
  csvFiles,
  type DatabaseFile,
  hasChanged,
  scanWarehouse,
  type TableFile,
  type WarehouseFiles,
} from './warehouse-files';

/** A connection to the warehouse for one task. */
export interface Session {
  readonly connection: DuckDBConnection;
  readonly catalogs: readonly string[];
  /** Why catalogs or tables are missing. */
  readonly problems: readonly WarehouseProblem[];
  readonly files: Pick<WarehouseFiles, 'databases' | 'tables' | 'skipped'>;
  /** The catalog of names without one. */
  readonly catalog: string | null;
  /** Whether error messages may name catalogs and tables that a query does not name. */
  readonly hints: boolean;
  /** Releases the connection. `broken`: DuckDB failed internally, and the sandbox is not reused. */
  release(broken?: boolean): void;
}

/** Delay before a retry of a file that could not be opened (a program was writing to it). */
const RETRY_PROBLEMS_MS = 5_000;

interface SharedSandbox extends Sandbox, Pick<Session, 'files'> {
  readonly fingerprint: string;
  readonly openedAtMs: number;
  sessions: number;
  retired: boolean;
}

export interface WarehouseSettings extends SandboxSettings, CsvLayoutSettings, Pick<Session, 'hints'> {
  /** Time without sessions after which the files are closed, so that other programs can write to them. */
  readonly detachAfterMs: number;
  /** The files that are left out, because opening them ended a process. */
  readonly leftOut: () => Promise<readonly string[]>;
}

/**
 * Sessions on a warehouse folder that follows its files: before each session the folder is scanned, and after a change
 * new sessions get a new sandbox while the old one finishes its sessions. DuckDB locks each attached file; so the files
 * are closed after some time without sessions and attached again for the next one.
 */
export class WarehouseSessions {
  #current: SharedSandbox | null = null;
  #idle: NodeJS.Timeout | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #layouts: CsvLayouts;
  /** What was found out about Parquet files. */
  readonly #parquetChecks: ParquetChecks = new Map();

  constructor(
    private readonly directory: string,
    private readonly settings: WarehouseSettings,
  ) {
    this.#layouts = new CsvLayouts(settings);
  }

  /**
   * Opens a session on the current warehouse, for a query if one is given. Unqualified names refer to `catalog`, or to
   * the only one there is.
   */
  async open(catalog: string | null, sql = ''): Promise<Either<QueryEngineError, Session>> {
    let session: Session | null = null;
    try {
      session = await this.#inTurn(() => this.#enter());
      const used = await useCatalog(session, catalog, sql);
      if (isLeft(used)) session.release();
      return used;
    } catch (error) {
      session?.release(isFatalError(readFailure(error)));
      return left(this.#unavailable(error));
    }
  }

  /** Whether the folder is readable, without opening files. */
  async ping(): Promise<Either<QueryEngineError, void>> {
    try {
      await scanWarehouse(this.directory);
      return right(undefined);
    } catch (error) {
      return left(this.#unavailable(error));
    }
  }

  /** Decides again how changed CSV files are read. */
  async refresh(): Promise<Either<QueryEngineError, void>> {
    try {
      await this.#inTurn(async () => {
        const files = csvFiles(await scanWarehouse(this.directory), await this.settings.leftOut());
        await this.#layouts.of(files, true);
      });
      return right(undefined);
    } catch (error) {
      return left(this.#unavailable(error));
    }
  }

  /** Closes the warehouse once the last session has been released. */
  async close(): Promise<void> {
    await this.#queue;
    if (this.#current !== null) this.#retire(this.#current);
  }

  #inTurn<A>(work: () => Promise<A>): Promise<A> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  async #enter(): Promise<Session> {
    const sandbox = await this.#refresh();
    sandbox.sessions += 1;
    clearTimeout(this.#idle);
    const connection = await sandbox.instance.connect().catch((error: unknown) => {
      this.#leave(sandbox, true);
      throw error;
    });
    return {
      connection,
      catalogs: sandbox.catalogs,
      problems: sandbox.problems,
      files: sandbox.files,
      catalog: null,
      hints: this.settings.hints,
      release: (broken = false) => {
        connection.closeSync();
        this.#leave(sandbox, broken);
      },
    };
  }

  #leave(sandbox: SharedSandbox, broken: boolean): void {
    sandbox.sessions -= 1;
    if (broken) return this.#retire(sandbox);
    closeIfUnused(sandbox);
    if (sandbox !== this.#current || sandbox.sessions > 0) return;
    this.#idle = setTimeout(() => this.#retire(sandbox), this.settings.detachAfterMs).unref();
  }

  async #refresh(): Promise<SharedSandbox> {
    const files = await scanWarehouse(this.directory);
    const leftOut = await this.settings.leftOut();
    const layouts = await this.#layouts.of(csvFiles(files, leftOut));
    const fingerprint = files.fingerprint + JSON.stringify([...layouts.values(), leftOut]);
    if (this.#current !== null && isFresh(this.#current, fingerprint)) return this.#current;
    const opened = await openSandbox(files, layouts, leftOut, this.#parquetChecks, this.settings);
    if (this.#current !== null) this.#retire(this.#current);
    this.#current = { ...opened, files, fingerprint, openedAtMs: performance.now(), sessions: 0, retired: false };
    return this.#current;
  }

  #retire(sandbox: SharedSandbox): void {
    if (sandbox === this.#current) {
      this.#current = null;
      clearTimeout(this.#idle);
    }
    sandbox.retired = true;
    closeIfUnused(sandbox);
  }

  #unavailable(error: unknown): QueryEngineError {
    const message = isErrno(error, 'ENOENT')
      ? `the warehouse ${this.directory} does not exist; create this folder, or correct ROWGRAPH_WAREHOUSE_DIR`
      : `the warehouse ${this.directory} cannot be opened: ${String(error)}`;
    return { kind: 'unavailable', message };
  }
}

const closeIfUnused = (sandbox: SharedSandbox): void => {
  if (sandbox.retired && sandbox.sessions === 0) sandbox.instance.closeSync();
};

const isFresh = (sandbox: SharedSandbox, fingerprint: string): boolean =>
  sandbox.fingerprint === fingerprint &&
  (sandbox.problems.length === 0 || performance.now() - sandbox.openedAtMs < RETRY_PROBLEMS_MS);

const useCatalog = async (
  session: Session,
  wanted: string | null,
  sql: string,
): Promise<Either<QueryEngineError, Session>> => {
  const catalog = wanted ?? (session.catalogs.length === 1 ? session.catalogs[0] : undefined) ?? null;
  if (catalog !== null && !session.catalogs.includes(catalog)) {
    const message = `unknown catalog "${catalog}"${catalogHint(session, sql)}`;
    return left({ kind: 'invalid_sql', message, position: null });
  }
  const ofViews = await catalogOfViews(session.connection, sql, catalog, session.hints);
  if (isLeft(ofViews)) return ofViews;
  const used = ofViews.right ?? catalog;
  if (used !== null) await session.connection.run(`USE ${sqlName(used)}`);
  return right({ ...session, catalog: used });
};

/** The catalogs of a session, and why a table that a query names is not read, for an error message; empty without hints. */
export const catalogHint = ({ catalogs, problems, files, hints }: Session, sql: string): string => {
  if (!hints) return '';
  const paths = possibleTables(sql).map((path) => path.map((name) => name.toLowerCase()));
  const isIn = (path: readonly string[], catalog: string): boolean =>
    path[0] === catalog.toLowerCase() || (path.length < 3 && catalogs.length < 2);
  const isNamed = (catalog: string, table: string | null): boolean =>
    paths.some((path) =>
      table === null
        ? isIn(path, catalog)
        : path.at(-1) === table.toLowerCase() && (path.length === 1 || isIn(path, catalog)),
    );
  const reasons = problems.filter(({ catalog, table }) => isNamed(catalog, table)).map(({ message }) => message);
  const file = files.skipped.find(({ catalog, path }) => {
    const [, table = ''] = path.split(`${sep}${catalog}${sep}`).at(-1)?.split(sep) ?? [];
    return isNamed(catalog, parse(table).name);
  });
  if (file !== undefined) reasons.push(`${file.path} is not read: ${file.reason}`);
  return ['', `the catalogs are: ${catalogs.join(', ') || 'none'}`, ...reasons].join('; ');
};

const MAX_NAMED = 5;

/** The tables that a query names, each with its file, for an error message. */
export const tablesWithFiles = (session: Session, sql: string): string => {
  const named = filesOf(session, sql).map(({ given, file }) => `${given} (${file.path})`);
  const rest = named.length > MAX_NAMED ? ` and ${named.length - MAX_NAMED} more` : '';
  return [...new Set(named)].slice(0, MAX_NAMED).join(', ') + rest;
};

/** The path of a file that a query reads and that has changed since the session was opened; null: none has. */
export const changedFile = async (session: Session, sql: string): Promise<string | null> => {
  for (const { file } of filesOf(session, sql)) if (isTable(file) && (await hasChanged(file))) return file.path;
  return null;
};

const isTable = (file: DatabaseFile | TableFile): file is TableFile => 'table' in file;

/** The tables that a query names, with their files. Names are compared without regard to case. */
const filesOf = ({ files, catalog }: Session, sql: string) => {
  const all: readonly (DatabaseFile | TableFile)[] = [...files.databases, ...files.tables];
  return namedTables(sql).flatMap((given) => {
    const path = given.map((name) => name.toLowerCase());
    const file = all.find((one) => {
      const table = isTable(one) ? one.table.toLowerCase() : undefined;
      const isIn = path[0] === one.catalog.toLowerCase() || (path.length < 3 && one.catalog === catalog);
      return isIn && (table === undefined || table === path.at(-1));
    });
    return file === undefined ? [] : [{ given: given.join('.'), file }];
  });
};
