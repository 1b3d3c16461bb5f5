import { type ComparisonOperator, type Span } from '../../cypher/tree';
import { byMember } from './any-value';
import { differentIds } from './entity';
import { type Frame, isEntity } from './frame';
import { anyText } from './json-text';
import { eachUsedOnce, itemType, mappedList, usedOnce } from './list-map';
import { isSameInAllRows } from './literal';
import {
  BOOLEAN,
  hasDifferentKeys,
  isNumeric,
  isZoned,
  listOf,
  mayBeNaN,
  membersOf,
  NO_ZONES,
  NULL,
  type ScalarType,
  simple,
  TEXT,
  type Type,
  typed,
  type Value,
} from './type';

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

const TIMES: Readonly<Record<string, string>> = { date: 'DATE', timestamp: 'TIMESTAMP', uuid: 'UUID' };

/** A text as a value of a type that JSON does not have; null if the text is not one. */
const readAs = (kind: string, text: string): string => {
  if (kind !== 'timestamp') return `TRY_CAST(${text} AS ${TIMES[kind]})`;
  const withSeconds = `regexp_replace(${text}, '([T ]\\d\\d:\\d\\d)(Z|[-+])', '\\1:00\\2')`;
  return `CAST(TRY_CAST(${withSeconds} AS TIMESTAMPTZ) AS TIMESTAMP)`;
};

export const equality = (a: Value, b: Value, frame: Frame, at: Span): string => {
  const [left, right] = [a.type, b.type];
  if (left.kind === 'null' || right.kind === 'null') return UNKNOWN;
  if (isNumeric(left) && isNumeric(right)) return numbersCompared(a, '=', b, frame);
  if (left.kind === 'any' || right.kind === 'any') return valuesEqual(a, b, frame, at);
  if (left.kind === 'list' && right.kind === 'list') return listsEqual(a, b, frame, at);
  if (left.kind === 'map' && right.kind === 'map') return mapsEqual(a, b, frame, at);
  checkZones(left, right, frame, at);
  if (left.kind === 'text' && right.kind in TIMES) return equality(b, a, frame, at);
  if (right.kind === 'text' && left.kind in TIMES)
    return eachUsedOnce([b, a], frame, (text, value) =>
      unlessNull([value, text], `coalesce(${value.sql} = ${readAs(left.kind, text.sql)}, false)`),
    );
  if (left.kind === 'text' && right.kind === 'blob') return equality(b, a, frame, at);
  if (left.kind === 'blob' && right.kind === 'text') return `(base64(${a.sql}) = ${b.sql})`;
  if (left.kind === 'stored_map') return frame.context.refuse(`Values of this type cannot be compared here.`, at);
  return left.kind === right.kind ? `(${a.sql} = ${b.sql})` : different(a, b, frame);
};

/** An equality of which one side has values of several types: of texts, or for each type that can equal the other side. */
const valuesEqual = (a: Value, b: Value, frame: Frame, at: Span): string => {
  const several = 'Values of several types cannot be compared here; compare values of one type.';
  const [left, right] = [membersOf(a.type), membersOf(b.type)];
  if (left === null || right === null) return frame.context.refuse(several, at);
  const pairs = left.flatMap((one) =>
    right.filter((other) => mayBeEqual(one, other)).map((other) => [one, other] as const),
  );
  if (pairs.length === 0) return different(a, b, frame);
  if (pairs.every((pair) => pair.every(({ kind }) => PLAIN.test(kind)))) {
    const text = anyText(b, frame);
    if (!mayBeNaN(a.type) || !mayBeNaN(b.type)) return `(${anyText(a, frame)} = ${text})`;
    // NaN does not equal itself.
    return usedOnce(
      typed(TEXT, text),
      frame,
      ({ sql }) => `(${anyText(a, frame)} = CASE ${sql} WHEN chr(1) || '"NaN"' THEN '' ELSE ${sql} END)`,
    );
  }
  if (b.type.kind === 'any')
    return a.type.kind === 'any' ? frame.context.refuse(several, at) : valuesEqual(b, a, frame, at);
  return eachUsedOnce([a, b], frame, (one, other) => {
    const otherwise = unlessNull([one, other], 'false');
    const members = [...new Set(pairs.map(([member]) => member))];
    return (
      byMember(one, members, frame, (member) => equality(member, other, frame, at), otherwise) ??
      frame.context.refuse(several, at)
    );
  });
};

const PLAIN = /^(boolean|integer|float|text)$/;

