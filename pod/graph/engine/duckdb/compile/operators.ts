import { type ComparisonOperator, type Span } from '../../cypher/tree';
import { type Frame } from './frame';
import { anyText, converted } from './json-text';
import { eachUsedOnce, itemType, mappedList, usedOnce } from './list-map';
import { withoutLiterals } from './literal';
import { textValue } from './text-value';
import {
  BOOLEAN,
  FLOAT,
  INTEGER,
  isPlain,
  listOf,
  mayBeNaN,
  NULL,
  type ScalarType,
  simple,
  TEXT,
  type Type,
  typed,
  unify,
  type Value,
} from './type';

export const isNumeric = (type: Type): type is ScalarType & { readonly kind: 'integer' | 'float' } =>
  type.kind === 'integer' || type.kind === 'float';

const UNKNOWN = 'CAST(NULL AS BOOLEAN)';

/** The conjunction of three-valued conditions. */
export const allOf = (conditions: readonly string[]): string =>
  conditions.length === 0 ? 'true' : conditions.length === 1 ? (conditions[0] ?? '') : `(${conditions.join(' AND ')})`;

/** A condition on two values; null if one of them is null. */
const unlessNull = ([a, b]: readonly [Value, Value], condition: string): string =>
  `CASE WHEN ${a.sql} IS NOT NULL AND ${b.sql} IS NOT NULL THEN ${condition} END`;

/** Values of types that are never equal. */
const different = (a: Value, b: Value, frame: Frame): string =>
  eachUsedOnce([a, b], frame, (one, other) => unlessNull([one, other], 'false'));

/** A value if a list of conditions has it, otherwise the other one. */
const decided = (list: string, value: boolean, frame: Frame): string =>
  usedOnce(typed(listOf(BOOLEAN), list), frame, ({ sql }) => {
    const rest = `CASE WHEN list_count(${sql}) < len(${sql}) THEN NULL WHEN ${sql} IS NOT NULL THEN ${!value} END`;
    return `CASE WHEN list_contains(${sql}, ${value}) THEN ${value} ELSE ${rest} END`;
  });

export const every = (list: string, frame: Frame): string => decided(list, false, frame);

export const some = (list: string, frame: Frame): string => decided(list, true, frame);

const hasParts = ({ kind }: Type): boolean => kind === 'list' || kind === 'map';

const TIMES: Readonly<Record<string, string>> = { date: 'DATE', timestamp: 'TIMESTAMP', uuid: 'UUID' };

/** A text as a value of a type that JSON does not have; null if the text is not one. */
const readAs = (kind: string, text: string): string =>
  kind === 'timestamp' ? `CAST(TRY_CAST(${text} AS TIMESTAMPTZ) AS TIMESTAMP)` : `TRY_CAST(${text} AS ${TIMES[kind]})`;

export const equality = (a: Value, b: Value, frame: Frame, at: Span): string => {
  const [left, right] = [a.type, b.type];
  if (left.kind === 'null' || right.kind === 'null') return UNKNOWN;
  if (isNumeric(left) && isNumeric(right)) return numbersCompared(a, '=', b, frame);
  if (left.kind === 'any' || right.kind === 'any') {
    if ((isPlain(left) && hasParts(right)) || (isPlain(right) && hasParts(left))) return different(a, b, frame);
    if (!isPlain(left) || !isPlain(right))
      return frame.context.refuse('Values of several types cannot be compared here; compare values of one type.', at);
    if (!mayBeNaN(left) || !mayBeNaN(right)) return `(${anyText(a, frame)} = ${anyText(b, frame)})`;
    const other = typed(right, anyText(b, frame));
    // NaN does not equal itself.
    return usedOnce(
      other,
      frame,
      ({ sql }) => `(${anyText(a, frame)} = CASE ${sql} WHEN ' "NaN"' THEN '' ELSE ${sql} END)`,
    );
  }
  if (left.kind === 'list' && right.kind === 'list') return listsEqual(a, b, frame, at);
  if (left.kind === 'map' && right.kind === 'map') return mapsEqual(a, b, frame, at);
  if (left.kind === 'text' && right.kind in TIMES) return equality(b, a, frame, at);
  if (right.kind === 'text' && left.kind in TIMES)
    return eachUsedOnce([b, a], frame, (text, value) =>
      unlessNull([value, text], `coalesce(${value.sql} = ${readAs(left.kind, text.sql)}, false)`),
    );
  if (left.kind === 'text' && right.kind === 'blob') return equality(b, a, frame, at);
  if (left.kind === 'blob' && right.kind === 'text') return `(base64(${a.sql}) = ${b.sql})`;
  if (left.kind === 'duration' || left.kind === 'stored_map')
    return frame.context.refuse(`Values of this type cannot be compared here.`, at);
  return left.kind === right.kind ? `(${a.sql} = ${b.sql})` : different(a, b, frame);
};

