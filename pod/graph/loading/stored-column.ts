import { type DuckDBType, DuckDBTypeId } from '@duckdb/node-api';
import { sqlName } from '../duckdb/duckdb-session';
import { type ColumnType, scalar } from '../engine/graph-schema';

/** The conversion of an exported column to a stored one. Expressions are DuckDB SQL over the exported file. */
export interface StoredColumn {
  readonly name: string;
  readonly declaredType: string;
  readonly type: ColumnType;
  /** The exported column, quoted. */
  readonly source: string;
  /** The stored value. */
  readonly expression: string;
  /** True for a value that does not fit the declared type exactly; null when every value does. */
  readonly misfit: string | null;
  /** Whether the column is stored unchanged. */
  readonly asExported: boolean;
}

const DUCKDB_NAME: Readonly<Record<string, string>> = {
  STRING: 'VARCHAR',
  INT64: 'BIGINT',
  INT32: 'INTEGER',
  INT16: 'SMALLINT',
  INT8: 'TINYINT',
  BOOL: 'BOOLEAN',
};
const NESTED = new Set(['LIST', 'MAP', 'STRUCT']);
const WHOLE_NUMBERS = new Set(['INT64', 'INT32', 'INT16', 'INT8']);

/** Null when the exported type cannot be converted to the declared type. */
export const storedColumn = (
  name: string,
  exportedName: string,
  exported: DuckDBType,
  declaredType: string,
): StoredColumn | null => {
  const type = NESTED.has(declaredType) ? storedType(exported) : scalar(declaredType);
  if (type.kind !== 'scalar' && type.kind.toUpperCase() !== declaredType) return null;
  if (type.kind === 'scalar' && NESTED.has(declaredType)) return null;
  const source = sqlName(exportedName);
  const [from, to] = [exported.toString(), duckdbType(type)];
  const column = { name, declaredType, type, source };
  if (unquoted(from) === unquoted(to)) return { ...column, expression: source, misfit: null, asExported: true };
  if (exported.typeId === DuckDBTypeId.TIMESTAMP_TZ && to === 'TIMESTAMP')
    return { ...column, expression: momentOf(source), misfit: null, asExported: false };
  const expression = `TRY_CAST(${source} AS ${to})`;
  return { ...column, expression, misfit: misfit(source, expression, from, declaredType), asExported: false };
};

/** A cast rounds times of the last years that DuckDB has, or fails. */
const momentOf = (source: string): string =>
  `CASE WHEN isfinite(${source}) THEN make_timestamp(epoch_us(${source})) ELSE CAST(${source} AS TIMESTAMP) END`;

const unquoted = (type: string): string => type.replaceAll('"', '');

/** The nearest graph type of an exported type. */
const storedType = (type: DuckDBType): ColumnType => {
  const { typeId } = type;
  if (typeId === DuckDBTypeId.LIST || typeId === DuckDBTypeId.ARRAY) {
    return { kind: 'list', item: storedType(type.valueType) };
  }
  if (typeId === DuckDBTypeId.MAP) {
    return { kind: 'map', key: storedType(type.keyType), value: storedType(type.valueType) };
  }
  if (typeId !== DuckDBTypeId.STRUCT) return scalar(storedScalar(type.toString()));
  const { entryNames, entryTypes } = type;
  const fields = entryNames.map((name, index) => ({ name, type: storedType(entryTypes[index] ?? type) }));
  return { kind: 'struct', fields };
};

const storedScalar = (name: string): string => {
  if (name.startsWith('TIMESTAMP')) return 'TIMESTAMP';
  if (/^(BIGINT|HUGEINT|UBIGINT|UINTEGER|UHUGEINT|BIGNUM|DECIMAL\(\d+, ?0\))$/.test(name)) return 'INT64';
  if (name.startsWith('DECIMAL')) return 'DOUBLE';
  const small: Readonly<Record<string, string>> = { USMALLINT: 'INT32', UTINYINT: 'INT16' };
  const same = Object.entries(DUCKDB_NAME).find(([, duckdb]) => duckdb === name)?.[0];
  return same ?? small[name] ?? (/^(DOUBLE|FLOAT|DATE|UUID|BLOB)$/.test(name) ? name : 'STRING');
};

/** `BIGINT[]`, `MAP(VARCHAR, DOUBLE)`, `STRUCT("a" BIGINT)`. */
const duckdbType = (type: ColumnType): string => {
  switch (type.kind) {
    case 'scalar':
      return DUCKDB_NAME[type.name] ?? type.name;
    case 'list':
      return `${duckdbType(type.item)}[]`;
    case 'map':
      return `MAP(${duckdbType(type.key)}, ${duckdbType(type.value)})`;
    case 'struct':
      return `STRUCT(${type.fields.map((field) => `${sqlName(field.name)} ${duckdbType(field.type)}`).join(', ')})`;
  }
};

/** Text must spell a value of the type; everything else must come back the same when it is cast back. */
const misfit = (source: string, converted: string, from: string, declaredType: string): string | null => {
  if (declaredType === 'STRING') return null;
  const notNull = `${source} IS NOT NULL`;
  if (from !== 'VARCHAR') return `${notNull} AND TRY_CAST(${converted} AS ${from}) IS DISTINCT FROM ${source}`;
  const unreadable = `${notNull} AND ${converted} IS NULL`;
  if (WHOLE_NUMBERS.has(declaredType)) {
    return `(${unreadable}) OR NOT regexp_full_match(${source}, '[+-]?[0-9]+')`;
  }
  if (declaredType === 'DATE') {
    return `(${unreadable}) OR TRY_CAST(${source} AS TIMESTAMP) <> CAST(${converted} AS TIMESTAMP)`;
  }
  return unreadable;
};
