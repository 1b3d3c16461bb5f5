import { type BinaryOperator, type NumberLiteral } from '../cypher/tree';
import { equal } from './comparison';
import { fail, unsupported } from './evaluation-fault';
import { temporalResult } from './temporal/arithmetic';
import { Duration } from './temporal/duration';
import { Moment } from './temporal/moment';
import { isList, isNumber, kindOf, type Truth, type Value } from './values';

const LIMIT = 2n ** 63n;

/** An integer of 64 bits. */
export const integer = (value: bigint): bigint =>
  value >= -LIMIT && value < LIMIT ? value : fail(`${value} is not an integer of 64 bits`);

/** An operator with two operands; AND, OR and XOR are evaluated elsewhere, because they may not need both. */
export const operated = (left: Value, operator: BinaryOperator, right: Value): Value => {
  if (operator === 'IN') return isIn(left, right);
  if (operator === '=~' || operator === 'CONTAINS' || operator === 'STARTS WITH' || operator === 'ENDS WITH')
    return textTest(left, operator, right);
  if (left === null || right === null) return null;
  const ofTimes = temporalResult(left, operator, right);
  if (ofTimes !== undefined) return ofTimes;
  if (operator === '+') return sum(left, right);
  if (!isNumber(left) || !isNumber(right)) return fail(`${kindOf(left)} ${operator} ${kindOf(right)}`);
  return calculated(left, operator, right);
};

const isIn = (value: Value, list: Value): Truth => {
  if (list === null) return null;
  if (!isList(list)) return fail(`IN ${kindOf(list)}`);
  const found = list.map((item) => equal(value, item));
  return found.includes(true) ? true : found.includes(null) ? null : false;
};

const textTest = (text: Value, operator: BinaryOperator, part: Value): Truth => {
  if (typeof text !== 'string' || typeof part !== 'string') return null;
  if (operator === 'CONTAINS') return text.includes(part);
  if (operator === 'STARTS WITH') return text.startsWith(part);
  return operator === 'ENDS WITH' ? text.endsWith(part) : wholeMatch(text, part);
};

const wholeMatch = (text: string, pattern: string): boolean => {
  const [, flags = '', rest = ''] = /^(?:\(\?([is]+)\))?(.*)$/s.exec(pattern) ?? [];
  try {
    return new RegExp(`^(?:${rest})$`, `u${flags}`).test(text);
  } catch {
    return fail(`the regular expression ${pattern}`);
  }
};

const sum = (left: Value, right: Value): Value => {
  if (isList(left)) return isList(right) ? [...left, ...right] : [...left, right];
  if (isList(right)) return [left, ...right];
  if (isNumber(left) && isNumber(right)) return calculated(left, '+', right);
  const isText = (value: Value): boolean => typeof value === 'string' || isNumber(value);
  return isText(left) && isText(right) ? textOf(left) + textOf(right) : fail(`${kindOf(left)} + ${kindOf(right)}`);
};

const calculated = (left: bigint | number, operator: BinaryOperator, right: bigint | number): Value => {
  if (typeof left === 'bigint' && typeof right === 'bigint' && operator !== '^')
    return OF_INTEGERS[operator]?.(left, right) ?? unsupported(operator);
  const [a, b] = [Number(left), Number(right)];
  return OF_FLOATS[operator]?.(a, b) ?? unsupported(operator);
};

const OF_FLOATS: Readonly<Partial<Record<BinaryOperator, (a: number, b: number) => number>>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  // As IEEE 754 and both engines, other than JavaScript.
  '^': (a, b) => (a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b),
};

const notZero = (value: bigint): bigint => (value === 0n ? fail('division by zero') : value);

const OF_INTEGERS: Readonly<Partial<Record<BinaryOperator, (a: bigint, b: bigint) => bigint>>> = {
  '+': (a, b) => integer(a + b),
  '-': (a, b) => integer(a - b),
  '*': (a, b) => integer(a * b),
  '/': (a, b) => integer(a / notZero(b)),
  '%': (a, b) => a % notZero(b),
};

/** A text, number or boolean as text. */
export const textOf = (value: Value): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (value instanceof Moment || value instanceof Duration) return String(value);
  return typeof value === 'number' ? floatText(value) : fail(`the text of ${kindOf(value)}`);
};

const floatText = (value: number): string => {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return String(value);
  if (value !== 0 && (size < 1e-3 || size >= 1e7)) {
    const [digits = '', exponent = ''] = value.toExponential().split('e');
    return `${digits.includes('.') ? digits : `${digits}.0`}E${Number(exponent)}`;
  }
  if (Object.is(value, -0)) return '-0.0';
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
};

/** The value of a number literal, optionally after a minus. */
export const numberOf = ({ text }: NumberLiteral, sign: 1n | -1n = 1n): bigint | number => {
  if (/^(?:\d+|0[xX].*|0[oO].*)$/.test(text)) return integer(sign * BigInt(text));
  const value = Number(sign) * Number(text);
  return Number.isFinite(value) ? value : fail(`${text} is not a float`);
};
