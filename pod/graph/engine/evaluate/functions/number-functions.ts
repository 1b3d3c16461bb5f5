import { integer } from '../operators';
import { isNumber, type Value } from '../values';
import { type FunctionTable, strict, wrong } from './function-table';

const ofNumber = (name: string, apply: (value: bigint | number) => Value): FunctionTable[string] =>
  strict((value = null) => (isNumber(value) ? apply(value) : wrong(name, value)));

const ofFloat = (apply: (value: number) => number): FunctionTable[string] =>
  ofNumber('a function of floats', (value) => apply(Number(value)));

/** Halves are rounded up; with digits, away from 0. */
const rounded = (value: number, digits: number | null): number => {
  if (digits === null) return Math.floor(value + 0.5);
  const scale = 10 ** digits;
  return (Math.sign(value) * Math.floor(Math.abs(value) * scale + 0.5)) / scale;
};

export const numberFunctions: FunctionTable = {
  ABS: ofNumber('abs', (value) => (value < 0 ? (typeof value === 'bigint' ? integer(-value) : -value) : value)),
  SIGN: ofNumber('sign', (value) => (value > 0 ? 1n : value < 0 ? -1n : 0n)),
  CEIL: ofFloat(Math.ceil),
  FLOOR: ofFloat(Math.floor),
  ROUND: strict((value = null, digits) =>
    isNumber(value) ? rounded(Number(value), isNumber(digits ?? null) ? Number(digits) : null) : wrong('round', value),
  ),
  SQRT: ofFloat(Math.sqrt),
  EXP: ofFloat(Math.exp),
  LOG: ofFloat(Math.log),
  LOG10: ofFloat(Math.log10),
  SIN: ofFloat(Math.sin),
  COS: ofFloat(Math.cos),
  TAN: ofFloat(Math.tan),
  COT: ofFloat((value) => 1 / Math.tan(value)),
  ASIN: ofFloat(Math.asin),
  ACOS: ofFloat(Math.acos),
  ATAN: ofFloat(Math.atan),
  ATAN2: strict((y = null, x = null) =>
    isNumber(y) && isNumber(x) ? Math.atan2(Number(y), Number(x)) : wrong('atan2', y, x),
  ),
  DEGREES: ofFloat((value) => (value * 180) / Math.PI),
  RADIANS: ofFloat((value) => (value * Math.PI) / 180),
  ISNAN: ofNumber('isNaN', (value) => Number.isNaN(value)),
  PI: () => Math.PI,
  E: () => Math.E,
  RAND: () => Math.random(),
};
