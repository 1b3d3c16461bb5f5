import { type Span } from '../../cypher/tree';
import { asFloat, INTEGER_OR_FLOAT } from './any-value';
import { movedTime } from './duration-parts';
import { type Frame } from './frame';
import { converted } from './json-text';
import { usedOnce } from './list-map';
import { orError } from './literal';
import { textValue } from './text-value';
import { FLOAT, INTEGER, isNumeric, listOf, NULL, TEXT, typed, unify, type Value } from './type';

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
    if (left.kind === 'text' || right.kind === 'text')
      return typed(TEXT, `(${textValue(a, frame, at)} || ${textValue(b, frame, at)})`);
  }
  if (left.kind === 'null' || right.kind === 'null') {
    if ([left, right].every((type) => isNumeric(type) || type.kind === 'null')) return NULL;
    return frame.context.refuse(`${operator} needs numbers on both sides.`, at);
  }
  const moved =
    operator === '+' || operator === '-'
      ? (movedTime(a, operator, b, frame) ?? (operator === '+' ? movedTime(b, operator, a, frame) : null))
      : null;
  if (moved !== null) return moved;
  // With a float on the other side the result is a float, whatever the first value is.
  const isFloat = [left, right].some((type) => type.kind === 'float' && type.isMixed !== true) || operator === '^';
  if (!isNumeric(left) || !isNumeric(right)) {
    const [x, y] = [asFloat(a), asFloat(b)];
    if (x !== null && y !== null)
      return isFloat ? arithmetic(x, operator, y, frame, at) : frame.context.refuse(INTEGER_OR_FLOAT, at);
    return frame.context.refuse(
      `${operator} is not possible here for these types; write numbers, texts or lists on both sides.`,
      at,
    );
  }
  if (operator === '^') return typed(FLOAT, `pow(CAST(${a.sql} AS DOUBLE), CAST(${b.sql} AS DOUBLE))`);
  if (left.kind === 'integer' && right.kind === 'integer')
    return typed(INTEGER, integerArithmetic(a, operator, b, frame));
  const isMixed = [left, right].some((type) => type.isMixed === true);
  if (isMixed && !isFloat && (operator === '/' || operator === '%')) return frame.context.refuse(INTEGER_OR_FLOAT, at);
  return typed(isMixed && !isFloat ? { kind: 'float', isMixed: true } : FLOAT, `(${a.sql} ${operator} ${b.sql})`);
};

/** An integer literal that is not 0. */
const NOT_ZERO = /^\(?-?[1-9]\d*(::BIGINT)?\)?$/;

const integerArithmetic = (a: Value, operator: '+' | '-' | '*' | '/' | '%', b: Value, frame: Frame): string => {
  const sign = operator === '/' ? '//' : operator;
  if ((operator !== '/' && operator !== '%') || NOT_ZERO.test(b.sql)) return `(${a.sql} ${sign} ${b.sql})`;
  const message = 'A division by zero; exclude such rows, for example by WHERE x <> 0.';
  return usedOnce(b, frame, ({ sql }) => `(${a.sql} ${sign} ${orError(`${sql} = 0`, message, sql)})`);
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