/** An equality whose result is only used to keep or remove rows, in the form that can use the order of a table. */
export const filteringEquality = (a: Value, b: Value, frame: Frame, at: Span): string => {
  if (a.type.kind in TIMES && b.type.kind === 'text') return `${a.sql} = ${readAs(a.type.kind, b.sql)}`;
  if (b.type.kind in TIMES && a.type.kind === 'text') return filteringEquality(b, a, frame, at);
  if (a.type.kind === 'integer' && b.type.kind === 'float')
    return usedOnce(b, frame, ({ sql }) => {
      const isInteger = `${sql} >= -9223372036854775808 AND ${sql} < 9223372036854775808 AND ${sql} = trunc(${sql})`;
      return `${a.sql} = CASE WHEN ${isInteger} THEN CAST(${sql} AS BIGINT) END`;
    });
  if (a.type.kind === 'float' && b.type.kind === 'integer') return filteringEquality(b, a, frame, at);
  return equality(a, b, frame, at);
};

const listsEqual = (a: Value, b: Value, frame: Frame, at: Span): string => {
  if (a.parts !== undefined && b.parts !== undefined) {
    const others = b.parts;
    if (a.parts.length !== others.length) return 'false';
    return allOf(a.parts.map((part, index) => equality(part, others[index] ?? NULL, frame, at)));
  }
  return eachUsedOnce([a, b], frame, (left, right) => {
    const pairs = typed(listOf(NULL.type), `list_zip(${left.sql}, ${right.sql})`);
    const same = mappedList(pairs, frame, ({ sql }, inside) => {
      const [one, other] = [simple(itemType(left), `${sql}[1]`), simple(itemType(right), `${sql}[2]`)];
      return typed(BOOLEAN, equality(one, other, inside, at));
    });
    const isNull = `${left.sql} IS NULL OR ${right.sql} IS NULL`;
    const isLonger = `len(${left.sql}) <> len(${right.sql})`;
    return `CASE WHEN ${isNull} THEN NULL WHEN ${isLonger} THEN false ELSE ${every(same.sql, frame)} END`;
  });
};

const mapsEqual = (a: Value, b: Value, frame: Frame, at: Span): string => {
  if (a.type.kind !== 'map' || b.type.kind !== 'map') return UNKNOWN;
  if (a.type.isMerged === true || b.type.isMerged === true)
    return frame.context.refuse('Maps with different keys cannot be compared; compare one key.', at);
  const [left, right] = [a.type.fields, b.type.fields];
  const places = left.map(({ name }) => right.findIndex((field) => field.name === name));
  if (left.length !== right.length || places.includes(-1)) return different(a, b, frame);
  return eachUsedOnce([a, b], frame, (one, other) => {
    const fields = left.map(({ type }, index) => {
      const place = places[index] ?? 0;
      const part = simple(right[place]?.type ?? NULL.type, `${other.sql}.f${place}`);
      return equality(simple(type, `${one.sql}.f${index}`), part, frame, at);
    });
    return unlessNull([one, other], allOf(fields));
  });
};

/** An integer beside a float is compared exactly, and NaN is neither equal to nor greater than anything. */
const numbersCompared = (a: Value, operator: ComparisonOperator, b: Value, frame: Frame): string => {
  const [left, right] = [a.type, b.type];
  if (!isNumeric(left) || !isNumeric(right)) return UNKNOWN;
  if (left.kind === 'integer' && right.kind === 'integer') return `(${a.sql} ${operator} ${b.sql})`;
  const isExact = (type: ScalarType): boolean => type.kind === 'float' || type.isSmall === true;
  if (isExact(left) && isExact(right) && !mayBeNaN(left) && !mayBeNaN(right)) return `(${a.sql} ${operator} ${b.sql})`;
  return eachUsedOnce([a, b], frame, (one, other) => {
    const nan = [one, other].filter(({ type }) => mayBeNaN(type)).map(({ sql }) => `isnan(${sql})`);
    const compared = comparedExactly(one, operator, other);
    if (nan.length === 0) return compared;
    return `CASE WHEN ${one.sql} IS NULL OR ${other.sql} IS NULL THEN NULL WHEN ${nan.join(' OR ')} THEN false ELSE ${compared} END`;
  });
};

