import { parseAtom } from './parse-atom';
import { parseLabels } from './parse-pattern';
import { type TokenReader } from './token-reader';
import { type BinaryOperator, type ComparisonOperator, type Expression } from './tree';

/** Parses an expression, by the precedence of openCypher 9. */
export const parseExpression = (reader: TokenReader): Expression => reader.nested(() => parseLevel(reader, 0));

/** Binary operators by increasing precedence; comparisons, NOT and the predicates have their own rules between them. */
const LEVELS: readonly ((reader: TokenReader) => Expression)[] = [
  (reader) => parseBinary(reader, 0, () => wordOperator(reader, 'OR')),
  (reader) => parseBinary(reader, 1, () => wordOperator(reader, 'XOR')),
  (reader) => parseBinary(reader, 2, () => wordOperator(reader, 'AND')),
  (reader) => parseNot(reader),
  (reader) => parseComparison(reader),
  (reader) => parsePredicates(reader),
  (reader) => parseBinary(reader, 6, () => symbolOperator(reader, ['+', '-']) ?? refuseBars(reader)),
  (reader) => parseBinary(reader, 7, () => symbolOperator(reader, ['*', '/', '%'])),
  (reader) => parseBinary(reader, 8, () => symbolOperator(reader, ['^'])),
  (reader) => parseSign(reader),
];

const parseLevel = (reader: TokenReader, level: number): Expression => {
  const rule = LEVELS[level];
  return rule === undefined ? parsePostfix(reader) : rule(reader);
};

const parseBinary = (reader: TokenReader, level: number, operator: () => BinaryOperator | null): Expression =>
  reader.chain<Expression, BinaryOperator>(parseLevel(reader, level + 1), operator, (left, found) => ({
    kind: 'binary',
    operator: found,
    left,
    right: parseLevel(reader, level + 1),
    ...reader.span(left.start),
  }));

/** `a || b` joins texts or lists; `+` does, too. */
const refuseBars = (reader: TokenReader): null =>
  reader.at('|', '|') ? reader.refuse('||', '+, which joins texts and lists,') : null;

const wordOperator = <W extends BinaryOperator>(reader: TokenReader, word: W): W | null =>
  reader.skipWords(word) ? word : null;

const symbolOperator = <S extends BinaryOperator>(reader: TokenReader, symbols: readonly S[]): S | null =>
  symbols.find((symbol) => reader.skip(symbol)) ?? null;

const parseNot = (reader: TokenReader): Expression => {
  const { start } = reader;
  if (!reader.skipWords('NOT')) return parseLevel(reader, 4);
  const of = reader.nested(() => parseNot(reader));
  return { kind: 'unary', operator: 'NOT', of, ...reader.span(start) };
};

const COMPARISONS: readonly (readonly [string, ComparisonOperator])[] = [
  ['=', '='],
  ['<>', '<>'],
  ['!=', '<>'],
  ['<=', '<='],
  ['>=', '>='],
  ['<', '<'],
  ['>', '>'],
];

const parseComparison = (reader: TokenReader): Expression => {
  const first = parseLevel(reader, 5);
  const operator = (): ComparisonOperator | null => COMPARISONS.find(([symbol]) => reader.skip(symbol))?.[1] ?? null;
  return reader.chain<Expression, ComparisonOperator>(first, operator, (left, found) => {
    const next = { operator: found, right: parseLevel(reader, 5) };
    const isLonger = left.kind === 'comparison' && left !== first;
    const [of, rest] = isLonger ? [left.first, [...left.rest, next]] : [left, [next]];
    return { kind: 'comparison', first: of, rest, ...reader.span(of.start) };
  });
};

type Predicate = 'IN' | 'STARTS WITH' | 'ENDS WITH' | 'CONTAINS' | '=~' | 'IS NULL' | 'IS NOT NULL';

const parsePredicates = (reader: TokenReader): Expression =>
  reader.chain<Expression, Predicate>(
    parseLevel(reader, 6),
    () => predicateAt(reader),
    (left, found) => {
      if (found === 'IS NULL' || found === 'IS NOT NULL') {
        return { kind: 'null_test', of: left, negated: found === 'IS NOT NULL', ...reader.span(left.start) };
      }
      return { kind: 'binary', operator: found, left, right: parseLevel(reader, 6), ...reader.span(left.start) };
    },
  );

const predicateAt = (reader: TokenReader): Predicate | null => {
  if (reader.skip('=~')) return '=~';
  if (reader.skipWords('IN')) return 'IN';
  if (reader.skipWords('CONTAINS')) return 'CONTAINS';
  if (reader.skipWords('STARTS', 'WITH')) return 'STARTS WITH';
  if (reader.skipWords('ENDS', 'WITH')) return 'ENDS WITH';
  if (!reader.skipWords('IS')) return null;
  const negated = reader.skipWords('NOT');
  reader.expectWord('NULL');
  return negated ? 'IS NOT NULL' : 'IS NULL';
};

const parseSign = (reader: TokenReader): Expression => {
  const { start } = reader;
  const operator = reader.skip('-') ? '-' : reader.skip('+') ? '+' : null;
  if (operator === null) return parsePostfix(reader);
  const of = reader.nested(() => parseSign(reader));
  return { kind: 'unary', operator, of, ...reader.span(start) };
};

const parsePostfix = (reader: TokenReader): Expression => {
  const atom = parseAtom(reader);
  return reader.chain<Expression, string>(
    atom,
    () => accessAt(reader, atom),
    (of, symbol) => {
      if (symbol === '.') {
        if (reader.at('*')) return reader.refuse('n.*', 'properties(n)');
        return { kind: 'property', of, name: reader.name('a property'), ...reader.span(of.start) };
      }
      if (symbol === ':') return { kind: 'has_labels', of, labels: parseLabels(reader), ...reader.span(of.start) };
      return parseIndex(reader, of);
    },
  );
};

const accessAt = (reader: TokenReader, atom: Expression): string | null => {
  if (reader.at('.') && atom.kind === 'number') return reader.fail('digits after the point of a number');
  if (reader.skip('.')) return '.';
  if (reader.skip('[')) return '[';
  // Not consumed: it begins the labels.
  return reader.at(':') && reader.atName(1) ? ':' : null;
};

const parseIndex = (reader: TokenReader, of: Expression): Expression => {
  const isOpen = reader.at('..') || reader.at(']');
  const first = isOpen ? null : reader.within('elsewhere', () => parseExpression(reader));
  if (!reader.skip('..')) {
    if (first === null) return reader.fail('an index');
    reader.expect(']');
    return { kind: 'index', of, at: first, ...reader.span(of.start) };
  }
  const to = reader.at(']') ? null : reader.within('elsewhere', () => parseExpression(reader));
  reader.expect(']');
  return { kind: 'slice', of, from: first, to, ...reader.span(of.start) };
};
