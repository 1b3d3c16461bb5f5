import { DuckDBUIntegerVector, type DuckDBDataChunk } from '@duckdb/node-api';
import { readParquet, sqlName, type DuckdbSession } from '../../../duckdb/duckdb-session';
import { type RowCounts } from '../../graph-engine';
import { type EdgeTable, type GraphProperty, type GraphSchema, type NodeTable } from '../../graph-schema';
import { type LabelRange } from './node-ids';
import { attributeWriter } from './saved-attributes';
import { attributeNames, FILE_HEAD, FILE_TAIL, saveHeader } from './saved-header';
import {
  joinedNodes,
  matrixRows,
  saveAdjacency,
  saveLabelMatrix,
  saveLabelsMatrix,
  saveRelation,
  type JoinedNodes,
} from './saved-matrices';
import { SavedValues } from './saved-values';
import { type ServerFeed } from './server-feed';
import { type EdgeEnds } from './sorted-ends';
import { storageOf, storedExpression } from '../storage';

/** Writes a graph as the server saves it: the nodes of all labels, the edges of all types, and who they join. */
export interface GraphWriter {
  /** The next label of the schema, from Parquet files with exactly its columns. */
  readonly nodes: (table: NodeTable, files: readonly string[]) => Promise<void>;
  /** The next edge type, after all nodes. */
  readonly edges: (table: EdgeTable, files: readonly string[]) => Promise<void>;
  /** Everything has been given; answers which node numbers each label has. */
  readonly end: () => Promise<readonly LabelRange[]>;
}

interface Relation {
  readonly first: number;
  readonly ends: EdgeEnds;
}

export const createGraphWriter = (
  session: DuckdbSession,
  schema: GraphSchema,
  rows: RowCounts,
  feed: ServerFeed,
): GraphWriter => {
  const values = new SavedValues(FILE_HEAD);
  const attributes = new Map(attributeNames(schema).map((name, at) => [name, at]));
  const labels: LabelRange[] = [];
  const relations: Relation[] = [];
  let [nodeCount, edgeCount] = [0, 0];

  const missing = [...schema.nodeTables.map(({ label }) => label), ...schema.edgeTables.map(({ type }) => type)];
  saveHeader(values, schema, rows);

  /** Reads rows chunk by chunk; the next ones are read while these are written. */
  const save = async (
    table: string,
    sql: string,
    columns: readonly GraphProperty[],
    firstColumn: number,
    beginRows: (chunk: DuckDBDataChunk) => (row: number, at: number) => void,
  ): Promise<void> => {
    const next = missing.shift();
    if (next !== table) throw new Error(`${table} came where ${next ?? 'the end'} was to come.`);
    let count = 0;
    const result = await session.connection.stream(sql);
    for (let read = result.fetchChunk(), chunk = await read; chunk !== null && chunk.rowCount > 0; chunk = await read) {
      const current = chunk;
      const { rowCount } = current;
      read = result.fetchChunk();
      // The failure is awaited when these rows are written.
      read.catch(() => undefined);
      const writers = columns.map(({ name, type }, index) =>
        attributeWriter(
          values,
          attributes.get(name) ?? 0,
          current.getColumnVector(firstColumn + index),
          storageOf(type),
          type.kind === 'list' ? storageOf(type.item) : 'text',
        ),
      );
      const begin = beginRows(current);
      for (let row = 0; row < rowCount; row++) {
        begin(row, count++);
        for (const write of writers) write(row);
        values.endEntity();
      }
      await feed.write(values.take());
    }
    const expected = rows.get(table) ?? 0;
    if (count !== expected) throw new Error(`${table} has ${count} rows to store, and ${expected} were announced.`);
  };

  return {
    nodes: async ({ label, primaryKey, properties }, files) => {
      const first = nodeCount;
      const key = sqlName(primaryKey.name);
      const columns = [primaryKey, ...properties];
      // So that numbers grow along the rows, and neighbours in the files are neighbours in the graph.
      await session.run('SET preserve_insertion_order = true');
      await session.run(
        `CREATE TEMP TABLE ${keyTable(label)} AS ` +
          `SELECT ${key} AS key, (row_number() OVER () - 1 + ${first})::UINTEGER AS number FROM ${readParquet(files)}`,
      );
      await session.run('SET preserve_insertion_order = false');
      const sql =
        `SELECT k.number, ${columns.map((column) => valueSql('n', column)).join(', ')} ` +
        `FROM ${readParquet(files)} AS n JOIN ${keyTable(label)} AS k ON k.key = n.${key}`;
      await save(label, sql, columns, 1, (chunk) => {
        const numbers = numbersOf(chunk, 0);
        return (row) => {
          nodeCount++;
          values.beginEntity(numbers(row));
        };
      });
      labels.push({ label, first, count: nodeCount - first });
    },
    edges: async ({ type, fromNode, toNode, properties }, files) => {
      const first = edgeCount;
      const count = rows.get(type) ?? 0;
      const ends = { from: new Uint32Array(count), to: new Uint32Array(count) };
      const [from, to] = (await session.columns(`SELECT * FROM ${readParquet(files)}`)).map(({ name }) =>
        sqlName(name),
      );
      const sql =
        `SELECT ${['f.number', 't.number', ...properties.map((column) => valueSql('e', column))].join(', ')} ` +
        `FROM ${readParquet(files)} AS e JOIN ${keyTable(fromNode)} AS f ON f.key = e.${from} ` +
        `JOIN ${keyTable(toNode)} AS t ON t.key = e.${to}`;
      await save(type, sql, properties, 2, (chunk) => {
        const [fromNumbers, toNumbers] = [numbersOf(chunk, 0), numbersOf(chunk, 1)];
        return (row, at) => {
          ends.from[at] = fromNumbers(row);
          ends.to[at] = toNumbers(row);
          values.beginEntity(first + at);
        };
      });
      edgeCount += count;
      relations.push({ first, ends });
    },
    end: async () => {
      if (missing.length > 0) throw new Error(`${missing.join(', ')} did not come.`);
      const size = matrixRows(nodeCount);
      values.number(labels.length);
      for (const [id, { first, count }] of labels.entries()) {
        values.number(id);
        saveLabelMatrix(values, size, first, count);
      }
      let joined: JoinedNodes | null = null;
      for (const [id, { ends, first }] of relations.entries()) {
        values.number(id);
        joined = joinedNodes(ends, size);
        saveRelation(values, size, joined, first);
        await feed.write(values.take());
      }
      if (joined === null || relations.length > 1) joined = joinedNodes(concatenated(relations), size);
      saveAdjacency(values, size, joined);
      const labelOf = new Uint32Array(nodeCount);
      for (const [id, { first, count }] of labels.entries()) labelOf.fill(id, first, first + count);
      saveLabelsMatrix(values, size, labelOf);
      await feed.write([...values.takeAll(), FILE_TAIL]);
      await feed.end();
      return labels;
    },
  };
};

const concatenated = (relations: readonly Relation[]): EdgeEnds => {
  const count = relations.reduce((sum, { ends }) => sum + ends.from.length, 0);
  const all = { from: new Uint32Array(count), to: new Uint32Array(count) };
  for (const { ends, first } of relations) {
    all.from.set(ends.from, first);
    all.to.set(ends.to, first);
  }
  return all;
};

const keyTable = (label: string): string => sqlName(`numbers of ${label}`);

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