const comparedExactly = (a: Value, operator: ComparisonOperator, b: Value): string => {
  const isLarge = ({ type }: Value): boolean => type.kind === 'integer' && type.isSmall !== true;
  const asFloat = ({ sql, type }: Value): string => (type.kind === 'integer' ? `CAST(${sql} AS DOUBLE)` : sql);
  const floats = `${asFloat(a)} ${operator} ${asFloat(b)}`;
  if (a.type.kind === b.type.kind || (!isLarge(a) && !isLarge(b))) return `(${floats})`;
  // Where both are equal as floats, the float is an integer within the range of HUGEINT.
  const huge = ({ sql }: Value): string => `CAST(${sql} AS HUGEINT)`;
  return `CASE WHEN ${asFloat(a)} = ${asFloat(b)} THEN ${huge(a)} ${operator} ${huge(b)} ELSE ${floats} END`;
};

/** `a < b` and similar ones; null if the types are not ordered. */
export const comparison = (a: Value, operator: ComparisonOperator, b: Value, frame: Frame, at: Span): string => {
  if (operator === '=') return equality(a, b, frame, at);
  if (operator === '<>') return `(NOT ${equality(a, b, frame, at)})`;
  const [left, right] = [a.type, b.type];
  if (left.kind === 'null' || right.kind === 'null') return UNKNOWN;
  if (isNumeric(left) && isNumeric(right)) return numbersCompared(a, operator, b, frame);
  if (/^(any|list|duration)$/.test(left.kind) || /^(any|list|duration)$/.test(right.kind))
    return frame.context.refuse('Lists and values of several types cannot be ordered here; compare single values.', at);
  if (right.kind === 'text' && (left.kind === 'date' || left.kind === 'timestamp'))
    return `(${a.sql} ${operator} ${readAs(left.kind, b.sql)})`;
  if (left.kind === 'text' && (right.kind === 'date' || right.kind === 'timestamp'))
    return `(${readAs(right.kind, a.sql)} ${operator} ${b.sql})`;
  const isOrdered = /^(text|boolean|date|timestamp)$/.test(left.kind);
  return left.kind === right.kind && isOrdered ? `(${a.sql} ${operator} ${b.sql})` : UNKNOWN;
};

const isDirectMember = (value: Type, item: Type): boolean =>
  value.kind === item.kind && /^(integer|text|boolean|date|timestamp|uuid|node|relationship)$/.test(item.kind);

/** `x IN list` of which only the truth counts: a join with the items of a list that is the same for all rows. */
export const filteringMembership = (value: Value, list: Value, frame: Frame, at: Span): string => {
  const isJoin =
    list.type.kind === 'list' &&
    list.parts === undefined &&
    isDirectMember(value.type, list.type.item) &&
    !/\b[a-z]\d+\.\w/.test(withoutLiterals(list.sql));
  return isJoin ? `(${value.sql} IN (SELECT unnest(${list.sql})))` : membership(value, list, frame, at);
};

export const membership = (value: Value, list: Value, frame: Frame, at: Span): string => {
  if (list.type.kind === 'null') return UNKNOWN;
  if (list.type.kind !== 'list') return frame.context.refuse('IN needs a list on its right side.', at);
  if (list.parts !== undefined) {
    if (list.parts.length === 0) return 'false';
    const parts = list.parts;
    if (isDirectMember(value.type, list.type.item) && parts.every(({ type }) => type.kind === value.type.kind))
      return `(${value.sql} IN (${parts.map(({ sql }) => sql).join(', ')}))`;
    return usedOnce(value, frame, (one) => `(${parts.map((part) => equality(one, part, frame, at)).join(' OR ')})`);
  }
  const { item } = list.type;
  if (!isDirectMember(value.type, item))
    return usedOnce(value, frame, (one) => {
      const same = mappedList(list, frame, (each, inside) => typed(BOOLEAN, equality(one, each, inside, at)));
      return some(same.sql, frame);
    });
  return eachUsedOnce([list, value], frame, ({ sql }, one) => {
    const rest = `WHEN ${one.sql} IS NULL OR list_count(${sql}) < len(${sql}) THEN NULL ELSE false`;
    return `CASE WHEN ${sql} IS NULL THEN NULL WHEN len(${sql}) = 0 THEN false WHEN list_contains(${sql}, ${one.sql}) THEN true ${rest} END`;
  });
};

