import { type ColumnType } from '../graph-schema';
import { sqlTypeName, typeOfColumn } from './compile/type';

/**
 * The tables of a graph in DuckDB. Names are numbered in the order of the schema, because labels and properties may
 * differ in case only. A node table has `_id`, the key in `p0` and the other properties in `p1`, `p2`, …; an edge table
 * has `_id`, `_from`, `_to`, and properties from `p0` on; a reverse table has `_to`, `_from`, `_id`. Rows are sorted: of
 * nodes by key, of edges by `_from`, `_to`, of reverse tables by `_to`, `_from`.
 */
export const nodeTable = (index: number): string => `node_${index}`;
export const edgeTable = (index: number): string => `edge_${index}`;
export const reverseTable = (index: number): string => `reverse_${index}`;
export const propertyColumn = (index: number): string => `p${index}`;

/** An id is the index of its table, shifted left by this number of bits, plus the number of its row. */
export const TABLE_BITS = 40;

/** The bits of an id that number its row. */
export const ROW_MASK = (1n << BigInt(TABLE_BITS)) - 1n;

/** The id of the first row of the table with this index. */
export const firstId = (index: number): bigint => BigInt(index) << BigInt(TABLE_BITS);

/** The type of a stored value. */
export const duckdbType = (type: ColumnType): string => sqlTypeName(typeOfColumn(type, false));

/** A value of a Parquet file as it is stored. */
export const storedExpression = (value: string, type: ColumnType, depth = 0): string => {
  if (!holdsStruct(type)) return `CAST(${value} AS ${duckdbType(type)})`;
  const items = (list: string, item: ColumnType): string =>
    `list_transform(${list}, lambda v${depth}: ${storedExpression(`v${depth}`, item, depth + 1)})`;
  if (type.kind === 'list') return items(value, type.item);
  const whole =
    type.kind === 'map'
      ? `map(${items(`map_keys(${value})`, type.key)}, ${items(`map_values(${value})`, type.value)})`
      : `struct_pack(${fieldsOf(type)
          .map(
            (field, index) =>
              `f${index} := ${storedExpression(`struct_extract_at(${value}, ${index + 1})`, field, depth)}`,
          )
          .join(', ')})`;
  return `CASE WHEN ${value} IS NULL THEN NULL ELSE ${whole} END`;
};

const fieldsOf = (type: ColumnType): readonly ColumnType[] =>
  type.kind === 'struct' ? type.fields.map((field) => field.type) : [];

const holdsStruct = (type: ColumnType): boolean =>
  type.kind === 'struct' ||
  (type.kind === 'list' && holdsStruct(type.item)) ||
  (type.kind === 'map' && (holdsStruct(type.key) || holdsStruct(type.value)));
