import { type DuckDBDataChunk, DuckDBUIntegerVector } from '@duckdb/node-api';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { CycleCheck } from '../../../algorithms/graph/topological-order';
import { type DuckdbSession, readParquet, sqlName, tableOf } from '../../../duckdb/duckdb-session';
import { type CallFailure, reasonOf } from '../../engine-failure';
import { type EdgeTable, type GraphProperty, type NodeTable } from '../../graph-schema';
import { type LabelRange, numberNodes } from '../node-ids';
import { GRAPH_KEY, type RunningServer } from '../running-server';
import { isText, storageOf, storedExpression } from '../storage';
import { BulkBlock } from './bulk-block';

type Loaded = Promise<Either<CallFailure, number>>;

interface Rows {
  readonly kind: 'nodes' | 'edges';
  readonly block: BulkBlock;
  readonly files: readonly string[];
  /** Returns one row per row of the files. */
  readonly sql: string;
  /** The last columns of the query. */
  readonly columns: readonly GraphProperty[];
  /** Returns a function that begins the entity of a row. */
  readonly begin: (chunk: DuckDBDataChunk) => (row: number) => void;
}

/**
 * Loads tables by GRAPH.BULK, in the order of the schema. The server numbers nodes in the order in which it receives
 * them.
 */
export class BulkLoader {
  /** The labels loaded so far. */
  readonly ranges: LabelRange[] = [];
  /** The types loaded so far whose edges form no cycle. */
  readonly acyclicTypes = new Set<string>();
  private nodeCount = 0;

  constructor(
    private readonly server: RunningServer,
    private readonly session: DuckdbSession,
  ) {}

  /** Returns the number of the table's rows on the server. The files have exactly the columns of the table. */
  async load(table: NodeTable | EdgeTable, files: readonly string[]): Loaded {
    try {
      return await ('label' in table ? this.loadNodes(table, files) : this.loadEdges(table, files));
    } catch (error) {
      return left({ kind: 'rejected', reason: reasonOf(error) });
    }
  }

  close(): void {
    this.session.close();
  }

  private async loadNodes({ label, primaryKey, properties }: NodeTable, files: readonly string[]): Loaded {
    const { session, nodeCount: first } = this;
    const columns = [primaryKey, ...properties];
    await numberNodes(session, keyTable(label), { key: primaryKey, files, first });
    const block = new BulkBlock(label, columns.map(nameOf));
    // Rows are read in the order of their numbers.
    await session.run('SET preserve_insertion_order = true');
    const sent = await this.send({
      kind: 'nodes',
      block,
      files,
      sql: `SELECT ${columns.map((column) => valueSql('n', column)).join(', ')} FROM ${readParquet(files)} AS n`,
      columns,
      begin: () => () => block.beginNode(),
    });
    await session.run('SET preserve_insertion_order = false');
    if (isLeft(sent)) return sent;
    const counted = await this.server.count(`MATCH (n:\`${label}\`) RETURN count(n)`);
    if (isLeft(counted)) return counted;
    this.nodeCount += counted.right;
    this.ranges.push({ label, first, count: counted.right });
    return counted;
  }

  private async loadEdges({ type, fromNode, toNode, properties }: EdgeTable, files: readonly string[]): Loaded {
    const ends = await this.session.columns(`SELECT * FROM ${readParquet(files)}`);
    const [from, to] = ends.map(({ name }) => sqlName(name));
    const block = new BulkBlock(type, properties.map(nameOf));
    const cycles = fromNode === toNode ? new CycleCheck(this.nodeCount, await this.session.count(files)) : null;
    const sent = await this.send({
      kind: 'edges',
      block,
      files,
      sql:
        `SELECT ${['f.number', 't.number', ...properties.map((column) => valueSql('e', column))].join(', ')} ` +
        `FROM ${readParquet(files)} AS e JOIN ${keyTable(fromNode)} AS f ON f.key = e.${from} ` +
        // The server adds edges that are sorted by their ends in half the time.
        `JOIN ${keyTable(toNode)} AS t ON t.key = e.${to} ORDER BY f.number, t.number`,
      columns: properties,
      begin: (chunk) => {
        const [fromNumbers, toNumbers] = [numbersOf(chunk, 0), numbersOf(chunk, 1)];
        return (row) => {
          const [from, to] = [fromNumbers(row), toNumbers(row)];
          cycles?.add(from, to);
          block.beginEdge(from, to);
        };
      },
    });
    if (cycles?.hasCycle() !== true) this.acyclicTypes.add(type);
    return isLeft(sent) ? sent : this.server.count(`MATCH ()-[e:\`${type}\`]->() RETURN count(e)`);
  }

  /** Sends blocks until the rows end. The next block is filled while the server adds the previous one. */
  private async send({ kind, block, files, sql, columns, begin }: Rows): Promise<Either<CallFailure, unknown>> {
    const sendBlock = (): Promise<Either<CallFailure, unknown>> => {
      const rows = String(block.rowCount);
      const counts = kind === 'nodes' ? [rows, '0', '1', '0'] : ['0', rows, '0', '1'];
      return this.server.send(['GRAPH.BULK', GRAPH_KEY, ...counts, block.take()]);
    };
    let sending: Promise<Either<CallFailure, unknown>> = Promise.resolve(right(undefined));
    for await (const chunk of this.session.chunks(sql, await this.session.count(files))) {
      const { rowCount, columnCount } = chunk;
      const firstColumn = columnCount - columns.length;
      const writers = columns.map(({ type }, index) => block.column(chunk.getColumnVector(firstColumn + index), type));
      const beginRow = begin(chunk);
      for (let row = 0; row < rowCount; row++) {
        beginRow(row);
        for (const write of writers) write(row);
      }
      if (!block.isFull) continue;
      const sent = await sending;
      if (isLeft(sent)) return sent;
      sending = sendBlock();
    }
    const sent = await sending;
    // A table without rows is created by a block without rows.
    return isLeft(sent) ? sent : sendBlock();
  }
}

const nameOf = ({ name }: GraphProperty): string => name;

const keyTable = (label: string): string => tableOf('numbers', label);

/** Text is read as bytes, which are sent unchanged. */
const valueSql = (table: string, { name, type, wholeMilliseconds }: GraphProperty): string => {
  const value = storedExpression(`${table}.${sqlName(name)}`, { type, wholeMilliseconds });
  return isText(storageOf(type)) ? `encode(${value})` : value;
};

const numbersOf = (chunk: DuckDBDataChunk, column: number): ((row: number) => number) => {
  const vector = chunk.getColumnVector(column);
  if (!(vector instanceof DuckDBUIntegerVector)) throw new Error('Expected a column of unsigned integers.');
  return (row) => vector.getItem(row) ?? 0;
};
