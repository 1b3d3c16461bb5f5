import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import {
  type ExportRequest,
  type ExportState,
  LOCAL_EXPORT,
  type QueryEngineError,
} from '../../domain/ports/query-engine';
import { fromFile } from '../filesystem/durable-write';
import { isDamage, readFailure } from './duckdb-error';
import { exportStatement } from './export-statement';
import { describeQuery, messageFor } from './prepared-query';
import { type Session, type WarehouseSessions } from './warehouse-sessions';

type Outcome = Either<QueryEngineError, readonly string[]>;

interface KnownExport {
  readonly queryId: string;
  /** Resolves when the export has ended, never rejects. */
  readonly ended: Promise<Outcome>;
  readonly interrupt: () => void;
  /** Set once it has ended. */
  outcome: Outcome | null;
}

const POLL_WAIT_MS = 1_000;
const INTERRUPT_AGAIN_MS = 50;
/** So many ended exports can still be asked for. */
const ENDED_EXPORTS_KEPT = 1_000;

/**
 * Exports that run inside this process. A file is written where only running exports are and moved out when it is complete, so that users' SQL cannot read results.
 */
export class DuckdbExports {
  readonly #known = new Map<string, KnownExport>();

  constructor(
    private readonly warehouse: WarehouseSessions,
    private readonly exportDirectory: string,
  ) {}

  async submit(request: ExportRequest): Promise<Either<QueryEngineError, ExportState>> {
    const queryId = randomUUID();
    const folder = join(this.exportDirectory, queryId);
    const file = join(folder, 'part-0.parquet');
    const session = await this.warehouse.open(request.catalog);
    if (isLeft(session)) return session;
    const statement = await planExport(session.right, request, file);
    if (isLeft(statement)) {
      session.right.release();
      return statement;
    }
    const ended = runExport(session.right, statement.right, folder, async () => {
      const target = join(request.scratchDirectory, 'part-0.parquet');
      await fromFile(file)(target);
      return [target];
    });
    const interrupt = (): void => session.right.connection.interrupt();
    const item: KnownExport = { queryId, ended, interrupt, outcome: null };
    const address = LOCAL_EXPORT + queryId;
    this.#add(address, item);
    void ended.then((outcome) => (item.outcome = outcome));
    return right({ state: 'running', queryId, nextUri: address });
  }

  async poll(address: string): Promise<Either<QueryEngineError, ExportState>> {
    const item = this.#known.get(address);
    if (item === undefined) {
      const message = `the export ${address} is not known here: the process that ran it has ended or is another one`;
      return left({ kind: 'unknown_query', message });
    }
    await waitFor(item.ended, POLL_WAIT_MS);
    const { queryId, outcome } = item;
    if (outcome === null) return right({ state: 'running', queryId, nextUri: address });
    return isLeft(outcome) ? outcome : right({ state: 'finished', queryId, localFiles: outcome.right });
  }

  async cancel(address: string): Promise<void> {
    const item = this.#known.get(address);
    if (item === undefined) return;
    // An interrupt is lost when the statement has not begun yet, so it is repeated.
    while (item.outcome === null) {
      item.interrupt();
      await waitFor(item.ended, INTERRUPT_AGAIN_MS);
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

const planExport = async (
  session: Session,
  request: ExportRequest,
  file: string,
): Promise<Either<QueryEngineError, string>> => {
  const columns = await describeQuery(session, request.sql);
  return isLeft(columns) ? columns : exportStatement(request.sql, request.columns, columns.right, file);
};

const runExport = async (
  session: Session,
  statement: string,
  folder: string,
  takeOut: () => Promise<readonly string[]>,
): Promise<Outcome> => {
  let broken = false;
  try {
    await mkdir(folder, { recursive: true });
    await session.connection.run(statement);
    return right(await takeOut());
  } catch (error) {
    const failure = readFailure(error);
    broken = isDamage(failure);
    return left({ kind: 'query_failed', message: messageFor(session, failure.message) });
  } finally {
    session.release(broken);
    await rm(folder, { recursive: true, force: true });
  }
};

const waitFor = async (event: Promise<unknown>, milliseconds: number): Promise<void> => {
  const over = new AbortController();
  const timer = sleep(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  await Promise.race([event, timer]);
  over.abort();
};
