import { setImmediate as letOthersRun } from 'node:timers/promises';
import { DuckDBUIntegerVector, type DuckDBDataChunk } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { isErrno } from '../../../../../adapters/filesystem/durable-write';
import { chunksOf } from '../../../duckdb/chunks-of';
import {
  openDuckdb,
  readParquet,
  sqlName,
  tableOf,
  type DuckdbLimits,
  type DuckdbSession,
} from '../../../duckdb/duckdb-session';
import { reasonOf, type EngineFailure } from '../../engine-failure';
import { type RowCounts, type TableKind } from '../../graph-engine';
import { type EdgeTable, type GraphProperty, type GraphSchema, type NodeTable } from '../../graph-schema';
import { numberNodes } from '../number-nodes';
import { storageOf, storedExpression } from '../storage';
import { attributeWriter } from './saved-attributes';
import { attributeNames, FILE_HEAD, FILE_TAIL, saveHeader } from './saved-header';
import {
  joinedNodes,
  matrixRows,
  saveAdjacency,
  saveLabelMatrix,
  saveLabelsMatrix,
  saveRelation,
} from './saved-matrices';
import { SavedValues } from './saved-values';
import { openFeed, prepareFeed, type ServerFeed } from './server-feed';
import { type EdgeEnds } from './sorted-ends';

/** The nodes of a label have numbers that follow each other. */
export interface LabelRange {
  readonly label: string;
  readonly first: number;
  readonly count: number;
}

export interface GraphToWrite {
  /** The file on which the server starts. */
  readonly path: string;
  readonly schema: GraphSchema;
  readonly rows: RowCounts;
  readonly duckdb: DuckdbLimits;
}

/**
 * Starts a server on a graph that is still to be written; `startServer` resolves when the server has read all of it, or
 * with why it ended.
 */
export const openGraphWriter = async (
  graph: GraphToWrite,
  startServer: () => Promise<Either<EngineFailure, void>>,
): Promise<Either<EngineFailure, GraphWriter>> => {
  await prepareFeed(graph.path);
  let hasEnded = false;
  const started = startServer();
  void started.then(() => (hasEnded = true));
  const feed = await openFeed(graph.path, () => hasEnded);
  if (feed === null) {
    const failed = await started;
    return isLeft(failed) ? failed : left({ kind: 'rejected', reason: 'The server started without the graph.' });
  }
  return right(new GraphWriter(graph, feed, await openDuckdb(graph.duckdb), started));
};

interface Relation {
  readonly first: number;
  readonly ends: EdgeEnds;
}

/** Writes a graph as the server saves it: the nodes of all labels, the edges of all types, and who they join. */
export class GraphWriter {
  private readonly values = new SavedValues(FILE_HEAD);
  private readonly attributes: ReadonlyMap<string, number>;
  private readonly missing: (NodeTable | EdgeTable)[];
  private readonly labels: LabelRange[] = [];
  private readonly relations: Relation[] = [];
  private nodeCount = 0;
  private edgeCount = 0;

  constructor(
    private readonly graph: GraphToWrite,
    private readonly feed: ServerFeed,
    private readonly session: DuckdbSession,
    private readonly serverStarted: Promise<Either<EngineFailure, void>>,
  ) {
    const { schema, rows } = graph;
    this.attributes = new Map(attributeNames(schema).map((name, at) => [name, at]));
    this.missing = [...schema.nodeTables, ...schema.edgeTables];
    saveHeader(this.values, schema, rows);
  }

  /** The next table of the schema, from Parquet files with exactly its columns; answers its number of rows. */
  write(name: string, files: readonly string[]): Promise<Either<EngineFailure, number>> {
    return this.attempt(async () => {
      const table = this.missing.shift();
      const expected = table === undefined ? 'the end' : nameOf(table);
      if (table === undefined || expected !== name) throw new Error(`${name} came where ${expected} was to come.`);
      return 'label' in table ? this.writeNodes(table, files) : this.writeEdges(table, files);
    });
  }

  /** After the last table; answers which node numbers each label has. */
  end(): Promise<Either<EngineFailure, readonly LabelRange[]>> {
    return this.attempt(async () => {
      if (this.missing.length > 0) throw new Error(`${this.missing.map(nameOf).join(', ')} did not come.`);
      await this.writeMatrices();
      await this.feed.write([...this.values.takeAll(), FILE_TAIL]);
      await this.feed.end();
      this.session.close();
      return this.labels;
    });
  }

  /** Gives up: the server gets to an early end of the file. */
  abandon(): void {
    this.feed.close();
  }

  /** Frees everything, when no step is in progress. */
  close(): void {
    this.abandon();
    this.session.close();
  }

  private async writeNodes({ label, primaryKey, properties }: NodeTable, files: readonly string[]): Promise<number> {
    const { values, nodeCount: first } = this;
    const key = sqlName(primaryKey.name);
    const columns = [primaryKey, ...properties];
    await numberNodes(this.session, keyTable(label), { key: primaryKey, files, first });
    const sql =
      `SELECT k.number, ${columns.map((column) => valueSql('n', column)).join(', ')} ` +
      `FROM ${readParquet(files)} AS n JOIN ${keyTable(label)} AS k ON k.key = n.${key}`;
    const count = await this.writeRows({ kind: 'nodes', name: label }, sql, columns, 1, (chunk) => {
      const numbers = numbersOf(chunk, 0);
      return (row) => values.beginEntity(numbers(row));
    });
    this.nodeCount += count;
    this.labels.push({ label, first, count });
    return count;
  }

