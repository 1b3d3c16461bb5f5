import { randomBytes } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type ExportRequest,
  type ExportState,
  type QueryEngineError,
  type StoredFile,
} from '../../domain/ports/query-engine';
import { findWantedColumn } from '../../domain/sql/wanted-columns';
import { describeFullDisk, isDiskFull } from '../filesystem/disk-full';
import { fromFile } from '../filesystem/durable-write';
import { settlesWithin } from '../system/time-limit';
import { REFRESH } from './csv/csv-layout';
import { canRetry, type DuckdbFailure, isFatalError, readFailure } from './duckdb-error';
import { exportedType } from './exported-type';
import { describeQuery, messageFor, nested, type PreparedColumn } from './prepared-query';
import { sqlName, sqlString } from './sql-text';
import { changedFile, type Session, tablesWithFiles, type WarehouseSessions } from './warehouse-sessions';

type Outcome = Either<QueryEngineError, readonly StoredFile[]>;

interface KnownExport {
  readonly queryId: string;
  /** Resolves when the export has ended, never rejects. */
  readonly ended: Promise<Outcome>;
  readonly interrupt: () => void;
  /** Set once it has ended. */
  outcome: Outcome | null;
}

const ADDRESS = 'duckdb:';
const POLL_WAIT_MS = 1_000;
const INTERRUPT_AGAIN_MS = 50;
/** Number of ended exports whose outcome can still be polled. */
const ENDED_EXPORTS_KEPT = 1_000;

/**
 * Exports that run inside this process. A file is written to a folder of running exports and moved out when it is
 * complete, so that users' SQL cannot read results.
 */
export class DuckdbExports {
  readonly #known = new Map<string, KnownExport>();

  constructor(
    private readonly warehouse: WarehouseSessions,
    private readonly exportDirectory: string,
  ) {}

  async submit(request: ExportRequest): Promise<Either<QueryEngineError, ExportState>> {
    const queryId = randomBytes(16).toString('hex');
    const folder = join(this.exportDirectory, queryId);
    const file = join(folder, 'part-0.parquet');
    const session = await this.warehouse.open(request.catalog, request.sql);
    if (isLeft(session)) return session;
    const columns = await describeQuery(session.right, request.sql);
    const statement = isLeft(columns) ? columns : exportStatement(request, columns.right, file);
    if (isLeft(statement)) {
      session.right.release();
      return statement;
    }
    const ended = runExport(session.right, request.sql, statement.right, folder, async () => {
      const target = join(request.scratchDirectory, 'part-0.parquet');
      await fromFile(file)(target);
      return request.destination.put('part-0.parquet', target);
    });
    const interrupt = (): void => session.right.connection.interrupt();
    const item: KnownExport = { queryId, ended, interrupt, outcome: null };
    const address = ADDRESS + queryId;
    this.#add(address, item);
    void ended.then((outcome) => (item.outcome = outcome));
    return right({ state: 'running', queryId, nextUri: address, ownedByWorker: true });
  }

  async poll(address: string): Promise<Either<QueryEngineError, ExportState>> {
    const item = this.#known.get(address);
    if (item === undefined) {
      const message = `unknown export ${address}: the process that ran it has ended, or is another one`;
      return left({ kind: 'unknown_query', message });
    }
    await settlesWithin(item.ended, POLL_WAIT_MS);
    const { queryId, outcome } = item;
    if (outcome === null) return right({ state: 'running', queryId, nextUri: address, ownedByWorker: true });
    return isLeft(outcome) ? outcome : right({ state: 'finished', queryId, storedFiles: outcome.right });
  }

  async cancel(address: string): Promise<void> {
    const item = this.#known.get(address);
    if (item === undefined) return;
    // An interrupt is lost when the statement has not begun yet, so it is repeated.
    while (item.outcome === null) {
      item.interrupt();
      await settlesWithin(item.ended, INTERRUPT_AGAIN_MS);
    }
    this.#known.delete(address);
  }

