import { type ColumnType, scalar } from '../../graph-schema';

/** The static type of a value in SQL. */
export type Type =
  | ScalarType
  /**
   * The JSON text of a value whose type differs from row to row; values that JSON writes as strings have a tag before it
   * (`TAGS`). `members`: the types of its values, each of another kind; null: any value of JSON, without tags.
   */
  | { readonly kind: 'any'; readonly members: readonly Member[] | null }
  | { readonly kind: 'list'; readonly item: Type }
  /** A STRUCT with the fields f0, f1, …, because the names of a STRUCT's fields ignore case. */
  | { readonly kind: 'map'; readonly fields: readonly MapField[] }
  /** A stored value of the property type MAP. */
  | { readonly kind: 'stored_map'; readonly key: Type; readonly value: Type }
  /** A BIGINT; `tables`: the numbers of the tables that it can be in. */
  | { readonly kind: 'node' | 'relationship'; readonly tables: readonly number[] }
  /** A STRUCT of the ids of its nodes and relationships, with the tables of both. */
  | { readonly kind: 'path'; readonly nodes: readonly number[]; readonly relationships: readonly number[] };

type Member = Exclude<Type, { readonly kind: 'any' }>;

export interface ScalarType {
  readonly kind: ScalarKind;
  /** The property type if it is not the one of `NAMES`, such as INT32. */
  readonly declared?: string;
  /** An integer within ±2^53, so that it is exact as a float. */
  readonly isSmall?: boolean;
  /** A float that is neither NaN nor infinite. */
  readonly isFinite?: boolean;
  /** A timestamp of the query, which has another form in answers than stored ones. */
  readonly isConstant?: boolean;
  /** A constant timestamp without a zone. */
  readonly isLocal?: boolean;
  /** A constant timestamp with a zone beside UTC, which the database does not have: its instant is compared only. */
  readonly isZoned?: boolean;
  readonly duration?: string;
  /** A float that may be an integer of Cypher in some rows. */
  readonly isMixed?: boolean;
}

type ScalarKind =
  'null' | 'boolean' | 'integer' | 'float' | 'text' | 'date' | 'timestamp' | 'duration' | 'blob' | 'uuid';

export interface MapField {
  readonly name: string;
  readonly type: Type;
}

export type EntityType = Extract<Type, { readonly tables: readonly number[] }>;

/** A value: SQL text that can be used once, and its type. */
export interface Value {
  readonly sql: string;
  readonly type: Type;
  /** A column, a literal or a parameter: its text can be repeated. */
  readonly isSimple?: boolean;
  /** A condition as EXISTS, for a place where only the truth counts. */
  readonly exists?: string;
  /** The text of a column that has the same value in all rows, which reads none of them. */
  readonly constant?: string;
  /** The values of a literal list or map, in the order of its items or fields. */
  readonly parts?: readonly Value[];
}

export const typed = (type: Type, sql: string): Value => ({ sql, type });

/** A column, a literal or a parameter. */
export const simple = (type: Type, sql: string): Value => ({ sql, type, isSimple: true });

export const NULL: Value = simple({ kind: 'null' }, 'CAST(NULL AS VARCHAR)');
export const BOOLEAN: Type = { kind: 'boolean' };
export const INTEGER: Type = { kind: 'integer' };
export const SMALL_INTEGER: Type = { kind: 'integer', isSmall: true };
export const FLOAT: Type = { kind: 'float' };
/** The type of floats that are neither NaN nor infinite. */
export const FINITE: Type = { kind: 'float', isFinite: true };
export const TEXT: Type = { kind: 'text' };
export const ANY: Type = { kind: 'any', members: null };
export const listOf = (item: Type): Type => ({ kind: 'list', item });

