import { type Connection, type PreparedStatement, type QueryResult } from 'kuzu';
import { type EngineParameters } from './engine-parameters';
import { singleResult } from './read-rows';

/** A connection that reads, used by one query at a time, with the statements it was sent before. */
export interface ReadSession {
  readonly connection: Connection;
  /** Runs an action in a read-only transaction and ends the transaction. */
  readonly readOnly: <A>(action: () => Promise<A>) => Promise<A>;
  /** Runs a statement. A text of several is refused as a whole, because only one can be prepared. */
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

export const createReadSession = (connection: Connection): ReadSession => {
  const statements = new Map<string, PreparedStatement>();
  let characters = 0;
  const begin = connection.prepareSync('BEGIN TRANSACTION READ ONLY');
  const rollback = connection.prepareSync('ROLLBACK');

  const prepared = async (text: string): Promise<PreparedStatement> => {
    const known = statements.get(text);
    if (known !== undefined) return known;
    const statement = await connection.prepare(text);
    characters += text.length;
    if (!statement.isSuccess()) throw new PreparationError(statement.getErrorMessage());
    statements.set(text, statement);
    return statement;
  };

  return {
    connection,
    readOnly: async (action) => {
      // Both take microseconds; on another thread they would take three times as long.
      singleResult(connection.executeSync(begin)).close();
      try {
        return await action();
      } finally {
        endTransaction(connection, rollback);
      }
    },
    run: async (text, parameters) => singleResult(await connection.execute(await prepared(text), { ...parameters })),
    isFull: () => statements.size >= MOST_STATEMENTS || characters >= MOST_CHARACTERS,
    close: () => connection.close(),
  };
};

/** A failed statement has ended its transaction already; then there is nothing to roll back. */
const endTransaction = (connection: Connection, rollback: PreparedStatement): void => {
  try {
    singleResult(connection.executeSync(rollback)).close();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.startsWith('No active transaction')) throw error;
  }
};
