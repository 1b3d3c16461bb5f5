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
  /** Gives the connection back. `broken` when DuckDB reported damage of its own: it is not used again. */
  release(broken?: boolean): void;
}

export interface WarehouseSessions {
  /** Opens a session on the warehouse as it is now. Unqualified names refer to `catalog`, or to the only one there is. */
  open(catalog: string | null): Promise<Either<QueryEngineError, Session>>;
  /** Closes the warehouse once the last session has been released. */
  close(): Promise<void>;
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
export const createWarehouseSessions = (directory: string, settings: SandboxSettings): WarehouseSessions => {
  let current: SharedSandbox | null = null;
  let queue: Promise<unknown> = Promise.resolve();

  const closeIfUnused = (sandbox: SharedSandbox): void => {
    if (sandbox.retired && sandbox.sessions === 0) sandbox.instance.closeSync();
  };
  const retire = (sandbox: SharedSandbox): void => {
    if (sandbox === current) current = null;
    if (sandbox.retired) return;
    sandbox.retired = true;
    closeIfUnused(sandbox);
  };

  const refresh = async (): Promise<SharedSandbox> => {
    const files = await scanWarehouse(directory);
    if (current !== null && isFresh(current, files.fingerprint)) return current;
    const opened = await openSandbox(files, settings);
    if (current !== null) retire(current);
    current = {
      ...opened,
      fingerprint: files.fingerprint,
      openedAtMs: performance.now(),
      sessions: 0,
      retired: false,
    };
    return current;
  };

  const enter = async (): Promise<{ sandbox: SharedSandbox; connection: DuckDBConnection }> => {
    const sandbox = await refresh();
    const connection = await sandbox.instance.connect();
    sandbox.sessions += 1;
    return { sandbox, connection };
  };

  return {
    open: async (catalog) => {
      const entered = queue.then(enter);
      queue = entered.catch(() => undefined);
      try {
        const { sandbox, connection } = await entered;
        const session: Session = {
          connection,
          catalogs: sandbox.catalogs,
          problems: sandbox.problems,
          release: (broken = false) => {
            connection.closeSync();
            sandbox.sessions -= 1;
            if (broken) retire(sandbox);
            else closeIfUnused(sandbox);
          },
        };
        const used = await useCatalog(session, catalog);
        if (isLeft(used)) session.release();
        return used;
      } catch (error) {
        return left({ kind: 'unavailable', message: `the warehouse ${directory} cannot be opened: ${String(error)}` });
      }
    },
    close: async () => {
      await queue;
      if (current !== null) retire(current);
    },
  };
};

const isFresh = (sandbox: SharedSandbox, fingerprint: string): boolean =>
  sandbox.fingerprint === fingerprint &&
  (sandbox.problems.length === 0 || performance.now() - sandbox.openedAtMs < RETRY_PROBLEMS_MS);

const useCatalog = async (session: Session, wanted: string | null): Promise<Either<QueryEngineError, Session>> => {
  const catalog = wanted ?? (session.catalogs.length === 1 ? session.catalogs[0] : undefined);
  if (catalog === undefined) return right(session);
  if (!session.catalogs.includes(catalog)) {
    const message = `there is no catalog "${catalog}"; ${catalogsAndProblems(session)}`;
    return left({ kind: 'invalid_sql', message, position: null });
  }
  await session.connection.run(`USE ${sqlName(catalog)}`);
  return right(session);
};

/** The catalogs of a session, and why others are missing, for the end of an error message. */
export const catalogsAndProblems = ({ catalogs, problems }: Session): string =>
  [`the catalogs are: ${catalogs.join(', ') || 'none'}`, ...problems.map(({ message }) => message)].join('; ');
