import { type ColumnType, type SpecialValue } from '../engine/graph-schema';
import { type GraphEngine, type TableKind } from '../engine/graph-engine';
import { sqlString } from '../duckdb/duckdb-session';
import { type StoredColumn } from './stored-column';

/** The special values that an engine can store; all others are defects. */
export type StorableValues = Pick<
  GraphEngine,
  'storesNaN' | 'storesInfiniteTimes' | 'storesSmallestValues' | 'storesZeroCharacters'
>;

/**
 * Values of a column that an engine cannot store: a description that begins with a plural verb, and the DuckDB SQL for
 * the rows.
 */
export interface Unstorable {
  readonly words: string;
  readonly condition: string;
}

export const unstorableIn = (
  { name, type, expression }: StoredColumn,
  kind: TableKind,
  storable: StorableValues,
): readonly Unstorable[] => {
  const isPlain = type.kind === 'scalar';
  const found: Unstorable[] = [];
  const refuse = (test: ScalarTest, words: string): void => {
    const condition = anyValue(expression, type, test);
    if (condition !== null) found.push({ condition, words: `have ${words}` });
  };
  if (storable.storesNaN === 'node properties' && !(isPlain && kind === 'nodes')) {
    const where = kind === 'edges' ? 'on edges' : 'inside lists, maps and structs';
    refuse(isNaN, `NaN in ${name}, which this graph database cannot keep ${where} (export NULL instead)`);
  }
  if (!storable.storesInfiniteTimes) {
    refuse(isInfinite, `an infinite time in ${name}, which this graph database cannot keep (export NULL instead)`);
  }
  if (!storable.storesSmallestValues) {
    const instead = `in ${name}, which this graph database cannot keep (export NULL or another value instead)`;
    refuse(isSmallest, `the smallest value of its type ${instead}`);
    refuse(isScaledSmallest, `-2147483648, or that divided by a power of ten, ${instead}`);
  }
  // Deeper inside it is part of a JSON text, which has another spelling for it.
  if (!storable.storesZeroCharacters && (isPlain || (type.kind === 'list' && type.item.kind === 'scalar'))) {
    refuse(hasZero, `the character U+0000 in ${name}, which this graph database cannot keep in text`);
  }
  return found;
};

/** A kind of special value in a column; `existsSql` is a DuckDB aggregate. */
export const specialValuesIn = ({
  name,
  type,
  expression,
}: StoredColumn): readonly { name: string; value: SpecialValue; existsSql: string }[] => {
  const some = (test: ScalarTest): string | null => {
    const condition = anyValue(expression, type, test);
    return condition === null ? null : `bool_or(${condition})`;
  };
  const greatUuid = some(isGreatUuid);
  // Inside other values the nulls are not counted.
  const nullBeside = type.kind === 'scalar' ? `count(${expression}) < count(*) AND ` : '';
  const found = [
    ['NaN', type.kind === 'scalar' ? some(isNaN) : null],
    ['great UUID', greatUuid === null ? null : nullBeside + greatUuid],
    ['great integer', type.kind === 'scalar' ? some(isGreatInteger) : null],
  ] as const;
  return found.flatMap(([value, existsSql]) => (existsSql === null ? [] : [{ name, value, existsSql }]));
};

/** The kinds of special keys of nodes. */
export const specialKeysIn = ({ name, type, expression }: StoredColumn): ReturnType<typeof specialValuesIn> => {
  const condition = type.kind === 'scalar' ? isUnusual(expression, type.name) : null;
  return condition === null ? [] : [{ name, value: 'unusual key', existsSql: `bool_or(${condition})` }];
};

/** DuckDB SQL about a value without parts, null for types it says nothing about. */
type ScalarTest = (expression: string, type: string) => string | null;

const isNaN: ScalarTest = (value, type) => (type === 'DOUBLE' || type === 'FLOAT' ? `isnan(${value})` : null);
const isInfinite: ScalarTest = (value, type) =>
  type === 'DATE' || type === 'TIMESTAMP' ? `NOT isfinite(${value})` : null;
const hasZero: ScalarTest = (value, type) => (type === 'STRING' ? `contains(${value}, chr(0))` : null);

/**
 * Kuzu takes as many bits for the integers of a block as their absolute values need. The smallest one of a width has
 * none: it becomes 0, or fails. A UUID is kept as a 128-bit integer.
 */
const isSmallest: ScalarTest = (value, type) => {
  const smallest = SMALLEST[type];
  return smallest === undefined ? null : `${value} = ${smallest}`;
};

/** Kuzu keeps a FLOAT as a 32-bit integer times a power of ten. */
const isScaledSmallest: ScalarTest = (value, type) => {
  if (type !== 'FLOAT') return null;
  const power = `log10(-CAST(${value} AS DOUBLE) / 2147483648)`;
  return `CASE WHEN ${value} < 0 AND isfinite(${value}) THEN abs(${power} - round(${power})) < 1e-6 ELSE false END`;
};

const SMALLEST: Readonly<Record<string, string>> = {
  INT8: "'-128'::TINYINT",
  INT16: "'-32768'::SMALLINT",
  INT32: "'-2147483648'::INTEGER",
  INT64: "'-9223372036854775808'::BIGINT",
  UUID: "'00000000-0000-0000-0000-000000000000'::UUID",
};

/** With null beside it, reading it may fail: `findUnreadableUuids` in `pod/graph/engine/kuzu`. */
const isGreatUuid: ScalarTest = (value, type) =>
  type === 'UUID' ? `${value} >= 'c0000000-0000-0000-0000-000000000000'::UUID` : null;

/** FalkorDB orders integers by their difference. */
const isGreatInteger: ScalarTest = (value, type) =>
  type === 'INT64' ? `${value} NOT BETWEEN -4611686018427387903 AND 4611686018427387903` : null;

/** An index of FalkorDB does not find the key, or confuses it with another. */
const isUnusual: ScalarTest = (value, type) => {
  if (type === 'STRING')
    return `${value} = '' OR length(${value}) > 1000 OR regexp_matches(${value}, '^[\\s\\v]|[\\s\\v]$')`;
  return type === 'INT64' ? `${value} NOT BETWEEN -9007199254740991 AND 9007199254740991` : null;
};

/** Whether a value, or one anywhere inside it, passes a test. */
const anyValue = (expression: string, type: ColumnType, test: ScalarTest, depth = 0): string | null => {
  const anyOf = (items: string, item: ColumnType): string | null => {
    const condition = anyValue(`v${depth}`, item, test, depth + 1);
    return condition === null ? null : `len(list_filter(${items}, lambda v${depth}: ${condition})) > 0`;
  };
  switch (type.kind) {
    case 'scalar':
      return test(expression, type.name);
    case 'list':
      return anyOf(expression, type.item);
    case 'map':
      return either([anyOf(`map_keys(${expression})`, type.key), anyOf(`map_values(${expression})`, type.value)]);
    case 'struct':
      return either(
        type.fields.map((field) =>
          anyValue(`struct_extract(${expression}, ${sqlString(field.name)})`, field.type, test, depth),
        ),
      );
    case 'node':
    case 'rel':
    case 'path':
      return null;
  }
};

const either = (conditions: readonly (string | null)[]): string | null => {
  const known = conditions.filter((condition) => condition !== null);
  return known.length === 0 ? null : `(${known.join(' OR ')})`;
};
