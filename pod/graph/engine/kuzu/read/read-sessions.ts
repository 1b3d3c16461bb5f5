import {
  singleResult,
  type Connection,
  type PreparedStatement,
  type QueryResult,
  thrownFailure,
  type StatementFailure,
} from '../binding/binding';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type EngineParameters } from '../query/parameters';

// A connection keeps every prepared statement, some 60 KB for a short one, until it is closed. A new connection costs
// 40 µs.
const MAX_STATEMENTS = 64;
const MAX_CHARACTERS = 200_000;
const LONG_MS = 100;

/** A reading connection, used by one query at a time, with its prepared statements. */
export class ReadSession {
  readonly #statements = new Map<string, PreparedStatement>();
  takenAtMs = 0;
  #characters = 0;
  /** Number of writes to the graph at the start of the open transaction; null without one. */
  #writesSeen: number | null = null;
  #skipsBlocks = true;

  private constructor(
    readonly connection: Connection,
    private readonly begin: PreparedStatement,
    private readonly rollback: PreparedStatement,
    private readonly writes: () => number,
  ) {}

  /** `writes`: number of writes to the graph. */
  static async open(connection: Connection, writes: () => number): Promise<ReadSession> {
    const begin = await connection.prepare('BEGIN TRANSACTION READ ONLY');
    return new ReadSession(connection, begin, await connection.prepare('ROLLBACK'), writes);
  }

  /** Whether it has so many statements that a new session should replace it. */
  isFull(): boolean {
    return this.#statements.size >= MAX_STATEMENTS || this.#characters >= MAX_CHARACTERS;
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  /**
   * Runs an action in a read-only transaction that reads all previous writes. Beginning and ending one costs as much as
   * a lookup, so it is used for many actions, until one fails. Exceptions of the engine are returned as failures.
   */
  async readOnly<A>(action: () => Promise<Either<StatementFailure, A>>): Promise<Either<StatementFailure, A>> {
    if (this.#writesSeen !== this.writes()) {
      if (this.#writesSeen !== null) await this.#endTransaction();
      const newest = this.writes();
      singleResult(await this.connection.execute(this.begin)).close();
      this.#writesSeen = newest;
    }
    const result = await action().catch((error: unknown) => left(thrownFailure(error)));
    if (isLeft(result)) await this.#endTransaction();
    return result;
  }

  /**
   * Runs a statement that does not begin or end a transaction. A text with several statements is rejected as a whole,
   * because only one can be prepared. `skipsBlocks`: whether blocks of a table may be skipped by their values.
   */
  async run(
    text: string,
    parameters: EngineParameters,
    skipsBlocks: boolean,
  ): Promise<Either<StatementFailure, QueryResult>> {
    const statement = await this.#prepare(text);
    if (isLeft(statement)) return statement;
    await this.#setSkipping(skipsBlocks);
    // The statement keeps its last values.
    this.#characters += Object.values(parameters).flat().length;
    return right(singleResult(await this.connection.execute(statement.right, { ...parameters })));
  }

  async #prepare(text: string): Promise<Either<StatementFailure, PreparedStatement>> {
    const known = this.#statements.get(text);
    if (known !== undefined) return right(known);
    const statement = await this.connection.prepare(text);
    this.#characters += text.length;
    if (!statement.isSuccess()) return left({ kind: 'not_compiled', message: statement.getErrorMessage() });
    this.#statements.set(text, statement);
    return right(statement);
  }

  async #setSkipping(skips: boolean): Promise<void> {
    if (skips === this.#skipsBlocks) return;
    singleResult(await this.connection.query(`CALL enable_zone_map=${skips}`)).close();
    this.#skipsBlocks = skips;
  }

  async #endTransaction(): Promise<void> {
    this.#writesSeen = null;
    try {
      singleResult(await this.connection.execute(this.rollback)).close();
    } catch (error) {
      // A failed statement has already ended its transaction.
      if (!(error instanceof Error) || !error.message.startsWith('No active transaction')) throw error;
    }
  }
}

/** Keeps sessions for the next queries. The pod limits the number of concurrent queries. */
export class ReadSessions {
  readonly #idle: ReadSession[] = [];
  /** Number of sessions in use, or being opened for a query. */
  #taken = 0;
  /** Pending while queries must not begin. */
  #pause: Promise<void> | null = null;
  #onGivenBack: () => void = () => undefined;

  constructor(private readonly open: () => Promise<ReadSession>) {}

  async take(): Promise<ReadSession> {
    while (this.#pause !== null) await this.#pause;
    this.#taken += 1;
    try {
      const session = this.#idle.pop() ?? (await this.open());
      session.takenAtMs = performance.now();
      return session;
    } catch (error) {
      this.#release();
      throw error;
    }
  }

  /** A slow statement is not worth keeping, and may hold large computed values. */
  async release(session: ReadSession): Promise<void> {
    try {
      if (session.isFull() || performance.now() - session.takenAtMs > LONG_MS) await session.close();
      else this.#idle.push(session);
    } finally {
      this.#release();
    }
  }

  /**
   * Runs an action while no session is in use and no transaction is open; new queries wait meanwhile. Has no effect if
   * a session is not returned within `waitMs`.
   */
  async runExclusively(waitMs: number, action: () => Promise<void>): Promise<void> {
    let resume: () => void = () => undefined;
    this.#pause = new Promise((resolve) => (resume = resolve));
    try {
      if (!(await this.#untilAllAreBack(waitMs))) return;
      await Promise.all(this.#idle.splice(0).map((session) => session.close()));
      await action();
    } finally {
      this.#pause = null;
      resume();
    }
  }

  async #untilAllAreBack(waitMs: number): Promise<boolean> {
    if (this.#taken === 0) return true;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), waitMs)));
    const idle = new Promise<boolean>((resolve) => {
      this.#onGivenBack = () => {
        if (this.#taken === 0) resolve(true);
      };
    });
    return Promise.race([idle, late]).finally(() => clearTimeout(timer));
  }

  #release(): void {
    this.#taken -= 1;
    this.#onGivenBack();
  }
}