  async cancelAll(): Promise<void> {
    await Promise.all([...this.#known.keys()].map((address) => this.cancel(address)));
  }

  #add(address: string, item: KnownExport): void {
    this.#known.set(address, item);
    const ended = [...this.#known].filter(([, other]) => other.outcome !== null);
    for (const [oldest] of ended.slice(0, Math.max(0, ended.length - ENDED_EXPORTS_KEPT))) this.#known.delete(oldest);
  }
}

const runExport = async (
  session: Session,
  sql: string,
  statement: string,
  folder: string,
  store: () => Promise<Either<QueryEngineError, StoredFile>>,
): Promise<Outcome> => {
  let broken = false;
  try {
    await mkdir(folder, { recursive: true });
    await session.connection.run(statement);
    const changed = await changedFile(session, sql);
    if (changed !== null) {
      const message = `the file ${changed} was changed while it was read; write to another file and rename it, or export again`;
      return left({ kind: 'query_failed', message, canRetry: true });
    }
    const stored = await store();
    return isLeft(stored) ? stored : right([stored.right]);
  } catch (error) {
    const failure = readFailure(error);
    broken = isFatalError(failure);
    if (isDiskFull(error)) return left({ kind: 'disk_full', message: await describeFullDisk(dirname(folder)) });
    return left({
      kind: 'query_failed',
      message: withTables(session, failure, sql),
      canRetry: canRetry(failure),
    });
  } finally {
    session.release(broken);
    await rm(folder, { recursive: true, force: true });
  }
};

/** DuckDB names neither the table of a value that cannot be converted, nor a damaged file. */
const withTables = (session: Session, failure: DuckdbFailure, sql: string): string => {
  const message = messageFor(session, failure.message, sql);
  const tables = tablesWithFiles(session, sql);
  if (failure.type === 'Out of Memory' || message.includes(REFRESH) || tables === '') return message;
  return `${message}; the query reads ${tables}: correct the query, or replace a file that is damaged`;
};

/**
 * The statement that writes the wanted columns of a query to one Parquet file. Left when one is missing or ambiguous.
 */
const exportStatement = (
  { sql, columns: wanted }: ExportRequest,
  columns: readonly PreparedColumn[],
  file: string,
): Either<QueryEngineError, string> => {
  const items: string[] = [];
  let hasFloats = false;
  for (const name of wanted) {
    const found = findWantedColumn(name, columns);
    if (isLeft(found)) return left({ kind: 'invalid_sql', message: found.left, position: null });
    items.push(`${exactInParquet(found.right.column)} AS ${sqlName(name)}`);
    hasFloats ||= /float|double/.test(found.right.column.type);
  }
  const select = `SELECT ${items.join(', ')} FROM ${nested(sql)} AS q`;
  // A dictionary would have one entry for 0.0 and -0.0, which are equal.
  const dictionary = hasFloats ? ', DICTIONARY_SIZE_LIMIT 0' : '';
  return right(`COPY (${select}) TO ${sqlString(file)} (FORMAT parquet, COMPRESSION zstd${dictionary})`);
};

const exactInParquet = ({ name, duckdbType }: PreparedColumn): string => {
  const type = exportedType(duckdbType);
  return type === null ? `q.${sqlName(name)}` : `CAST(q.${sqlName(name)} AS ${type})`;
};

/** Writes a Parquet file without rows, for columns with DuckDB's types. */
export const writeEmptyParquet = async (
  path: string,
  columns: readonly { readonly name: string; readonly type: string }[],
): Promise<void> => {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  const list = columns.map(({ name, type }) => `CAST(NULL AS ${type}) AS ${sqlName(name)}`).join(', ');
  try {
    await connection.run(`COPY (SELECT ${list} LIMIT 0) TO ${sqlString(path)} (FORMAT parquet)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
};
