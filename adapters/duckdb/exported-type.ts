import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import { sqlName } from './sql-text';

/**
 * The type that a column is cast to before it is written, because Parquet would change its values or cannot hold them;
 * null when it keeps them all.
 */
export const exportedType = (type: DuckDBType): string | null => {
  const { typeId } = type;
  if (typeId === DuckDBTypeId.LIST || typeId === DuckDBTypeId.ARRAY) {
    const item = exportedType(type.valueType);
    return item === null ? null : `${item}[${typeId === DuckDBTypeId.ARRAY ? type.length : ''}]`;
  }
  if (typeId === DuckDBTypeId.MAP) {
    const [key, value] = [exportedType(type.keyType), exportedType(type.valueType)];
    if (key === null && value === null) return null;
    return `MAP(${key ?? nameOf(type.keyType)}, ${value ?? nameOf(type.valueType)})`;
  }
  if (typeId !== DuckDBTypeId.STRUCT) return REPLACED[typeId] ?? null;
  const { entryNames, entryTypes } = type;
  // As `row(1, 2)` makes it: a graph has no such value, and the type cannot be written.
  if (entryNames.includes('')) return 'VARCHAR';
  const types = entryTypes.map(exportedType);
  if (types.every((entry) => entry === null)) return null;
  return `STRUCT(${entryTypes.map((entry, at) => `${sqlName(entryNames[at] ?? '')} ${types[at] ?? nameOf(entry)}`).join(', ')})`;
};

/**
 * Parquet has no 128-bit integers, and DuckDB would round them (every `sum` of integers) to doubles. An interval has
 * whole milliseconds and no sign there, and a union becomes a struct without names.
 */
const REPLACED: Readonly<Partial<Record<DuckDBTypeId, string>>> = {
  [DuckDBTypeId.HUGEINT]: 'DECIMAL(38, 0)',
  [DuckDBTypeId.UHUGEINT]: 'DECIMAL(38, 0)',
  [DuckDBTypeId.INTERVAL]: 'VARCHAR',
  [DuckDBTypeId.UNION]: 'VARCHAR',
};

/** The name of a type that is kept. Parquet has text for the values of an enum. */
const nameOf = (type: DuckDBType): string =>
  type.typeId === DuckDBTypeId.ENUM || type.typeId === DuckDBTypeId.SQLNULL ? 'VARCHAR' : type.toString();