/** The names of types in DuckDB, and in `column_types` and mappings; a column that is null in all rows is a VARCHAR. */
const NAMES: Readonly<Record<Exclude<Type['kind'], 'list' | 'map' | 'stored_map'>, readonly [string, string]>> = {
  any: ['VARCHAR', 'ANY'],
  node: ['BIGINT', 'NODE'],
  relationship: ['BIGINT', 'REL'],
  path: ['STRUCT(n BIGINT[], r BIGINT[])', 'PATH'],
  null: ['VARCHAR', 'ANY'],
  boolean: ['BOOLEAN', 'BOOL'],
  integer: ['BIGINT', 'INT64'],
  float: ['DOUBLE', 'DOUBLE'],
  text: ['VARCHAR', 'STRING'],
  date: ['DATE', 'DATE'],
  timestamp: ['TIMESTAMP', 'TIMESTAMP'],
  duration: ['STRUCT(m BIGINT, d BIGINT, u BIGINT)', 'DURATION'],
  blob: ['BLOB', 'BLOB'],
  uuid: ['UUID', 'UUID'],
};

/** The name of a type in DuckDB. */
export const sqlTypeName = (type: Type): string => {
  if (type.kind === 'list') return `${sqlTypeName(type.item)}[]`;
  if (type.kind === 'stored_map') return `MAP(${sqlTypeName(type.key)}, ${sqlTypeName(type.value)})`;
  if (type.kind !== 'map') return NAMES[type.kind][0];
  if (type.fields.length === 0) return 'STRUCT(f0 BOOLEAN)';
  return `STRUCT(${type.fields.map((field, at) => `f${at} ${sqlTypeName(field.type)}`).join(', ')})`;
};

const SCALARS = ['boolean', 'integer', 'float', 'text', 'date', 'timestamp', 'blob', 'uuid'] as const;

/** The type of a stored value; `isFinite`: of a float. */
export const typeOfColumn = (type: ColumnType, isFinite: boolean): Type => {
  switch (type.kind) {
    case 'scalar': {
      const ofFloat = isFinite ? FINITE : FLOAT;
      if (/^INT(8|16|32)$/.test(type.name)) return { ...SMALL_INTEGER, declared: type.name };
      if (type.name === 'FLOAT') return { ...ofFloat, declared: type.name };
      return type.name === 'DOUBLE'
        ? ofFloat
        : { kind: SCALARS.find((kind) => NAMES[kind][1] === type.name) ?? 'text' };
    }
    case 'list':
      return { kind: 'list', item: typeOfColumn(type.item, false) };
    case 'map':
      return { kind: 'stored_map', key: typeOfColumn(type.key, false), value: typeOfColumn(type.value, false) };
    case 'struct':
      return {
        kind: 'map',
        fields: type.fields.map((field) => ({ name: field.name, type: typeOfColumn(field.type, false) })),
      };
  }
};

/** The name of a type in `column_types`, as in `GraphAnswer`. */
export const answerName = (type: Type): string => {
  if (type.kind === 'list') return 'LIST';
  if (type.kind === 'map' || type.kind === 'stored_map') return 'MAP';
  if (type.kind === 'timestamp' && type.isLocal === true) return 'LOCALDATETIME';
  return ('declared' in type ? type.declared : undefined) ?? NAMES[type.kind][1];
};

/** The type of a list or map with its parts, named as in `column_types`; null for other values, and maps with different keys. */
export const nestedType = (type: Type): ColumnType | null => {
  const partType = (part: Type): ColumnType => nestedType(part) ?? scalar(answerName(part));
  if (type.kind === 'list') return { kind: 'list', item: partType(type.item) };
  if (type.kind === 'stored_map') return { kind: 'map', key: partType(type.key), value: partType(type.value) };
  if (type.kind !== 'map' || hasDifferentKeys(type)) return null;
  return { kind: 'struct', fields: type.fields.map(({ name, type: part }) => ({ name, type: partType(part) })) };
};

/** The types that values of a type can have; null: unknown. */
export const membersOf = (type: Type): readonly Member[] | null =>
  type.kind === 'any' ? type.members : type.kind === 'null' ? [] : [type];

export const mayBeNaN = (type: Type): boolean =>
  type.kind === 'float' ? type.isFinite !== true : type.kind === 'any' && type.members?.some(mayBeNaN) === true;

export const isNumeric = (type: Type): type is ScalarType & { readonly kind: 'integer' | 'float' } =>
  type.kind === 'integer' || type.kind === 'float';

