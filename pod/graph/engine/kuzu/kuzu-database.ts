import { availableParallelism } from 'node:os';
import { Connection, Database } from 'kuzu';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type GraphAnswer, type GraphQuery, type NodeWrite, type QueryFailure } from '../graph-engine';
import { withNodeProperty, type GraphProperty, type GraphSchema } from '../graph-schema';
import { createBlockingTexts } from './blocking-texts';
import { withRowToFilter } from './constant-filter';
import { withParameters } from './cypher-literal';
import { engineParameters, parameterNames } from './engine-parameters';
import { createEntityIds, type EntityIds } from './entity-ids';
import { isParserError, queryFailure } from './kuzu-error';
import { createPlanMemory } from './plan-memory';
import { createRecent } from '../recent';
import { readRows, singleResult } from './read-rows';
import { createReadSession, PreparationError, type ReadSession } from './read-session';
import { InexactColumnError, NO_PLAN, runQuery, type AnswerWithPlan, type QueryText } from './run-query';
import { createSessionPool } from './session-pool';
import { addPropertyStatement, copyStatement, schemaStatements, setPropertyStatement } from './statements';

export interface DatabaseOptions {
  readonly path: string;
  readonly bufferPoolBytes: number;
  readonly threads: number;
  /** Most queries at once; each has a connection of its own. */
  readonly connections: number;
}

/** Address space per database. The default of 8 TB lets few databases share a machine. */
const MAX_DATABASE_BYTES = 2 ** 40;

/**
 * The engine has one worker per processor, and a worker does not leave a query before it ends. One is left for others:
 * with all of them at work on a long query, every lookup would wait until it ends.
 */
const THREADS_OF_A_QUERY = Math.max(1, availableParallelism() - 1);

/**
 * The engine inside its process. Calls throw what the engine throws, except `query`, whose failures are the user's.
 * Queries run in read-only transactions of a writable database: a read-only database cannot take results back.
 */
