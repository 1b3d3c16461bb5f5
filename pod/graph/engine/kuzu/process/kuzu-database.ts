import { availableParallelism } from 'node:os';
import { map, type Either } from 'fp-ts/Either';
import { type ExportFormat } from '../../../../../adapters/contracts/graph-pod/export-formats';
import { type GraphAnswer, type NodeWrite, type TableKind } from '../../graph-engine';
import { EMPTY_SCHEMA, withNodeProperty, type GraphSchema } from '../../graph-schema';
import { Connection, Database, readRows, singleResult, type StatementFailure } from '../binding/binding';
import { findLostValues } from '../load/lost-values';
import {
  addPropertyStatement,
  copyStatement,
  nanStatement,
  renameStatements,
  schemaStatements,
  setPropertyStatement,
} from '../load/statements';
import { shownName } from '../load/table-names';
import { EntityIds } from '../read/entity-ids';
import { QueryRunner } from '../read/query-runner';
import { type KuzuExport, type QueryGraph } from '../read/read-result';
import { type EncodingContext } from '../read/value-encoder';
import { type SentQuery } from '../query/sent-query';

export interface DatabaseOptions {
  readonly path: string;
  readonly bufferPoolBytes: number;
  readonly threads: number;
  /** Of the tables in it; empty for a new one. */
  readonly schema: GraphSchema;
}

/** Time for which the checkpoint after a write waits for running queries; after that it is left to the next write. */
const CHECKPOINT_WAITS_MS = 1_000;

/** Address space per database. With the default of 8 TB only few databases can run on a machine. */
const MAX_DATABASE_BYTES = 2 ** 40;

/**
 * The engine has one worker per processor, and a worker does not leave a query before it ends. One is reserved for
 * other queries: otherwise every lookup would wait until a long query ends.
 */
const THREADS_OF_A_QUERY = Math.max(1, availableParallelism() - 1);

const NOT_OPEN = 'The database is not open yet; call open first.';

/**
 * The engine within its process, with its own table names. Calls throw the engine's exceptions, except those of
 * queries. Queries run in read-only transactions of a writable database: a read-only database cannot store results.
 */
export class KuzuDatabase {
  private main: Connection | null = null;
  private connectReader: () => Promise<Connection> = () => Promise.reject(new Error(NOT_OPEN));
  private schema = EMPTY_SCHEMA;
  private tables: EncodingContext['tables'] = new Map();
  private ids: EntityIds | null = null;
  private writes = 0;
  /** The files the tables were loaded from. */
  private readonly parquetFiles = new Map<string, readonly string[]>();
  private readonly queries = new QueryRunner(
    () => this.connectReader(),
    () => this.writes,
    (connection) => this.queryGraph(connection),
  );
  /** The open exports, by number. */
  private readonly exports = new Map<number, KuzuExport>();
  private lastExport = 0;

  async open({ path, bufferPoolBytes, threads, schema }: DatabaseOptions): Promise<void> {
    // Without automatic checkpoints: a checkpoint waits for every reader to end and blocks new ones meanwhile.
    const database = new Database(path, bufferPoolBytes, true, false, MAX_DATABASE_BYTES, false);
    await database.init();
    const connect = async (maxThreads: number): Promise<Connection> => {
      const connection = new Connection(database, maxThreads);
      await connection.init();
      return connection;
    };
    this.connectReader = () => connect(Math.min(threads, THREADS_OF_A_QUERY));
    this.main = await connect(threads);
    this.setSchema(schema);
    // Values replayed from the engine's log would otherwise stay in its memory like written ones.
    await this.checkpoint();
  }

  async createSchema(schema: GraphSchema): Promise<void> {
    this.setSchema(schema);
    this.ids = null;
    for (const statement of schemaStatements(this.schema)) await this.run(statement);
  }

