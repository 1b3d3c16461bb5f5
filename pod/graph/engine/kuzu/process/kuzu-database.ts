import { availableParallelism } from 'node:os';
import { Connection, Database, readRows, singleResult } from '../binding/binding';
import { map, type Either } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import {
  type GraphAnswer,
  type GraphQuery,
  type NodeWrite,
  type QueryFailure,
  type TableKind,
} from '../../graph-engine';
import { withNodeProperty, type GraphProperty, type GraphSchema } from '../../graph-schema';
import { createEntityIds, type EntityIds } from '../read/entity-ids';
import { QueryAnswerer } from './query-answerer';
import { type KuzuExport } from '../read/read-result';
import { type QueryGraph } from '../read/run-query';
import { findLostValues } from '../load/lost-values';
import {
  addPropertyStatement,
  copyStatement,
  nanStatement,
  renameStatements,
  schemaStatements,
  setPropertyStatement,
} from '../load/statements';
import { tableNames, withTableNames, type TableNames } from '../load/table-names';

export interface DatabaseOptions {
  readonly path: string;
  readonly bufferPoolBytes: number;
  readonly threads: number;
}

/** How long the checkpoint after a write waits for running queries; after that the next write makes it. */
const CHECKPOINT_WAITS_MS = 1_000;

/** Address space per database. The default of 8 TB lets few databases share a machine. */
const MAX_DATABASE_BYTES = 2 ** 40;

/**
 * The engine has one worker per processor, and a worker does not leave a query before it ends. One is left for others:
 * with all of them at work on a long query, every lookup would wait until it ends.
 */
const THREADS_OF_A_QUERY = Math.max(1, availableParallelism() - 1);

/**
 * The engine inside its process. Calls throw what the engine throws, except `query`, whose failures are the user's.
 * Queries run in read-only transactions of a writable database: a read-only database cannot store results.
 */
export class KuzuDatabase {
  private writes = 0;
  /** The files the tables were loaded from. */
  private readonly parquetFiles = new Map<string, readonly string[]>();
  private ids: EntityIds | null = null;
  private readonly queries: QueryAnswerer;
  /** The exports that are being read, by number. */
  private readonly exports = new Map<number, KuzuExport>();
  private lastExport = 0;
  /** With the engine's names of tables. */
  private schema: GraphSchema;
  private names: TableNames;

  private constructor(
    private readonly main: Connection,
    connect: () => Promise<Connection>,
    schema: GraphSchema,
  ) {
    this.names = tableNames(schema);
    this.schema = withTableNames(schema, this.names);
    this.queries = new QueryAnswerer(
      connect,
      () => this.writes,
      (connection) => this.queryGraph(connection),
    );
  }

  /** Opens the database that has the schema, or makes an empty one. */
  static async open({ path, bufferPoolBytes, threads }: DatabaseOptions, schema: GraphSchema | null) {
    // No automatic checkpoints: one waits for every reader to end and keeps new ones out meanwhile.
    const database = new Database(path, bufferPoolBytes, true, false, MAX_DATABASE_BYTES, false);
    await database.init();
    const connect = async (maxThreads: number): Promise<Connection> => {
      const connection = new Connection(database, maxThreads);
      await connection.init();
      return connection;
    };
    const connectReader = (): Promise<Connection> => connect(Math.min(threads, THREADS_OF_A_QUERY));
    const opened = new KuzuDatabase(await connect(threads), connectReader, schema ?? NO_SCHEMA);
    // Values replayed from the engine's log would fill its memory like written ones.
    if (schema !== null) await opened.checkpoint();
    return opened;
  }

  async createSchema(schema: GraphSchema): Promise<void> {
    this.names = tableNames(schema);
    this.schema = withTableNames(schema, this.names);
    this.ids = null;
    for (const statement of schemaStatements(this.schema)) await this.run(statement);
  }

  async load(kind: TableKind, name: string, parquetFiles: readonly string[]): Promise<number> {
    const table = this.names.tableOf(kind, name);
    await this.run(copyStatement(table, parquetFiles));
    const edges = this.schema.edgeTables.filter(({ type }) => type === table);
    for (const statement of edges.flatMap(renameStatements)) await this.run(statement);
    this.parquetFiles.set(table, parquetFiles);
    const pattern = kind === 'nodes' ? `(n:\`${table}\`)` : `()-[r:\`${table}\`]->()`;
    return this.count(`MATCH ${pattern} RETURN count(*)`);
  }

