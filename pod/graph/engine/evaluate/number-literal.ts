import { type NumberLiteral } from '../cypher/tree';
import { fail } from './evaluation-fault';
import { integer } from './operators';

/** The value of a number literal, optionally after a minus. */
export const numberOf = ({ text }: NumberLiteral, sign: 1n | -1n = 1n): bigint | number => {
  if (/^(?:\d+|0[xX].*|0[oO].*)$/.test(text)) return integer(sign * BigInt(text));
  const value = Number(sign) * Number(text);
  return Number.isFinite(value) ? value : fail(`${text} is not a float`);
};
