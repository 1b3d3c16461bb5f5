import { DuckDBUIntegerVector, type DuckDBDataChunk } from '@duckdb/node-api';
import { readParquet, sqlName, type DuckdbSession } from '../../loading/duckdb-session';
import { type EdgeTable, type GraphProperty, type NodeTable } from '../graph-schema';
import { BulkBlock } from './bulk-block';
import { storageOf, storedExpression, type Storage } from './storage';

/** Sends one message of rows of a label or edge type. */
export type SendBlock = (rows: { readonly nodes: number; readonly edges: number }, block: Buffer) => Promise<void>;

/** Node numbers of a label: the engine numbers nodes in the order in which it gets them. */
export interface NumberedLabel {
  readonly label: string;
  /** Number of the first node. */
  readonly first: number;
  /** By the row number in the table of keys: how many nodes of the label came before. */
  readonly places: Uint32Array;
}

/** Loads the nodes of a label from Parquet files with exactly its columns, and keeps their keys for the edges. */
export const loadNodes = async (
  session: DuckdbSession,
  { label, primaryKey, properties }: NodeTable,
  files: readonly string[],
  first: number,
  send: SendBlock,
): Promise<NumberedLabel> => {
  const key = sqlName(primaryKey.name);
  // So that numbers mostly grow along the rows, and edges in the order of these numbers are in that of the nodes.
  await session.run('SET preserve_insertion_order = true');
  await session.run(
    `CREATE TEMP TABLE ${keyTable(label)} AS ` +
      `SELECT ${key} AS key, (row_number() OVER () - 1)::UINTEGER AS number FROM ${readParquet(files)}`,
  );
  const [counted] = await session.rows(`SELECT count(*) AS c FROM ${keyTable(label)}`);
  const places = new Uint32Array(Number(counted?.['c'] ?? 0));
  const columns = [primaryKey, ...properties];
  const block = new BulkBlock(
    label,
    columns.map(({ name }) => name),
  );
  const sql =
    `SELECT k.number, ${columns.map((column) => valueSql('n', column)).join(', ')} ` +
    `FROM ${readParquet(files)} AS n JOIN ${keyTable(label)} AS k ON k.key = n.${key}`;
  let place = 0;
  await stream(
    session,
    sql,
    columns,
    1,
    block,
    (rows) => ({ nodes: rows, edges: 0 }),
    send,
    (chunk) => {
      const numbers = numbersOf(chunk, 0);
      return (row) => {
        places[numbers(row)] = place++;
        block.beginNode();
      };
    },
  );
  await session.run('SET preserve_insertion_order = false');
  return { label, first, places };
};

/** Loads the edges of a type; both ends have been loaded. */
export const loadEdges = async (
  session: DuckdbSession,
  { type, properties }: EdgeTable,
  files: readonly string[],
  ends: { readonly from: NumberedLabel; readonly to: NumberedLabel },
  send: SendBlock,
): Promise<void> => {
  const [from, to] = (await session.columns(`SELECT * FROM ${readParquet(files)}`)).map(({ name }) => sqlName(name));
  const block = new BulkBlock(
    type,
    properties.map(({ name }) => name),
  );
  const sql =
    `SELECT ${['f.number', 't.number', ...properties.map((column) => valueSql('e', column))].join(', ')} ` +
    `FROM ${readParquet(files)} AS e JOIN ${keyTable(ends.from.label)} AS f ON f.key = e.${from} ` +
    // The server keeps edges by their ends: in this order it takes half the time for them.
    `JOIN ${keyTable(ends.to.label)} AS t ON t.key = e.${to} ORDER BY f.number, t.number`;
  await stream(
    session,
    sql,
    properties,
    2,
    block,
    (rows) => ({ nodes: 0, edges: rows }),
    send,
    (chunk) => {
      const [fromNumbers, toNumbers] = [numbersOf(chunk, 0), numbersOf(chunk, 1)];
      return (row) => block.beginEdge(nodeNumber(ends.from, fromNumbers(row)), nodeNumber(ends.to, toNumbers(row)));
    },
  );
};

const nodeNumber = ({ first, places }: NumberedLabel, number: number): number => first + (places[number] ?? 0);

const keyTable = (label: string): string => sqlName(`numbers of ${label}`);

/** Text comes as bytes, which go into the message as they are. */
const valueSql = (table: string, { name, type, wholeMilliseconds }: GraphProperty): string => {
  const value = storedExpression(`${table}.${sqlName(name)}`, { type, wholeMilliseconds });
  return storageOf(type) === 'text' ? `encode(${value})` : value;
};

/** Reads rows chunk by chunk into blocks; the next ones are read and filled while the engine takes the last block. */
const stream = async (
  session: DuckdbSession,
  sql: string,
  columns: readonly GraphProperty[],
  firstColumn: number,
  block: BulkBlock,
  count: (rows: number) => { readonly nodes: number; readonly edges: number },
  send: SendBlock,
  beginRows: (chunk: DuckDBDataChunk) => (row: number) => void,
): Promise<void> => {
  const storages = columns.map(({ type }): readonly [Storage, Storage] => [
    storageOf(type),
    type.kind === 'list' ? storageOf(type.item) : 'text',
  ]);
  let sending: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    await sending;
    sending = send(count(block.rows), block.take());
    // The failure is awaited with the next block.
    sending.catch(() => undefined);
  };
  const result = await session.connection.stream(sql);
  for (let next = result.fetchChunk(), chunk = await next; chunk !== null && chunk.rowCount > 0; chunk = await next) {
    const current = chunk;
    const { rowCount } = current;
    next = result.fetchChunk();
    // The failure is awaited when these rows are written.
    next.catch(() => undefined);
    const writers = storages.map(([storage, item], index) =>
      block.column(current.getColumnVector(firstColumn + index), storage, item),
    );
    const begin = beginRows(current);
    for (let row = 0; row < rowCount; row++) {
      begin(row);
      for (const write of writers) write(row);
    }
    if (block.isFull) await flush();
  }
  if (block.rows > 0) await flush();
  await sending;
};

const numbersOf = (chunk: DuckDBDataChunk, column: number): ((row: number) => number) => {
  const vector = chunk.getColumnVector(column);
  if (!(vector instanceof DuckDBUIntegerVector)) throw new Error('Expected a column of unsigned integers.');
  return (row) => vector.getItem(row) ?? 0;
};