  async load(kind: TableKind, table: string, parquetFiles: readonly string[]): Promise<number> {
    await this.run(copyStatement(table, parquetFiles));
    const edges = this.schema.edgeTables.filter(({ type }) => type === table);
    for (const statement of edges.flatMap(renameStatements)) await this.run(statement);
    this.parquetFiles.set(table, parquetFiles);
    const pattern = kind === 'nodes' ? `(n:\`${table}\`)` : `()-[r:\`${table}\`]->()`;
    return this.count(`MATCH ${pattern} RETURN count(*)`);
  }

  /** Returns the values that the engine has not stored exactly; null if it has stored all. */
  async finishLoading(): Promise<string | null> {
    await this.run('CHECKPOINT');
    return findLostValues(this.schema, this.parquetFiles, (statement) => this.count(statement));
  }

  query(query: SentQuery): Promise<Either<StatementFailure, GraphAnswer>> {
    return this.queries.answer(query);
  }

  /** Returns the number for reading and closing the export. */
  async openExport(query: SentQuery, format: ExportFormat): Promise<Either<StatementFailure, number>> {
    return map((opened: KuzuExport) => {
      this.exports.set(++this.lastExport, opened);
      return this.lastExport;
    })(await this.queries.openExport(query, format));
  }

  /** The next chunk, null after the last one. */
  readExport(id: number): Promise<Uint8Array | null> {
    return this.exports.get(id)?.read() ?? Promise.resolve(null);
  }

  /** Must be called for every opened export. */
  closeExport(id: number): void {
    this.exports.get(id)?.close();
    this.exports.delete(id);
  }

  async writeNodes(write: NodeWrite): Promise<number> {
    const written = await this.write(write);
    await this.checkpoint();
    return written;
  }

  /** Written values are safe in the engine's log: if a query takes long, or this fails, the next write retries. */
  private async checkpoint(): Promise<void> {
    await this.queries.runExclusively(CHECKPOINT_WAITS_MS, () => this.run('CHECKPOINT')).catch(() => undefined);
  }

  /**
   * Until a checkpoint the engine keeps every written value in its log, and in memory that cannot be used otherwise:
   * after some fifty writes of a million numbers, queries hung.
   */
  private async write(write: NodeWrite): Promise<number> {
    const key = this.schema.nodeTables.find(({ label }) => label === write.label)?.primaryKey;
    if (key === undefined) throw new Error(`Unknown label ${write.label}.`);
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
      this.setSchema(withNodeProperty(this.schema, write.label, write.property));
      return written;
    } catch (error) {
      await this.connection()
        .query('ROLLBACK')
        .catch(() => undefined);
      throw error;
    }
  }

  private setSchema(schema: GraphSchema): void {
    this.schema = schema;
    this.tables = encodedTables(schema);
  }

  private connection(): Connection {
    if (this.main === null) throw new Error(NOT_OPEN);
    return this.main;
  }

  private async run(statement: string): Promise<void> {
    singleResult(await this.connection().query(statement)).close();
  }

  private async count(statement: string): Promise<number> {
    let counted = 0;
    await readRows(
      singleResult(await this.connection().query(statement)),
      (row) => (counted = Number(Object.values(row)[0])),
    );
    return counted;
  }

  private async queryGraph(connection: Connection): Promise<QueryGraph> {
    this.ids ??= new EntityIds(this.schema, await tablesByNumber(connection));
    return { ids: this.ids, idOf: this.ids.idOf, tables: this.tables };
  }
}

/** Names of the tables by the first number in the ids of nodes and edges. */
const tablesByNumber = async (connection: Connection): Promise<ReadonlyMap<number, string>> => {
  const names = new Map<number, string>();
  const tables = singleResult(await connection.query('CALL show_tables() RETURN id, name'));
  await readRows(tables, ({ id, name }) => names.set(Number(id), String(name)));
  return names;
};

const encodedTables = ({ nodeTables, edgeTables }: GraphSchema): EncodingContext['tables'] =>
  new Map(
    [
      ...nodeTables.map(({ label, primaryKey, properties }) => ({
        table: label,
        properties: [primaryKey, ...properties],
      })),
      ...edgeTables.map(({ type, properties }) => ({ table: type, properties })),
    ].map(({ table, properties }) => [table, { shownName: shownName(table), properties }]),
  );
