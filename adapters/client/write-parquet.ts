import { DataType, Field, Precision, type RecordBatch, RecordBatchReader, Type, Vector } from 'apache-arrow';
import { type SchemaElement } from 'hyparquet';
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
  const writer = new ParquetWriter({
    writer: writeTo,
    schema: [root, ...columns.flatMap(({ kind }) => kind.schema)],
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

/** How a column, or a part of one, is stored in Parquet. */
interface Kind {
  /** Its element, and those of its parts. */
  readonly schema: readonly SchemaElement[];
  readonly value: Read;
}

type Read = (column: Vector, index: number) => unknown;

const stored: Read = (column, index) =>
  column.isValid(index) ? (column.data[0]?.values as ArrayLike<unknown>)[index] : null;
const decoded: Read = (column, index) => column.get(index);

/** The decoder of apache-arrow drops U+FEFF at the beginning of a text. */
const TEXT_DECODER = new TextDecoder('utf-8', { ignoreBOM: true });
const text: Read = (column, index) => {
  const [begin, end] = rangeOf(column, index);
  return column.isValid(index)
    ? TEXT_DECODER.decode((column.data[0]?.values as Uint8Array).subarray(begin, end))
    : null;
};

/** Where the items or bytes of a value begin and end. */
const rangeOf = (column: Vector, index: number): readonly [number, number] => {
  const { [index]: begin = 0, [index + 1]: end = 0 } = column.data[0]?.valueOffsets as ArrayLike<number>;
  return [begin, end];
};

const isInt = (bits: number) => (type: DataType) => DataType.isInt(type) && type.bitWidth === bits;
const isSingle = (type: DataType): boolean => DataType.isFloat(type) && type.precision === Precision.SINGLE;
const MICROS = { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' } as const;
const TIMESTAMP = { type: 'INT64', converted_type: 'TIMESTAMP_MICROS', logical_type: MICROS } as const;

interface Scalar {
  readonly is: (type: DataType) => boolean;
  /** `converted_type` is the older form that all readers support. */
  readonly element: Partial<SchemaElement>;
  readonly value: Read;
}

/** The types without parts that instances write. */
const SCALARS: readonly Scalar[] = [
  { is: (type) => DataType.isUtf8(type), element: { type: 'BYTE_ARRAY', converted_type: 'UTF8' }, value: text },
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

const kindOf = ({ type, nullable, ...field }: Field<DataType>, name = field.name): Kind => {
  const element = { name, repetition_type: nullable ? ('OPTIONAL' as const) : ('REQUIRED' as const) };
  const repeated = { repetition_type: 'REPEATED' as const };
  if (DataType.isList(type)) {
    const item = kindOf(type.valueField as Field<DataType>, 'element');
    const list = { ...element, converted_type: 'LIST' as const, num_children: 1 };
    return { schema: [list, { name: 'list', ...repeated, num_children: 1 }, ...item.schema], value: itemsOf(item) };
  }
  if (DataType.isMap(type)) {
    const entry = kindOf(new Field('key_value', type.childType, false));
    const map = { ...element, converted_type: 'MAP' as const, num_children: 1 };
    return {
      schema: [map, ...entry.schema.map((each, at) => (at === 0 ? { ...each, ...repeated } : each))],
      value: itemsOf(entry),
    };
  }
  if (DataType.isStruct(type)) {
    const parts = type.children.map((child: Field<DataType>) => ({ name: child.name, ...kindOf(child) }));
    const struct = { ...element, num_children: parts.length };
    return { schema: [struct, ...parts.flatMap(({ schema }) => schema)], value: fieldsOf(parts) };
  }
  const scalar = SCALARS.find(({ is }) => is(type));
  if (scalar === undefined) throw new Error(`unsupported type ${Type[type.typeId]} of column ${name}`);
  return { schema: [{ ...element, ...scalar.element }], value: scalar.value };
};

/** Reads a list or map, as an array of its items or entries. */
const itemsOf =
  ({ value }: Kind): Read =>
  (column, index) => {
    const [begin, end] = rangeOf(column, index);
    const items = new Vector(column.data[0]?.children.map((child) => child.slice(begin, end - begin)) ?? []);
    return column.isValid(index) ? Array.from({ length: items.length }, (_, at) => value(items, at)) : null;
  };

const fieldsOf =
  (parts: readonly (Kind & { readonly name: string })[]): Read =>
  (column, index) => {
    const values = parts.map(({ name, value }, at): readonly [string, unknown] => {
      const child = column.getChildAt(at);
      return [name, child && value(child, index)];
    });
    return column.isValid(index) ? Object.fromEntries(values) : null;
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
