import { sqlString } from '../duckdb/duckdb-session';
import { type GraphEngine } from '../engine/graph-engine';
import { type ColumnType, type SpecialValue } from '../engine/graph-schema';
import { type StoredColumn } from './stored-column';

/** The special values that an engine can store; all others are defects. */
export type StorableValues = Pick<GraphEngine, 'storesZeroCharacters'>;

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
  storable: StorableValues,
): readonly Unstorable[] => {
  const { kind } = type;
  // Deeper inside it is part of a JSON text, which has another spelling for it.
  const isText = kind === 'scalar' || (kind === 'list' && type.item.kind === 'scalar');
  const condition = storable.storesZeroCharacters || !isText ? null : anyValue(expression, type, hasZero);
  const words = `have the character U+0000 in ${name}, which this graph database cannot keep in text`;
  return condition === null ? [] : [{ condition, words }];
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
  const found = [
    ['not finite', type.kind === 'scalar' || type.kind === 'list' ? some(isNotFinite) : null],
    ['great integer', type.kind === 'scalar' ? some(isGreatInteger) : null],
    ['large integer', type.kind === 'scalar' ? some(isLargeInteger) : null],
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

const isNotFinite: ScalarTest = (value, type) =>
  type === 'DOUBLE' || type === 'FLOAT' ? `NOT isfinite(${value})` : null;
const hasZero: ScalarTest = (value, type) => (type === 'STRING' ? `contains(${value}, chr(0))` : null);

/** FalkorDB orders integers by their difference, and compares them with floats as floats. */
const isGreatInteger: ScalarTest = (value, type) =>
  type === 'INT64' ? `${value} NOT BETWEEN -9007199254740991 AND 9007199254740991` : null;

const isLargeInteger: ScalarTest = (value, type) =>
  type === 'INT64' ? `${value} NOT BETWEEN -2147483648 AND 2147483647` : null;

/** An index of FalkorDB does not find the key, or confuses it with another. */
const isUnusual: ScalarTest = (value, type) => {
  if (type === 'STRING')
    return `${value} = '' OR length(${value}) > 1000 OR regexp_matches(${value}, '^[\\s\\v]|[\\s\\v]$')`;
  return isGreatInteger(value, type);
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
  }
};

const either = (conditions: readonly (string | null)[]): string | null => {
  const known = conditions.filter((condition) => condition !== null);
  return known.length === 0 ? null : `(${known.join(' OR ')})`;
};