/** Whether a value of one type can equal one of another type. */
const mayBeEqual = (a: Type, b: Type): boolean => {
  if (a.kind === b.kind || (isNumeric(a) && isNumeric(b))) return true;
  const isBesideText = (one: Type, other: Type): boolean =>
    one.kind === 'text' && (other.kind in TIMES || other.kind === 'blob');
  return isBesideText(a, b) || isBesideText(b, a) || (hasFields(a) && hasFields(b));
};

const hasFields = ({ kind }: Type): boolean => kind === 'map' || kind === 'stored_map';

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
  if (hasDifferentKeys(a.type) || hasDifferentKeys(b.type))
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
  const [left, right] = [a.type, b.type];
  if (operator === '<>')
    return isEntity(left) && left.kind === right.kind
      ? differentIds(a.sql, b.sql)
      : `(NOT ${equality(a, b, frame, at)})`;
  if (left.kind === 'null' || right.kind === 'null') return UNKNOWN;
  if (isNumeric(left) && isNumeric(right)) return numbersCompared(a, operator, b, frame);
  const isEither = (kinds: RegExp): boolean => kinds.test(left.kind) || kinds.test(right.kind);
  if (isEither(/^(list|duration)$/) || (left.kind === 'any' && right.kind === 'any'))
    return frame.context.refuse(NOT_ORDERED, at);
  if (right.kind === 'any') return comparison(b, MIRRORED[operator], a, frame, at);
  if (left.kind === 'any')
    return eachUsedOnce([a, b], frame, (one, other) => {
      const members = (left.members ?? []).filter((member) => areOrdered(member, right));
      const write = (member: Value): string => comparison(member, operator, other, frame, at);
      const isKnown = left.members !== null;
      return (isKnown ? byMember(one, members, frame, write, UNKNOWN) : null) ?? frame.context.refuse(NOT_ORDERED, at);
    });
  checkZones(left, right, frame, at);
  if (!areOrdered(left, right)) return UNKNOWN;
  if (left.kind === right.kind) return `(${a.sql} ${operator} ${b.sql})`;
  if (left.kind === 'text') return comparison(b, MIRRORED[operator], a, frame, at);
  return `(${a.sql} ${operator} ${readAs(left.kind, b.sql)})`;
};

/** Times of the same instant in two zones differ. */
const checkZones = (a: Type, b: Type, frame: Frame, at: Span): void => {
  const isConstant = (type: Type): boolean => type.kind === 'timestamp' && type.isConstant === true;
  if (isConstant(a) && isConstant(b) && (isZoned(a) || isZoned(b))) frame.context.refuse(NO_ZONES, at);
};

const NOT_ORDERED = 'Lists and values of several types cannot be ordered here; compare single values.';

const MIRRORED = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const;

const areOrdered = (a: Type, b: Type): boolean =>
  (isNumeric(a) && isNumeric(b)) ||
  (a.kind === b.kind && /^(text|boolean|date|timestamp)$/.test(a.kind)) ||
  (a.kind === 'text' && /^(date|timestamp)$/.test(b.kind)) ||
  (b.kind === 'text' && /^(date|timestamp)$/.test(a.kind));

const isDirectMember = (value: Type, item: Type): boolean =>
  !isZoned(item) &&
  !isZoned(value) &&
  value.kind === item.kind &&
  /^(integer|text|boolean|date|timestamp|uuid|node|relationship)$/.test(item.kind);

/**
 * A list that is the same in all rows, to join with its items: the database would read the list for each row. In a
 * correlated subquery it would copy one that is not a parameter for each row.
 */
const listToJoin = (value: Value, list: Value, frame: Frame): string | null => {
  const isJoin = list.type.kind === 'list' && list.parts === undefined && isDirectMember(value.type, list.type.item);
  if (!isJoin || frame.isLambda) return null;
  return frame.constantOf(list) ?? (isSameInAllRows(list.sql) ? list.sql : null);
};

/** `x IN list` of which only the truth counts. */
export const filteringMembership = (value: Value, list: Value, frame: Frame, at: Span): string => {
  const joined = listToJoin(value, list, frame);
  return joined === null ? membership(value, list, frame, at) : `(${value.sql} IN (SELECT unnest(${joined})))`;
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
  const joined = listToJoin(value, list, frame);
  if (joined !== null) return `CASE WHEN ${joined} IS NOT NULL THEN ${value.sql} IN (SELECT unnest(${joined})) END`;
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
