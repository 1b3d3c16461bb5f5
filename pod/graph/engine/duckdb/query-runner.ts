import { type Either, isLeft, left } from 'fp-ts/Either';
import { type AnalysedQuery } from '../cypher/analyse-query';
import { type EngineFailure } from '../engine-failure';
import { type ExportedRows } from '../export/exported-rows';
import { type GraphQuery, type QueryClient, type QueryFailure, unnamedClient } from '../graph-engine';
import { Slots } from '../slots';
import { type GraphConnection } from './graph-connection';
import { type GraphDatabase } from './graph-database';

export interface RunnerParts {
  /** The open database, with the current limit of memory. */
  readonly database: () => Promise<Either<EngineFailure, GraphDatabase>>;
  /** The failure from an error that the database threw. */
  readonly failureOf: (error: unknown, analysed: AnalysedQuery) => QueryFailure;
}

/** Something to run on a connection. */
export interface ConnectionQuery<A> {
  readonly analysed: AnalysedQuery;
  readonly execute: (connection: GraphConnection) => Promise<Either<QueryFailure, A>>;
  /** Rows that are read after the answer; the query counts as running until they end. */
  readonly rest?: ((answer: A) => ExportedRows) | undefined;
}

/** Runs queries: limits their number, and ends them at their timeout or when their client disconnects. */
export class QueryRunner {
  private readonly slots = new Slots();
  /** Until the connections are given back. */
  private readonly running = new Map<Interruption, Promise<unknown>>();

  constructor(private readonly parts: RunnerParts) {}

  /** Returns at the timeout and when the client disconnects, although parts of a statement may take longer to end. */
  async run<A>(
    { timeoutMs }: GraphQuery,
    { name, disconnected }: QueryClient = unnamedClient(),
    query: ConnectionQuery<A>,
  ): Promise<Either<QueryFailure, A>> {
    const endsAt = performance.now() + timeoutMs;
    const slot = await this.slots.take(name, timeoutMs, disconnected);
    if (slot === null) return left(disconnected.aborted ? ABANDONED : { kind: 'timeout', timeoutMs });
    const interruption = new Interruption();
    const onDisconnected = (): void => interruption.interrupt(ABANDONED);
    const timer = setTimeout(() => interruption.interrupt({ kind: 'timeout', timeoutMs }), endsAt - performance.now());
    disconnected.addEventListener('abort', onDisconnected);
    if (disconnected.aborted) onDisconnected();
    const answer = this.answer(query, interruption).finally(() => clearTimeout(timer));
    const ended = answer
      .then((read) =>
        isLeft(read) || query.rest === undefined ? undefined : untilRead(query.rest(read.right), interruption),
      )
      .finally(() => interruption.end())
      .finally(() => {
        disconnected.removeEventListener('abort', onDisconnected);
        this.running.delete(interruption);
        slot.release();
      });
    this.running.set(interruption, ended);
    return Promise.race([answer, interruption.failed]);
  }

  /** Interrupts all queries, and resolves when they have ended. */
  async stop(): Promise<void> {
    for (const interruption of this.running.keys()) interruption.interrupt(ABANDONED);
    await Promise.allSettled(this.running.values());
  }

  private async answer<A>(query: ConnectionQuery<A>, interruption: Interruption): Promise<Either<QueryFailure, A>> {
    const earlier = new Map(this.running);
    try {
      const opened = await this.parts.database();
      if (isLeft(opened)) return left({ kind: 'crashed', message: opened.left.reason });
      const connection = await opened.right.take();
      interruption.uses(connection, () => opened.right.giveBack(connection));
      while (interruption.failure === null) {
        const answer = await this.attempt(query, connection, interruption);
        if (!isLeft(answer) || answer.left.kind !== 'memory' || earlier.size === 0) return answer;
        // All queries share the memory: one that began before may have filled it.
        interruption.atTimeout = answer.left;
        await connection.rest();
        await Promise.race([...earlier.values(), interruption.failed]);
        for (const one of earlier.keys()) if (!this.running.has(one)) earlier.delete(one);
      }
      return left(interruption.failure);
    } catch (error) {
      return left(interruption.failure ?? this.parts.failureOf(error, query.analysed));
    }
  }

  private attempt<A>(
    { analysed, execute }: ConnectionQuery<A>,
    connection: GraphConnection,
    interruption: Interruption,
  ): Promise<Either<QueryFailure, A>> {
    return execute(connection).catch((error: unknown) =>
      left(interruption.failure ?? this.parts.failureOf(error, analysed)),
    );
  }
}

const ABANDONED: QueryFailure = { kind: 'abandoned' };

const untilRead = async (rows: ExportedRows, { failure }: Interruption): Promise<void> => {
  if (failure !== null) await rows.return();
  await rows.ended;
};

/** The way to end one query early. */
class Interruption {
  /** Why the query was ended; null if it was not. */
  failure: QueryFailure | null = null;
  /** Reported instead of the timeout. */
  atTimeout: QueryFailure | null = null;
  readonly failed: Promise<Either<QueryFailure, never>>;
  private fail: (failure: Either<QueryFailure, never>) => void = () => undefined;
  private connection: GraphConnection | null = null;
  private giveBack: () => Promise<void> = () => Promise.resolve();

  constructor() {
    this.failed = new Promise((resolve) => (this.fail = resolve));
  }

  uses(connection: GraphConnection, giveBack: () => Promise<void>): void {
    this.connection = connection;
    this.giveBack = giveBack;
  }

  interrupt(failure: QueryFailure): void {
    this.failure ??= (failure.kind === 'timeout' ? this.atTimeout : null) ?? failure;
    this.connection?.interrupt();
    this.fail(left(this.failure));
  }

  end(): Promise<void> {
    this.connection = null;
    return this.giveBack();
  }
}
