import { fail, unsupported } from '../evaluation-fault';
import { textOf } from '../operators';
import { isList, isNumber, type Value } from '../values';
import { type FunctionTable, strict, wrong } from './function-table';

const ofText = (name: string, apply: (text: string) => Value): FunctionTable[string] =>
  strict((text = null) => (typeof text === 'string' ? apply(text) : wrong(name, text)));

/** A count of characters. */
const lengthOf = (value: Value): number =>
  typeof value === 'bigint' && value >= 0n ? Number(value) : fail('a length that is negative or no integer');

const part = (name: string, cut: (characters: readonly string[], ...lengths: readonly number[]) => readonly string[]) =>
  strict((text = null, ...lengths) =>
    typeof text === 'string' ? cut([...text], ...lengths.map(lengthOf)).join('') : wrong(name, text),
  );

const split = (text: string, separators: readonly string[]): readonly string[] =>
  separators.reduce<readonly string[]>((parts, separator) => parts.flatMap((found) => found.split(separator)), [text]);

const toInteger = (value: Value): Value => {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? BigInt(Math.trunc(value)) : null;
  if (typeof value !== 'string') return wrong('toInteger', value);
  const text = value.trim();
  if (/^[-+]?\d+$/.test(text)) return BigInt(text.replace('+', ''));
  return isDecimal(text) ? BigInt(Math.trunc(Number(text))) : null;
};

const isDecimal = (text: string): boolean => /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(text);

const toFloat = (value: Value): Value => {
  if (isNumber(value)) return Number(value);
  if (typeof value !== 'string') return wrong('toFloat', value);
  return isDecimal(value.trim()) ? Number(value) : null;
};

const toBoolean = (value: Value): Value => {
  if (typeof value === 'boolean') return value;
  if (typeof value !== 'string') return wrong('toBoolean', value);
  const text = value.trim().toLowerCase();
  return text === 'true' ? true : text === 'false' ? false : null;
};

const MAX_LENGTH = 10_000_000;

const replaced = (text: string, from: string, to: string): string =>
  text.length * to.length > MAX_LENGTH ? unsupported('a text that is too long') : text.replaceAll(from, () => to);

export const textFunctions: FunctionTable = {
  TOSTRING: strict((value = null) => textOf(value)),
  TOINTEGER: strict((value = null) => toInteger(value)),
  TOFLOAT: strict((value = null) => toFloat(value)),
  TOBOOLEAN: strict((value = null) => toBoolean(value)),
  TOUPPER: ofText('toUpper', (text) => text.toUpperCase()),
  UPPER: ofText('upper', (text) => text.toUpperCase()),
  TOLOWER: ofText('toLower', (text) => text.toLowerCase()),
  LOWER: ofText('lower', (text) => text.toLowerCase()),
  TRIM: ofText('trim', (text) => text.trim()),
  LTRIM: ofText('lTrim', (text) => text.trimStart()),
  RTRIM: ofText('rTrim', (text) => text.trimEnd()),
  LEFT: part('left', (characters, length) => characters.slice(0, length)),
  RIGHT: part('right', (characters, length = 0) => characters.slice(Math.max(0, characters.length - length))),
  SUBSTRING: part('substring', (characters, from = 0, length = characters.length) =>
    characters.slice(from, from + length),
  ),
  REPLACE: strict((text = null, from = null, to = null) =>
    typeof text === 'string' && typeof from === 'string' && typeof to === 'string'
      ? replaced(text, from, to)
      : wrong('replace', text, from, to),
  ),
  SPLIT: strict((text = null, separator = null) => {
    const separators = isList(separator) ? separator : [separator];
    return typeof text === 'string' && separators.every((one) => typeof one === 'string')
      ? split(text, separators)
      : wrong('split', text, separator);
  }),
};
