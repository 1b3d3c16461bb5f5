import { type DuckDBConnection } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { openSandbox, type Sandbox, type SandboxSettings, type WarehouseProblem } from './duckdb-sandbox';
import { sqlName } from './sql-text';
import { scanWarehouse } from './warehouse-files';

/** A connection to the warehouse for one piece of work. */
export interface Session {
  readonly connection: DuckDBConnection;
  readonly catalogs: readonly string[];
  /** Why catalogs or tables one would expect are missing. */
  readonly problems: readonly WarehouseProblem[];
  /** Whether error messages may name catalogs and tables that a query does not name. */
  readonly hints: boolean;
  /** Gives the connection back. `broken` when DuckDB reported damage of its own: it is not used again. */
  release(broken?: boolean): void;
}

/** A file that could not be opened (somebody was writing it) is tried again after this time. */
const RETRY_PROBLEMS_MS = 5_000;

interface SharedSandbox extends Sandbox {
  readonly fingerprint: string;
  readonly openedAtMs: number;
  sessions: number;
  retired: boolean;
}

/**
 * Sessions on a warehouse folder that follows its files: before each session the folder is looked through, and when
 * something changed a new sandbox takes over while the old one finishes its work.
 */
export class WarehouseSessions {
  #current: SharedSandbox | null = null;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly directory: string,
    private readonly settings: SandboxSettings & Pick<Session, 'hints'>,
  ) {}

  /** Opens a session on the warehouse as it is now. Unqualified names refer to `catalog`, or to the only one there is. */
  async open(catalog: string | null): Promise<Either<QueryEngineError, Session>> {
    const entered = this.#queue.then(() => this.#enter());
    this.#queue = entered.catch(() => undefined);
    try {
      const session = await entered;
      const used = await useCatalog(session, catalog);
      if (isLeft(used)) session.release();
      return used;
    } catch (error) {
      const message = `the warehouse ${this.directory} cannot be opened: ${String(error)}`;
      return left({ kind: 'unavailable', message });
    }
  }

  /** Closes the warehouse once the last session has been released. */
  async close(): Promise<void> {
    await this.#queue;
    if (this.#current !== null) this.#retire(this.#current);
  }

  async #enter(): Promise<Session> {
    const sandbox = await this.#refresh();
    const connection = await sandbox.instance.connect();
    sandbox.sessions += 1;
    return {
      connection,
      catalogs: sandbox.catalogs,
      problems: sandbox.problems,
      hints: this.settings.hints,
      release: (broken = false) => {
        connection.closeSync();
        sandbox.sessions -= 1;
        if (broken) this.#retire(sandbox);
        else closeIfUnused(sandbox);
      },
    };
  }

  async #refresh(): Promise<SharedSandbox> {
    const files = await scanWarehouse(this.directory);
    if (this.#current !== null && isFresh(this.#current, files.fingerprint)) return this.#current;
    const opened = await openSandbox(files, this.settings);
    if (this.#current !== null) this.#retire(this.#current);
    const { fingerprint } = files;
    this.#current = { ...opened, fingerprint, openedAtMs: performance.now(), sessions: 0, retired: false };
    return this.#current;
  }

  #retire(sandbox: SharedSandbox): void {
    if (sandbox === this.#current) this.#current = null;
    if (sandbox.retired) return;
    sandbox.retired = true;
    closeIfUnused(sandbox);
  }
}

const closeIfUnused = (sandbox: SharedSandbox): void => {
  if (sandbox.retired && sandbox.sessions === 0) sandbox.instance.closeSync();
};

const isFresh = (sandbox: SharedSandbox, fingerprint: string): boolean =>
  sandbox.fingerprint === fingerprint &&
  (sandbox.problems.length === 0 || performance.now() - sandbox.openedAtMs < RETRY_PROBLEMS_MS);

const useCatalog = async (session: Session, wanted: string | null): Promise<Either<QueryEngineError, Session>> => {
  const catalog = wanted ?? (session.catalogs.length === 1 ? session.catalogs[0] : undefined);
  if (catalog === undefined) return right(session);
  if (!session.catalogs.includes(catalog)) {
    const message = `there is no catalog "${catalog}"${catalogHint(session)}`;
    return left({ kind: 'invalid_sql', message, position: null });
  }
  await session.connection.run(`USE ${sqlName(catalog)}`);
  return right(session);
};

/** The catalogs of a session, and why others are missing, for the end of an error message; empty without hints. */
export const catalogHint = ({ catalogs, problems, hints }: Session): string =>
  hints
    ? ['', `the catalogs are: ${catalogs.join(', ') || 'none'}`, ...problems.map(({ message }) => message)].join('; ')
    : '';
