import { DataType, type Field, Precision, type RecordBatch, RecordBatchReader, Type, type Vector } from 'apache-arrow';
import { type Writer } from 'hyparquet-writer';

/** Limits of a row group, which is kept in memory while it is written. */
const GROUP_ROWS = 50_000;
const GROUP_BYTES = 4 * 2 ** 20;
/** Each column of each group uses memory until the end, so groups with many columns are larger. */
const GROUP_BYTES_PER_COLUMN = 2 ** 17;

/**
 * Writes a stream in Arrow's IPC format as a Parquet file, one row group at a time.
 *
 * @param gzip Default: Snappy.
 */
export const writeParquet = async (
  rows: AsyncIterable<Uint8Array>,
  writeTo: Writer,
  gzip?: (bytes: Uint8Array) => Uint8Array,
): Promise<void> => {
  const { ParquetWriter } = await import('hyparquet-writer');
  const reader = await (await RecordBatchReader.from(rows)).open();
  const fields: readonly Field<DataType>[] = reader.schema.fields;
  const columns = fields.map((field) => ({ name: field.name, kind: kindOf(field) }));
  const root = { name: 'root', num_children: columns.length };
  const leaves = columns.map(({ name, kind }) => ({ name, repetition_type: 'OPTIONAL' as const, ...kind.element }));
  const writer = new ParquetWriter({
    writer: writeTo,
    schema: [root, ...leaves],
    ...(gzip === undefined ? {} : { codec: 'GZIP', compressors: { GZIP: gzip } }),
  });
  for await (const batches of groupsOf(reader, columns.length)) {
    const columnData = columns.map(({ name, kind: { value } }, index) => ({
      name,
      data: valuesOf(batches, index, value),
    }));
    await writer.write({ columnData, rowGroupSize: GROUP_ROWS });
  }
  await writer.finish();
};

async function* groupsOf(reader: AsyncIterable<RecordBatch>, columns: number): AsyncGenerator<readonly RecordBatch[]> {
  const mostBytes = Math.max(GROUP_BYTES, columns * GROUP_BYTES_PER_COLUMN);
  let group: RecordBatch[] = [];
  let [rows, bytes] = [0, 0];
  for await (const batch of reader) {
    group.push(batch);
    rows += batch.numRows;
    bytes += batch.data.byteLength;
    if (rows < GROUP_ROWS && bytes < mostBytes) continue;
    yield group;
    group = [];
    [rows, bytes] = [0, 0];
  }
  yield group;
}

interface Kind {
  /** The type in Parquet; `converted_type` is the older form that all readers support. */
  readonly element: {
    readonly type: 'BOOLEAN' | 'INT32' | 'INT64' | 'FLOAT' | 'DOUBLE' | 'BYTE_ARRAY';
    readonly converted_type?: 'UTF8' | 'INT_8' | 'INT_16' | 'DATE' | 'TIMESTAMP_MICROS';
    readonly logical_type?: { readonly type: 'TIMESTAMP'; readonly isAdjustedToUTC: boolean; readonly unit: 'MICROS' };
  };
  readonly value: (column: Vector, index: number) => unknown;
}

const stored = (column: Vector, index: number): unknown =>
  column.isValid(index) ? (column.data[0]?.values as ArrayLike<unknown>)[index] : null;
const decoded = (column: Vector, index: number): unknown => column.get(index);

const isInt = (bits: number) => (type: DataType) => DataType.isInt(type) && type.bitWidth === bits;
const isSingle = (type: DataType): boolean => DataType.isFloat(type) && type.precision === Precision.SINGLE;
const MICROS = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } as const;
const TIMESTAMP = { type: 'INT64', converted_type: 'TIMESTAMP_MICROS', logical_type: MICROS } as const;

/** The types that instances write. */
const KINDS: readonly (Kind & { readonly is: (type: DataType) => boolean })[] = [
  { is: (type) => DataType.isUtf8(type), element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, value: decoded },
  { is: (type) => DataType.isBool(type), element: { type: 'BOOLEAN' }, value: decoded },
  { is: isInt(64), element: { type: 'INT64' }, value: decoded },
  { is: isInt(32), element: { type: 'INT32' }, value: decoded },
  { is: isInt(16), element: { type: 'INT32', converted_type: 'INT_16' }, value: decoded },
  { is: isInt(8), element: { type: 'INT32', converted_type: 'INT_8' }, value: decoded },
  { is: isSingle, element: { type: 'FLOAT' }, value: decoded },
  { is: (type) => DataType.isFloat(type), element: { type: 'DOUBLE' }, value: decoded },
  { is: (type) => DataType.isDate(type), element: { type: 'INT32', converted_type: 'DATE' }, value: stored },
  { is: (type) => DataType.isTimestamp(type), element: TIMESTAMP, value: stored },
  { is: (type) => DataType.isBinary(type), element: { type: 'BYTE_ARRAY' }, value: decoded },
];

const kindOf = ({ name, type }: Field<DataType>): Kind => {
  const kind = KINDS.find(({ is }) => is(type));
  if (kind === undefined) throw new Error(`unsupported type ${Type[type.typeId]} of column ${name}`);
  return kind;
};

const valuesOf = (batches: readonly RecordBatch[], index: number, value: Kind['value']): unknown[] => {
  const values: unknown[] = [];
  for (const batch of batches) {
    const column = batch.getChildAt(index);
    if (column === null) continue;
    for (let row = 0; row < column.length; row++) values.push(value(column, row));
  }
  return values;
};
