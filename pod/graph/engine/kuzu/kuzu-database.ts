import { availableParallelism } from 'node:os';
import { Connection, Database } from 'kuzu';
import { type Either } from 'fp-ts/Either';
import { type GraphAnswer, type GraphQuery, type NodeWrite, type QueryFailure } from '../graph-engine';
import { withNodeProperty, type GraphProperty, type GraphSchema } from '../graph-schema';
import { QueryAnswerer } from './query-answerer';
import { createEntityIds, type EntityIds } from './entity-ids';
import { readRows, singleResult } from './read-rows';
import { ReadSession } from './read-session';
import { addPropertyStatement, copyStatement, schemaStatements, setPropertyStatement } from './statements';

export interface DatabaseOptions {
  readonly path: string;
  readonly bufferPoolBytes: number;
  readonly threads: number;
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
export const openDatabase = async ({ path, bufferPoolBytes, threads }: DatabaseOptions) => {
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
  let schema: GraphSchema = { nodeTables: [], edgeTables: [] };
  let ids: EntityIds | null = null;

  const run = async (statement: string): Promise<void> => {
    singleResult(await main.query(statement)).close();
  };

  const count = async (statement: string): Promise<number> => {
    let counted = 0;
    await readRows(singleResult(await main.query(statement)), (row) => (counted = Number(Object.values(row)[0])));
    return counted;
  };

  const entityIds = async (connection: Connection): Promise<EntityIds> => {
    if (ids !== null) return ids;
    const names = new Map<number, string>();
    const tables = singleResult(await connection.query('CALL show_tables() RETURN id, name'));
    await readRows(tables, ({ id, name }) => names.set(Number(id), String(name)));
    ids = createEntityIds(schema, names);
    return ids;
  };

  const queries = new QueryAnswerer(
    async () => ReadSession.open(await connect(Math.min(threads, THREADS_OF_A_QUERY)), () => writes),
    async (connection) => {
      const known = await entityIds(connection);
      return { ids: known, context: { idOf: known.idOf, propertiesOf: propertiesOf(schema) } };
    },
  );

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
    query: (query: GraphQuery): Promise<Either<QueryFailure, GraphAnswer>> => queries.answer(query),
    writeNodes: async (write: NodeWrite): Promise<number> => {
      const key = schema.nodeTables.find(({ label }) => label === write.label)?.primaryKey;
      if (key === undefined) throw new Error(`There is no label ${write.label}.`);
      await run('BEGIN TRANSACTION');
      try {
        await run(addPropertyStatement(write));
        const written = await count(setPropertyStatement(write, key));
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

const propertiesOf = (schema: GraphSchema): ((table: string) => readonly GraphProperty[]) => {
  const byTable = new Map<string, readonly GraphProperty[]>([
    ...schema.nodeTables.map(({ label, primaryKey, properties }) => [label, [primaryKey, ...properties]] as const),
    ...schema.edgeTables.map(({ type, properties }) => [type, properties] as const),
  ]);
  return (table) => byTable.get(table) ?? [];
};