  /** Returns which values the engine has not stored exactly, null when it has stored all. */
  async finishLoading(): Promise<string | null> {
    await this.run('CHECKPOINT');
    return findLostValues(this.schema, this.parquetFiles, (statement) => this.count(statement));
  }

  query(query: GraphQuery): Promise<Either<QueryFailure, GraphAnswer>> {
    return this.queries.answer(query);
  }

  /** Returns the number by which the export is read and closed. */
  async openExport(query: GraphQuery, format: ExportFormat): Promise<Either<QueryFailure, number>> {
    return map((opened: KuzuExport) => {
      this.exports.set(++this.lastExport, opened);
      return this.lastExport;
    })(await this.queries.openExport(query, format));
  }

  readExport(id: number): Promise<Uint8Array | null> {
    return this.exports.get(id)?.read() ?? Promise.resolve(null);
  }

  closeExport(id: number): void {
    this.exports.get(id)?.close();
    this.exports.delete(id);
  }

  async writeNodes(named: NodeWrite): Promise<number> {
    const written = await this.write(named);
    await this.checkpoint();
    return written;
  }

  /** Written values are safe in the engine's log: when a query takes long, or this fails, the next write retries. */
  private async checkpoint(): Promise<void> {
    await this.queries.whileNoneRuns(CHECKPOINT_WAITS_MS, () => this.run('CHECKPOINT')).catch(() => undefined);
  }

  /**
   * Until a checkpoint the engine keeps every written value in its log, and in memory that nothing else can use: after
   * some fifty writes of a million numbers, queries hung.
   */
  private async write(named: NodeWrite): Promise<number> {
    const write = { ...named, label: this.names.tableOf('nodes', named.label) };
    const key = this.schema.nodeTables.find(({ label }) => label === write.label)?.primaryKey;
    if (key === undefined) throw new Error(`Unknown label ${named.label}.`);
    if ((await this.count(nanStatement(write))) > 0) {
      throw new Error(
        `The values for ${write.property.name} contain NaN; this graph database could lose the values next to it.`,
      );
    }
    await this.run('BEGIN TRANSACTION');
    try {
      await this.run(addPropertyStatement(write));
      const written = await this.count(setPropertyStatement(write, key));
      await this.run('COMMIT');
      this.writes++;
      this.schema = withNodeProperty(this.schema, write.label, write.property);
      return written;
    } catch (error) {
      await this.main.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  private async run(statement: string): Promise<void> {
    singleResult(await this.main.query(statement)).close();
  }

  private async count(statement: string): Promise<number> {
    let counted = 0;
    await readRows(singleResult(await this.main.query(statement)), (row) => (counted = Number(Object.values(row)[0])));
    return counted;
  }

  private async queryGraph(connection: Connection): Promise<QueryGraph> {
    this.ids ??= createEntityIds(this.schema, await tablesByNumber(connection));
    return {
      ids: this.ids,
      names: this.names,
      skipsBlocks: !hasNaN(this.schema),
      context: { idOf: this.ids.idOf, propertiesOf: propertiesOf(this.schema) },
    };
  }
}

/** The bounds of a block, by which the engine skips it, are wrong if it contains NaN. */
const hasNaN = ({ nodeTables }: GraphSchema): boolean =>
  nodeTables.some(({ properties }) => properties.some(({ holds }) => holds?.includes('NaN') ?? false));

const NO_SCHEMA: GraphSchema = { nodeTables: [], edgeTables: [] };

/** Names of the tables by the numbers the ids of nodes and edges begin with. */
const tablesByNumber = async (connection: Connection): Promise<ReadonlyMap<number, string>> => {
  const names = new Map<number, string>();
  const tables = singleResult(await connection.query('CALL show_tables() RETURN id, name'));
  await readRows(tables, ({ id, name }) => names.set(Number(id), String(name)));
  return names;
};

const propertiesOf = (schema: GraphSchema): ((table: string) => readonly GraphProperty[]) => {
  const byTable = new Map<string, readonly GraphProperty[]>([
    ...schema.nodeTables.map(({ label, primaryKey, properties }) => [label, [primaryKey, ...properties]] as const),
    ...schema.edgeTables.map(({ type, properties }) => [type, properties] as const),
  ]);
  return (table) => byTable.get(table) ?? [];
};
