import { rm } from 'node:fs/promises';
import { type Readable } from 'node:stream';
import {
  DuckDBBlobValue,
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBDateValue,
  DuckDBInstance,
  DuckDBTimestampTZValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { DataType, type Field, Precision, type RecordBatch, RecordBatchReader, Type, type Vector } from 'apache-arrow';

/** Rows DuckDB takes at once. */
const CHUNK_ROWS = 2_048;
const MEMORY = '32MiB';

/**
 * Writes a stream of Arrow's IPC format as a Parquet file. The rows wait in a database beside it, because Parquet is
 * written by columns, and memory would not hold them.
 */
export const writeParquet = async (rows: Readable, file: string): Promise<void> => {
  const database = `${file}.duckdb`;
  const instance = await DuckDBInstance.create(database, { threads: '1', memory_limit: MEMORY });
  const connection = await instance.connect();
  try {
    await fill(connection, rows);
    await connection.run(`COPY exported TO '${file.replaceAll("'", "''")}' (FORMAT parquet, COMPRESSION zstd)`);
  } finally {
    connection.closeSync();
    instance.closeSync();
    for (const path of [database, `${database}.wal`, `${database}.tmp`])
      await rm(path, { recursive: true, force: true });
  }
};

const fill = async (connection: DuckDBConnection, rows: Readable): Promise<void> => {
  const reader = await (await RecordBatchReader.from(piecesOf(rows))).open();
  const fields: readonly Field<DataType>[] = reader.schema.fields;
  const columns = fields.map((field) => `"${field.name.replaceAll('"', '""')}" ${kindOf(field).sql}`);
  await connection.run(`CREATE TABLE exported (${columns.join(', ')})`);
  const appender = await connection.createAppender('exported');
  const types = fields.map((_, index) => appender.columnType(index));
  for await (const batch of reader) {
    for (let from = 0; from < batch.numRows; from += CHUNK_ROWS) {
      const count = Math.min(CHUNK_ROWS, batch.numRows - from);
      const chunk = DuckDBDataChunk.create(types, count);
      chunk.setColumns(fields.map((field, index) => valuesOf(batch, index, kindOf(field), from, count)));
      appender.appendDataChunk(chunk);
    }
  }
  appender.closeSync();
};

/** As every build of the library takes it. */
async function* piecesOf(rows: Readable): AsyncGenerator<Uint8Array> {
  for await (const piece of rows) yield piece as Uint8Array;
}

interface Kind {
  readonly sql: string;
  readonly value: (column: Vector, index: number) => DuckDBValue;
}

const stored = ({ data }: Vector, index: number): unknown => (data[0]?.values as ArrayLike<unknown>)[index];
const asItIs = (column: Vector, index: number): DuckDBValue => column.get(index) as DuckDBValue;

/** The types an instance writes. */
const KINDS: readonly (Kind & { readonly is: (type: DataType) => boolean })[] = [
  { is: (type) => DataType.isUtf8(type), sql: 'VARCHAR', value: asItIs },
  { is: (type) => DataType.isBool(type), sql: 'BOOLEAN', value: asItIs },
  { is: (type) => DataType.isInt(type) && type.bitWidth === 64, sql: 'BIGINT', value: asItIs },
  { is: (type) => DataType.isInt(type) && type.bitWidth === 32, sql: 'INTEGER', value: asItIs },
  { is: (type) => DataType.isInt(type) && type.bitWidth === 16, sql: 'SMALLINT', value: asItIs },
  { is: (type) => DataType.isInt(type), sql: 'TINYINT', value: asItIs },
  { is: (type) => DataType.isFloat(type) && type.precision === Precision.SINGLE, sql: 'FLOAT', value: asItIs },
  { is: (type) => DataType.isFloat(type), sql: 'DOUBLE', value: asItIs },
  {
    is: (type) => DataType.isDate(type),
    sql: 'DATE',
    value: (column, index) => new DuckDBDateValue(Number(stored(column, index))),
  },
  {
    is: (type) => DataType.isTimestamp(type),
    sql: 'TIMESTAMPTZ',
    value: (column, index) => new DuckDBTimestampTZValue(stored(column, index) as bigint),
  },
  {
    is: (type) => DataType.isBinary(type),
    sql: 'BLOB',
    value: (column, index) => new DuckDBBlobValue(column.get(index) as Uint8Array),
  },
];

const kindOf = ({ name, type }: Field<DataType>): Kind => {
  const kind = KINDS.find(({ is }) => is(type));
  if (kind === undefined)
    throw new Error(`Column ${name} has the type ${Type[type.typeId]}, which this program does not know`);
  return kind;
};

const valuesOf = (batch: RecordBatch, column: number, { value }: Kind, from: number, count: number): DuckDBValue[] => {
  const vector = batch.getChildAt(column);
  return Array.from({ length: count }, (_, offset) =>
    vector?.isValid(from + offset) === true ? value(vector, from + offset) : null,
  );
};