/** The type that can hold the values of two types. */
export const unify = (a: Type, b: Type): Type => {
  if (a.kind === 'null') return b;
  if (b.kind === 'null') return a;
  const [members, others] = [membersOf(a), membersOf(b)];
  if (members === null || others === null) return ANY;
  const all = others.reduce(withMember, members);
  return all.length === 1 && all[0] !== undefined ? all[0] : { kind: 'any', members: all };
};

const withMember = (members: readonly Member[], member: Member): readonly Member[] => {
  for (const [at, each] of members.entries()) {
    const both = combined(each, member);
    if (both !== null) return members.with(at, both);
  }
  return [...members, member];
};

/** The type of one kind that can hold the values of two types; null if these are of two kinds. */
const combined = (a: Member, b: Member): Member | null => {
  if (a.kind === 'list' && b.kind === 'list') return { kind: 'list', item: unify(a.item, b.item) };
  if ((a.kind === 'node' || a.kind === 'relationship') && a.kind === b.kind)
    return { kind: a.kind, tables: [...new Set([...a.tables, ...b.tables])] };
  if (a.kind === 'path' && b.kind === 'path')
    return {
      kind: 'path',
      nodes: [...new Set([...a.nodes, ...b.nodes])],
      relationships: [...new Set([...a.relationships, ...b.relationships])],
    };
  if (a.kind === 'map' && b.kind === 'map') {
    const names = new Set([...a.fields, ...b.fields].map(({ name }) => name));
    if (!haveSameFields(a.fields, b.fields)) names.add(KEYS);
    const fields = [...names].map((name) => ({
      name,
      type: name === KEYS ? listOf(TEXT) : unify(typeOfField(a.fields, name), typeOfField(b.fields, name)),
    }));
    return { kind: 'map', fields };
  }
  if ((a.kind === 'float' && b.kind === 'float') || (a.kind === 'integer' && b.kind === 'integer'))
    return {
      kind: a.kind,
      ...(a.isFinite === true && b.isFinite === true ? { isFinite: true } : {}),
      ...(a.isSmall === true && b.isSmall === true ? { isSmall: true } : {}),
      ...(a.isMixed === true || b.isMixed === true ? { isMixed: true } : {}),
      ...(a.declared === b.declared && a.declared !== undefined ? { declared: a.declared } : {}),
    };
  if (a.kind === 'integer' && b.kind === 'float' && a.isSmall === true) return { ...b, isMixed: true };
  if (a.kind === 'float' && b.kind === 'integer') return combined(b, a);
  if (a.kind === 'stored_map' && b.kind === 'stored_map') return sqlTypeName(a) === sqlTypeName(b) ? a : null;
  if (a.kind === 'timestamp' && b.kind === 'timestamp') {
    const [stored, constant] = a.isConstant === true ? [b, a] : [a, b];
    // A stored one has no zone.
    if (stored.isConstant !== constant.isConstant) return constant.isLocal === true ? stored : null;
    if (a.isLocal !== b.isLocal) return null;
    return a.isZoned === true ? a : b;
  }
  return a.kind === b.kind ? a : null;
};

/** Whether values, or items of lists, may have a zone beside UTC. */
export const isZoned = (type: Type): boolean =>
  type.kind === 'list' ? isZoned(type.item) : type.kind === 'timestamp' && type.isZoned === true;

export const NO_ZONES =
  "Only the instant of a time with a zone is known here; write it in UTC, as datetime('2024-05-01T10:30Z').";

/** The field of maps with different keys that has the keys of a value, in alphabetical order. */
export const KEYS = '\0keys';

export const keysOf = (fields: readonly MapField[]): readonly string[] =>
  fields.map(({ name }) => name).filter((name) => name !== KEYS);

/** Whether a type is of maps with different keys, so that a field that is null may be missing. */
export const hasDifferentKeys = (type: Type): boolean =>
  type.kind === 'map' && type.fields.some(({ name }) => name === KEYS);

const haveSameFields = (a: readonly MapField[], b: readonly MapField[]): boolean =>
  a.length === b.length && a.every(({ name }) => b.some((field) => field.name === name));

const typeOfField = (fields: readonly MapField[], name: string): Type =>
  fields.find((field) => field.name === name)?.type ?? NULL.type;
