import { type Call } from '../../cypher/tree';
import { type Frame } from './frame';
import { usedOnce } from './list-map';
import { FLOAT, INTEGER, isNumeric, membersOf, sqlTypeName, type Type, typed, type Value } from './type';

/** The codes of the characters before the JSON texts of types that JSON writes as strings. JSON texts do not contain them. */
const TAGS: Readonly<Partial<Record<Type['kind'], number>>> = { float: 1, date: 2, timestamp: 3, uuid: 4, blob: 5 };

/** Whether the texts of some values of a type have tags. */
export const hasTags = (type: Type): boolean => {
  if (type.kind === 'list') return hasTags(type.item);
  if (type.kind === 'any') return type.members?.some(hasTags) === true;
  return type.kind in TAGS && !(type.kind === 'float' && type.isFinite === true);
};

/** The JSON text of a value, whose type is not a list, with its tag. Of floats NaN and infinity have one. */
export const withTag = ({ sql, type }: Value, json: string): string =>
  type.kind === 'float'
    ? `CASE WHEN isfinite(${sql}) THEN '' ELSE chr(${TAGS[type.kind]}) END || ${json}`
    : `(chr(${TAGS[type.kind]}) || ${json})`;

/** The JSON text of a value of several types. */
export const withoutTags = ({ sql, type }: Value): string =>
  hasTags(type) ? `translate(${sql}, chr(1) || chr(2) || chr(3) || chr(4) || chr(5), '')` : sql;

export const INTEGER_OR_FLOAT = 'Is this an integer or a float? Write toFloat(…) around the values.';

/** Rejects a call for the types of its values, with what to write instead. */
export const refuseValues = (call: Call, values: readonly Value[], { context }: Frame): never => {
  if (values.some((value) => value.type.kind === 'any' && asFloat(value) !== null))
    return context.refuse(INTEGER_OR_FLOAT, call);
  const types = values.map(({ type: { kind } }) => (kind === 'any' ? 'several types' : kind.replace('_', ' ')));
  const advice = 'convert the values by toString(…), toInteger(…) or toFloat(…)';
  return context.refuse(`${call.name} is not possible here for ${types.join(', ')}: ${advice}.`, call);
};

/** A number as a float; null for values that are not numbers only. */
export const asFloat = (value: Value): Value | null => {
  const { sql, type } = value;
  if (isNumeric(type)) return { ...value, sql: `CAST(${sql} AS DOUBLE)` };
  if (type.kind !== 'any' || type.members?.every(isNumeric) !== true) return null;
  return typed(FLOAT, `CAST(trim(${sql}, chr(${TAGS.float}) || '"') AS DOUBLE)`);
};

const EXACT = /^(null|boolean|integer|float|text|date|timestamp|uuid|blob)$/;

/** Whether equal values have the same text, and different values different ones. */
export const isExact = (type: Type): boolean => {
  if (type.kind === 'list') return isExact(type.item);
  return type.kind === 'any' ? type.members?.every(isExact) === true : EXACT.test(type.kind);
};

/**
 * SQL by the type that a value of several types has in a row: `write` for values of the given members, `otherwise` for
 * others and null. Null if the texts of these members cannot be read.
 */
export const byMember = (
  value: Value,
  members: readonly Type[],
  frame: Frame,
  write: (member: Value) => string,
  otherwise: string,
): string | null => {
  const all = membersOf(value.type);
  if (all === null || !members.every((member) => isReadable(member, all))) return null;
  if (members.length === 0) return otherwise;
  return usedOnce(value, frame, ({ sql }) => {
    // A number that is an integer counts as one.
    const inOrder = [...members].sort((a, b) => Number(a.kind === 'float') - Number(b.kind === 'float'));
    const cases = inOrder.map(
      (member) => `WHEN ${isOf(sql, member)} THEN ${write(typed(member, readAs(sql, member)))}`,
    );
    return `CASE ${cases.join(' ')} ELSE ${otherwise} END`;
  });
};

const isReadable = (type: Type, all: readonly Type[]): boolean => {
  if (type.kind !== 'list') return EXACT.test(type.kind);
  return /^(text|integer|boolean)$/.test(type.item.kind) && !all.some(({ kind }) => kind === 'path');
};

/** Whether the text of a value of several types is one of this type. */
const isOf = (sql: string, { kind }: Type): string => {
  const first = `left(${sql}, 1)`;
  if (kind === 'integer') return `(regexp_full_match(${sql}, '-?\\d+') AND TRY_CAST(${sql} AS BIGINT) IS NOT NULL)`;
  if (kind === 'float') return `(${first} = chr(${TAGS.float}) OR ${first} BETWEEN '-' AND '9')`;
  return kind === 'boolean' ? `${first} IN ('t', 'f')` : `${first} = ${firstOf(kind)}`;
};

const firstOf = (kind: Type['kind']): string =>
  kind === 'list' ? "'['" : kind === 'text' ? `'"'` : `chr(${TAGS[kind]})`;

const readAs = (sql: string, type: Type): string => {
  const { kind } = type;
  if (kind === 'text') return `json_extract_string(${sql}, '$')`;
  if (kind === 'list') return `TRY_CAST(TRY_CAST(${sql} AS JSON) AS ${sqlTypeName(type)})`;
  const text = kind in TAGS ? `trim(${sql}, chr(${TAGS[kind]}) || '"')` : sql;
  if (kind === 'blob') return `from_base64(${text})`;
  if (kind === 'timestamp') return `CAST(TRY_CAST(ltrim(${text}, '+') AS TIMESTAMPTZ) AS TIMESTAMP)`;
  return `TRY_CAST(${kind === 'date' ? `ltrim(${text}, '+')` : text} AS ${sqlTypeName(type)})`;
};

/** What orders values of several types: lists, times, dates, texts, booleans, then numbers. Null: they are not ordered. */
export const orderOfMembers = ({ sql, type }: Value): readonly string[] | null => {
  const members = membersOf(type);
  if (members?.every((member) => ORDERED.test(member.kind) && isReadable(member, members)) !== true) return null;
  const ranks = [...(['list', 'timestamp', 'date', 'text'] as const).map(firstOf), "'f'", "'t'"];
  const rank = `CASE left(${sql}, 1) ${ranks.map((first, at) => `WHEN ${first} THEN ${at}`).join(' ')} ELSE ${ranks.length} END`;
  const kinds = new Map<string, Type>(members.map((member) => [member.kind, member]));
  kinds.delete('boolean');
  // Numbers are ordered as floats, and equal ones of these as integers.
  if (kinds.delete('integer')) kinds.set('float', FLOAT).set('integer', INTEGER);
  const keys = [...kinds.values()].map((member) => `CASE WHEN ${isOf(sql, member)} THEN ${readAs(sql, member)} END`);
  return [`CASE WHEN ${sql} IS NOT NULL THEN ${rank} END`, ...keys];
};

const ORDERED = /^(boolean|integer|float|text|date|timestamp|list)$/;