  private async writeEdges(
    { type, fromNode, toNode, properties }: EdgeTable,
    files: readonly string[],
  ): Promise<number> {
    const { values, edgeCount: first } = this;
    const expected = this.graph.rows.edges.get(type) ?? 0;
    const ends = { from: new Uint32Array(expected), to: new Uint32Array(expected) };
    const [from, to] = (await this.session.columns(`SELECT * FROM ${readParquet(files)}`)).map(({ name }) =>
      sqlName(name),
    );
    const sql =
      `SELECT ${['f.number', 't.number', ...properties.map((column) => valueSql('e', column))].join(', ')} ` +
      `FROM ${readParquet(files)} AS e JOIN ${keyTable(fromNode)} AS f ON f.key = e.${from} ` +
      `JOIN ${keyTable(toNode)} AS t ON t.key = e.${to}`;
    const count = await this.writeRows({ kind: 'edges', name: type }, sql, properties, 2, (chunk) => {
      const [fromNumbers, toNumbers] = [numbersOf(chunk, 0), numbersOf(chunk, 1)];
      return (row, at) => {
        ends.from[at] = fromNumbers(row);
        ends.to[at] = toNumbers(row);
        values.beginEntity(first + at);
      };
    });
    this.edgeCount += count;
    this.relations.push({ first, ends });
    return count;
  }

  /** `beginRows` begins the entity of a row of a chunk; `at` counts the rows of the table. */
  private async writeRows(
    table: { readonly kind: TableKind; readonly name: string },
    sql: string,
    columns: readonly GraphProperty[],
    firstColumn: number,
    beginRows: (chunk: DuckDBDataChunk) => (row: number, at: number) => void,
  ): Promise<number> {
    const { values } = this;
    let count = 0;
    for await (const chunk of chunksOf(await this.session.connection.stream(sql))) {
      const { rowCount } = chunk;
      const writers = columns.map(({ name, type }, index) =>
        attributeWriter(values, this.attributes.get(name) ?? 0, chunk.getColumnVector(firstColumn + index), type),
      );
      const begin = beginRows(chunk);
      for (let row = 0; row < rowCount; row++) {
        begin(row, count++);
        for (const write of writers) write(row);
        values.endEntity();
      }
      await this.feed.write(values.take());
    }
    const expected = this.graph.rows[table.kind].get(table.name) ?? 0;
    if (count !== expected)
      throw new Error(`${table.name} has ${count} rows to store, and ${expected} were announced.`);
    return count;
  }

  private async writeMatrices(): Promise<void> {
    const { values, labels, relations, nodeCount } = this;
    const size = matrixRows(nodeCount);
    values.number(labels.length);
    for (const [id, { first, count }] of labels.entries()) {
      values.number(id);
      saveLabelMatrix(values, size, first, count);
    }
    let joined = null;
    for (const [id, { ends, first }] of relations.entries()) {
      values.number(id);
      joined = await joinedNodes(ends, size);
      await letOthersRun();
      await saveRelation(values, size, joined, first);
      await this.feed.write(values.take());
      await letOthersRun();
    }
    if (joined === null || relations.length > 1) joined = await joinedNodes(concatenated(relations), size);
    await letOthersRun();
    saveAdjacency(values, size, joined);
    const labelOf = new Uint32Array(nodeCount);
    for (const [id, { first, count }] of labels.entries()) labelOf.fill(id, first, first + count);
    saveLabelsMatrix(values, size, labelOf);
  }

  /** The end of the server explains a failure better than that nobody reads any more. */
  private async attempt<A>(step: () => Promise<A>): Promise<Either<EngineFailure, A>> {
    try {
      return right(await step());
    } catch (error) {
      const started = isErrno(error, 'EPIPE') ? await this.serverStarted : null;
      if (started !== null && isLeft(started)) return started;
      return left({ kind: 'rejected', reason: reasonOf(error) });
    }
  }
}

const nameOf = (table: NodeTable | EdgeTable): string => ('label' in table ? table.label : table.type);

const concatenated = (relations: readonly Relation[]): EdgeEnds => {
  const count = relations.reduce((sum, { ends }) => sum + ends.from.length, 0);
  const all = { from: new Uint32Array(count), to: new Uint32Array(count) };
  for (const { ends, first } of relations) {
    all.from.set(ends.from, first);
    all.to.set(ends.to, first);
  }
  return all;
};

const keyTable = (label: string): string => tableOf('numbers', label);

/** Text comes as bytes, which are written as they are. */
const valueSql = (table: string, { name, type, wholeMilliseconds }: GraphProperty): string => {
  const value = storedExpression(`${table}.${sqlName(name)}`, { type, wholeMilliseconds });
  return storageOf(type) === 'text' ? `encode(${value})` : value;
};

const numbersOf = (chunk: DuckDBDataChunk, column: number): ((row: number) => number) => {
  const vector = chunk.getColumnVector(column);
  if (!(vector instanceof DuckDBUIntegerVector)) throw new Error('Expected a column of unsigned integers.');
  return (row) => vector.getItem(row) ?? 0;
};