export const openDatabase = async (options: DatabaseOptions) => {
  const { path, bufferPoolBytes, threads } = options;
  // No automatic checkpoints: one waits for every reader to end and keeps new ones out meanwhile.
  const database = new Database(path, bufferPoolBytes, true, false, MAX_DATABASE_BYTES, false);
  await database.init();
  const connect = async (most: number): Promise<Connection> => {
    const connection = new Connection(database, most);
    await connection.init();
    return connection;
  };
  const main = await connect(threads);
  let writes = 0;
  const blockingTexts = createBlockingTexts(() => performance.now());
  const pool = createSessionPool(async () => {
    const connection = await connect(Math.min(threads, THREADS_OF_A_QUERY));
    return createReadSession(connection, () => writes, blockingTexts);
  }, options.connections);
  const plans = createPlanMemory();
  /** Texts whose parameters the engine takes only as literals. */
  const literalTexts = createRecent<true>();
  let schema: GraphSchema = { nodeTables: [], edgeTables: [] };
  let ids: EntityIds | null = null;

  const run = async (statement: string): Promise<void> => {
    singleResult(await main.query(statement)).close();
  };

  const count = async (statement: string): Promise<number> => {
    let counted = 0;
    await readRows(singleResult(await main.query(statement)), 1, (row) => {
      counted = Number(Object.values(row)[0]);
      return true;
    });
    return counted;
  };

  const entityIds = async (connection: Connection): Promise<EntityIds> => {
    if (ids !== null) return ids;
    const names = new Map<number, string>();
    const tables = singleResult(await connection.query('CALL show_tables() RETURN id, name'));
    await readRows(tables, Number.MAX_SAFE_INTEGER, ({ id, name }) => Boolean(names.set(Number(id), String(name))));
    ids = createEntityIds(schema, names);
    return ids;
  };

  const answer = async (session: ReadSession, query: QueryText): Promise<GraphAnswer> => {
    const graphIds = await entityIds(session.connection);
    const graph = { ids: graphIds, context: { idOf: graphIds.idOf, propertiesOf: propertiesOf(schema) } };
    const known = plans.get(query.original);
    let result: AnswerWithPlan;
    try {
      result = await session.readOnly(() => runQuery(session, query, graph, known));
    } catch (error) {
      if (known.plan.size === 0) throw error;
      // Other parameters may give the columns other types than the remembered ones.
      result = await session.readOnly(() => runQuery(session, query, graph, NO_PLAN));
    }
    plans.set(query.original, result.plan);
    return result.answer;
  };

  /** With the parameters beside the text where the binding can carry them: then the engine parses a text once. */
  const answerWithParameters = async (
    session: ReadSession,
    original: string,
    parameters: GraphQuery['parameters'],
  ): Promise<GraphAnswer> => {
    const text = withRowToFilter(original);
    const names = parameterNames(text);
    const carried = literalTexts.get(text) === undefined ? engineParameters(names, parameters) : null;
    if (carried !== null) {
      try {
        return await answer(session, { original, text, parameters: carried });
      } catch (error) {
        if (names.length === 0 || !isCompileError(error)) throw error;
      }
    }
    const written = withParameters(text, parameters);
    if (isLeft(written)) throw new ParameterError(written.left);
    const answered = await answer(session, { original, text: written.right, parameters: {} });
    if (carried !== null) literalTexts.set(text, true);
    return answered;
  };

  return {
    /** Makes the schema known when a database that has it is opened again. */
    adoptSchema: (existing: GraphSchema): void => {
      schema = existing;
      ids = null;
    },
    createSchema: async (wanted: GraphSchema): Promise<void> => {
      for (const statement of schemaStatements(wanted)) await run(statement);
      schema = wanted;
      ids = null;
    },
    load: async (table: string, parquetFiles: readonly string[]): Promise<number> => {
      await run(copyStatement(table, parquetFiles));
      const isNode = schema.nodeTables.some(({ label }) => label === table);
      return count(isNode ? `MATCH (n:\`${table}\`) RETURN count(*)` : `MATCH ()-[r:\`${table}\`]->() RETURN count(*)`);
    },
    finishLoading: (): Promise<void> => run('CHECKPOINT'),
    query: async ({ text, parameters, timeoutMs }: GraphQuery): Promise<Either<QueryFailure, GraphAnswer>> => {
      return pool.use(async (session) => {
        session.limitTo(timeoutMs);
        try {
          return right(await answerWithParameters(session, text, parameters));
        } catch (error) {
          if (error instanceof InexactColumnError || error instanceof ParameterError) {
            return left({ kind: 'rejected', message: error.message, position: null });
          }
          return left(queryFailure(await asWritten(session.connection, text, error), timeoutMs));
        }
      });
    },
    writeNodes: async (write: NodeWrite): Promise<number> => {
      const key = schema.nodeTables.find(({ label }) => label === write.label)?.primaryKey;
      if (key === undefined) throw new Error(`There is no label ${write.label}.`);
      await run('BEGIN TRANSACTION');
      try {
        await run(addPropertyStatement(write));
        const statement = setPropertyStatement(write, key);
        const written = await blockingTexts.beside(statement, () => count(statement));
        await run('COMMIT');
        writes++;
        schema = withNodeProperty(schema, write.label, write.property);
        return written;
      } catch (error) {
        await main.query('ROLLBACK').catch(() => undefined);
        throw error;
      }
    },
  };
};

export type KuzuDatabase = Awaited<ReturnType<typeof openDatabase>>;

/** The message is for the user. */
class ParameterError extends Error {}

/** Nothing has run; the engine may take the same text with its parameters written out. */
const isCompileError = (error: unknown): boolean =>
  error instanceof PreparationError || (error instanceof Error && error.message.startsWith('Binder exception'));

/** The error of the text as the user wrote it, whose positions fit. */
const asWritten = async (connection: Connection, text: string, error: unknown): Promise<unknown> => {
  if (!isParserError(error)) return error;
  const statement = await connection.prepare(text);
  return statement.isSuccess() ? error : new Error(statement.getErrorMessage());
};

const propertiesOf = (schema: GraphSchema): ((table: string) => readonly GraphProperty[]) => {
  const byTable = new Map<string, readonly GraphProperty[]>([
    ...schema.nodeTables.map(({ label, primaryKey, properties }) => [label, [primaryKey, ...properties]] as const),
    ...schema.edgeTables.map(({ type, properties }) => [type, properties] as const),
  ]);
  return (table) => byTable.get(table) ?? [];
};