const MIXED = 'Is this an integer or a float? Write toFloat(…) or toInteger(…) around the values.';

/** `a + b` and other arithmetic. */
export const arithmetic = (
  a: Value,
  operator: '+' | '-' | '*' | '/' | '%' | '^',
  b: Value,
  frame: Frame,
  at: Span,
): Value => {
  const [left, right] = [a.type, b.type];
  if (operator === '+') {
    if (left.kind === 'list' || right.kind === 'list') return concatenated(a, b, frame);
    if (left.kind === 'text' || right.kind === 'text') {
      if (left.kind === 'null' || right.kind === 'null') return typed(TEXT, NULL.sql);
      return typed(TEXT, `(${textValue(a, frame, at)} || ${textValue(b, frame, at)})`);
    }
  }
  if (left.kind === 'null' || right.kind === 'null') {
    if ([left, right].every((type) => isNumeric(type) || type.kind === 'null')) return NULL;
    return frame.context.refuse(`${operator} needs numbers on both sides.`, at);
  }
  const moved =
    operator === '+' || operator === '-'
      ? (movedTime(a, operator, b) ?? (operator === '+' ? movedTime(b, operator, a) : null))
      : null;
  if (moved !== null) return moved;
  if (!isNumeric(left) || !isNumeric(right))
    return frame.context.refuse(
      `${operator} is not possible here for these types; write numbers, texts or lists on both sides.`,
      at,
    );
  if (operator === '^') return typed(FLOAT, `pow(CAST(${a.sql} AS DOUBLE), CAST(${b.sql} AS DOUBLE))`);
  if (left.kind === 'integer' && right.kind === 'integer')
    return typed(INTEGER, integerArithmetic(a, operator, b, frame));
  const isMixed = [left, right].some((type) => type.isMixed === true);
  // With a float on the other side the result is a float, whatever the first value is.
  const isFloat = [left, right].some((type) => type.kind === 'float' && type.isMixed !== true);
  if (isMixed && !isFloat && (operator === '/' || operator === '%')) return frame.context.refuse(MIXED, at);
  return typed(isMixed && !isFloat ? { kind: 'float', isMixed: true } : FLOAT, `(${a.sql} ${operator} ${b.sql})`);
};

/** A date or time and a duration. */
const movedTime = (time: Value, operator: '+' | '-', { sql, type }: Value): Value | null => {
  if (type.kind !== 'duration' || type.ofDates === undefined) return null;
  if (time.type.kind === 'timestamp') return { sql: `(${time.sql} ${operator} ${sql})`, type: time.type };
  if (time.type.kind !== 'date') return null;
  return { sql: `CAST(${time.sql} ${operator} ${type.ofDates} AS DATE)`, type: time.type };
};

/** An integer literal that is not 0. */
const NOT_ZERO = /^\(?-?[1-9]\d*(::BIGINT)?\)?$/;

const integerArithmetic = (a: Value, operator: '+' | '-' | '*' | '/' | '%', b: Value, frame: Frame): string => {
  const sign = operator === '/' ? '//' : operator;
  if ((operator !== '/' && operator !== '%') || NOT_ZERO.test(b.sql)) return `(${a.sql} ${sign} ${b.sql})`;
  return usedOnce(
    b,
    frame,
    ({ sql }) => `(${a.sql} ${sign} CASE WHEN ${sql} = 0 THEN error('rowgraph: division by zero') ELSE ${sql} END)`,
  );
};

const concatenated = (a: Value, b: Value, frame: Frame): Value => {
  if (a.type.kind === 'null' || b.type.kind === 'null') return NULL;
  const asList = (value: Value): Value =>
    value.type.kind === 'list' ? value : { sql: `[${value.sql}]`, type: listOf(value.type), parts: [value] };
  const isSingle = a.type.kind !== 'list' || b.type.kind !== 'list';
  const [left, right] = [asList(a), asList(b)];
  const type = unify(left.type, right.type);
  const texts = [left, right].map((value) => converted(value, type, frame));
  const single = a.type.kind === 'list' ? b : a;
  const joined = texts.join(' || ');
  if (!isSingle) return typed(type, `(${joined})`);
  return typed(
    type,
    usedOnce(single, frame, ({ sql }) => `CASE WHEN ${sql} IS NOT NULL THEN ${joined} END`),
  );
};
