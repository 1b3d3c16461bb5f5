import { type Connection, type PreparedStatement, type QueryResult } from 'kuzu';
import { isLeft } from 'fp-ts/Either';
import { cypherTokens } from '../gate/cypher-tokens';
import { statementStart } from '../gate/read-only-gate';
import { type BlockingTexts } from './blocking-texts';
import { type EngineParameters } from './engine-parameters';
import { isInterruption } from './kuzu-error';
import { singleResult } from './read-rows';
import { skipsRightBlocks } from './skipped-blocks';

/** A connection that reads, used by one query at a time, with the statements it was sent before. */
export interface ReadSession {
  readonly connection: Connection;
  /** Ends each statement from now on that runs for longer, with `Interrupted.` */
  readonly limitTo: (ms: number) => void;
  /** Runs an action in a read-only transaction that sees everything written so far. */
  readonly readOnly: <A>(action: () => Promise<A>) => Promise<A>;
  /**
   * Runs a statement. A text of several is refused as a whole, because only one can be prepared, and so is one that
   * would end the transaction.
   */
  readonly run: (text: string, parameters: EngineParameters) => Promise<QueryResult>;
  /** Holds as many statements as it should; time for a new one. */
  readonly isFull: () => boolean;
  readonly close: () => Promise<void>;
}

/** The statement could not be prepared; nothing has run. The message is the engine's. */
export class PreparationError extends Error {}

// A connection keeps every statement it ever prepared, some 60 KB for a short one, until it is closed. Making a new one
// costs 40 µs.
const MOST_STATEMENTS = 64;
const MOST_CHARACTERS = 200_000;

/** A statement that was quick and is not any more blocks the others for so long, then it begins anew beside them. */
const MOST_BLOCKED_MS = 50;

/** `writes`: how many times the graph was written to. */
export const createReadSession = async (
  connection: Connection,
  writes: () => number,
  blockingTexts: BlockingTexts,
): Promise<ReadSession> => {
  const statements = new Map<string, PreparedStatement>();
  const begin = await connection.prepare('BEGIN TRANSACTION READ ONLY');
  const rollback = await connection.prepare('ROLLBACK');
  let characters = 0;
  /** What the open transaction sees; null when none is open. */
  let seen: number | null = null;
  let timeoutMs = Number.MAX_SAFE_INTEGER;
  let skipsBlocks = true;

  const beginTransaction = async (): Promise<void> => {
    const newest = writes();
    singleResult(await connection.execute(begin)).close();
    seen = newest;
  };

  const endTransaction = async (): Promise<void> => {
    seen = null;
    try {
      singleResult(await connection.execute(rollback)).close();
    } catch (error) {
      // A failed statement has ended its transaction already.
      if (!(error instanceof Error) || !error.message.startsWith('No active transaction')) throw error;
    }
  };

  const setSkipping = async (skips: boolean): Promise<void> => {
    if (skips === skipsBlocks) return;
    singleResult(await connection.query(`CALL enable_zone_map=${skips}`)).close();
    skipsBlocks = skips;
  };

  const prepared = async (text: string): Promise<PreparedStatement> => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    if (isAboutTransactions(text)) throw new PreparationError('Queries cannot begin or end transactions.');
    const statement = await connection.prepare(text);
    characters += text.length;
    if (!statement.isSuccess()) throw new PreparationError(statement.getErrorMessage());
    statements.set(text, statement);
    return statement;
  };

  /** The result of a statement that others wait for; null when they would wait for too long. */
  const runBlocking = (
    text: string,
    statement: PreparedStatement,
    parameters: EngineParameters,
  ): QueryResult | null => {
    const started = process.cpuUsage();
    connection.setQueryTimeout(Math.min(MOST_BLOCKED_MS, timeoutMs));
    try {
      const result = singleResult(connection.executeSync(statement, { ...parameters }));
      const { user, system } = process.cpuUsage(started);
      blockingTexts.hasBlocked(text, (user + system) / 1000);
      return result;
    } catch (error) {
      if (!isInterruption(error)) throw error;
      blockingTexts.hasBlocked(text, Infinity);
      return null;
    } finally {
      connection.setQueryTimeout(timeoutMs);
    }
  };

  return {
    connection,
    limitTo: (ms) => {
      timeoutMs = ms;
      connection.setQueryTimeout(ms);
    },
    // Beginning and ending cost as much as a lookup, so one transaction serves many queries.
    readOnly: async (action) => {
      if (seen !== writes()) {
        if (seen !== null) await endTransaction();
        await beginTransaction();
      }
      try {
        return await action();
      } catch (error) {
        await endTransaction();
        throw error;
      }
    },
    run: async (text, parameters) => {
      const statement = await prepared(text);
      await setSkipping(skipsRightBlocks(text));
      if (blockingTexts.mayBlock(text)) {
        const result = runBlocking(text, statement, parameters);
        if (result !== null) return result;
        await endTransaction();
        await beginTransaction();
      }
      return blockingTexts.beside(text, async () =>
        singleResult(await connection.execute(statement, { ...parameters })),
      );
    },
    isFull: () => statements.size >= MOST_STATEMENTS || characters >= MOST_CHARACTERS,
    close: () => connection.close(),
  };
};

const isAboutTransactions = (text: string): boolean => {
  const tokens = cypherTokens(text);
  const first = isLeft(tokens) ? undefined : tokens.right[statementStart(tokens.right)];
  return ['BEGIN', 'COMMIT', 'ROLLBACK'].includes(first?.upper ?? '');
};
