import { matching, subquery } from './build';
import { type CypherToken, nameIn } from './cypher-tokens';
import { QueryFault } from './query-fault';
import { type TokenReader } from './token-reader';
import {
  type Case,
  type Expression,
  type MapEntry,
  type MapProjection,
  type Name,
  type PatternExpression,
  type Quantifier,
  type Span,
} from './tree';

/** Parses an operand: the part between two operators, without property and index access. */
export const parseAtom = (reader: TokenReader): Expression => {
  const token = reader.peek();
  if (token === undefined) return reader.fail('an operand');
  const { kind, text, start } = token;
  if (kind === 'number') {
    reader.take();
    if (reader.peek()?.start === token.end && reader.atName()) return reader.fail('an operator after a number');
    if (/^0\d+$/.test(text)) throw new QueryFault(`Write ${Number(text)}, or 0o${text} for an octal number.`, start);
    return { kind, text, ...reader.span(start) };
  }
  if (kind === 'string') {
    reader.take();
    return { kind: 'literal', value: unescaped(token), ...reader.span(start) };
  }
  if (kind === 'parameter') {
    reader.take();
    return { kind, name: nameIn(text.slice(1)), ...reader.span(start) };
  }
  if (text === '(') return parsePattern(reader) ?? parseInBrackets(reader);
  if (text === '[') return parseList(reader);
  if (text === '{') return parseMap(reader);
  return reader.atName() ? parseWord(reader) : reader.fail('an operand');
};

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** The text of a string literal; its quotes and escapes are valid, but not every code is a character. */
const unescaped = ({ text, start }: CypherToken): string => {
  const value = text
    .slice(1, -1)
    .replace(/\\(?:[uU]([0-9a-fA-F]{8}|[0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, letter: string) =>
      code === undefined ? (ESCAPES[letter.toLowerCase()] ?? letter) : characterOf(parseInt(code, 16)),
    );
  if (/\0|\p{Surrogate}/u.test(value)) {
    throw new QueryFault('Invalid character in a text: U+0000, half a surrogate pair, or beyond U+10FFFF.', start);
  }
  return value;
};

const characterOf = (code: number): string => (code > 0x10ffff ? '\0' : String.fromCodePoint(code));

const parseInBrackets = (reader: TokenReader): Expression =>
  reader.enclosed('(', ')', () => reader.grammar.expression(reader));

/** A pattern with at least one step. */
const parsePattern = (reader: TokenReader): Expression | null =>
  reader.attempt('pattern', () => {
    const { start } = reader;
    const path = reader.grammar.path(reader);
    if (path.steps.length === 0) return reader.fail('a relationship');
    return { kind: 'pattern', path, ...reader.span(start) };
  });

const parseList = (reader: TokenReader): Expression => {
  const { start } = reader.expect('[');
  const binding =
    reader.atName() && reader.peek(1)?.upper === 'IN' ? reader.attempt('binding', () => bindingAt(reader)) : null;
  if (binding !== null) {
    const { name, list } = binding;
    const where = parseWhere(reader);
    const value = reader.skip('|') ? reader.within('elsewhere', () => reader.grammar.expression(reader)) : null;
    reader.expect(']');
    return { kind: 'comprehension', name, list, where, value, ...reader.span(start) };
  }
  if (reader.at('(') || (reader.atName() && reader.peek(1)?.text === '=' && reader.peek(2)?.text === '(')) {
    const found = reader.attempt('comprehension', () => parsePatternComprehension(reader, start));
    if (found !== null) return found;
  }
  const items = reader.listUntil(']', () => reader.grammar.expression(reader));
  return { kind: 'list', items, ...reader.span(start) };
};

/** Fails at `[x IN list, …]`, a list whose first item is a condition, and at `[NOT in.x]`. */
const bindingAt = (reader: TokenReader): ReturnType<typeof parseBinding> => {
  const binding = parseBinding(reader);
  return reader.at(',') ? reader.fail('WHERE or |') : binding;
};

const parsePatternComprehension = (reader: TokenReader, start: number): Expression => {
  const path = reader.grammar.path(reader);
  const where = parseWhere(reader);
  reader.expect('|');
  const value = reader.within('elsewhere', () => reader.grammar.expression(reader));
  reader.expect(']');
  return { kind: 'pattern_comprehension', path, where, value, ...reader.span(start) };
};

/** `x IN list`, before WHERE or a bar. */
const parseBinding = (reader: TokenReader): { readonly name: Name; readonly list: Expression } => {
  const name = reader.name();
  reader.expectWord('IN');
  return { name, list: reader.within('before a bar', () => reader.grammar.expression(reader)) };
};

const parseWhere = (reader: TokenReader): Expression | null =>
  reader.skipWords('WHERE') ? reader.within('before a bar', () => reader.grammar.expression(reader)) : null;

const parseMap = (reader: TokenReader): Expression => {
  const { start } = reader.expect('{');
  const entries = reader.listUntil('}', () => parseEntry(reader));
  return { kind: 'map', entries, ...reader.span(start) };
};

const parseEntry = (reader: TokenReader): MapEntry => {
  const key = reader.peek()?.kind === 'string' ? textKey(reader) : reader.name('a key');
  reader.expect(':');
  return { key, value: reader.grammar.expression(reader) };
};

/** `{'a key': 1}`, as in JSON. */
const textKey = (reader: TokenReader): Name => {
  const token = reader.take();
  return { text: unescaped(token), start: token.start, end: token.end };
};

const CONSTANTS: Readonly<Record<string, boolean | null>> = { TRUE: true, FALSE: false, NULL: null };
const QUANTIFIERS: readonly Quantifier['which'][] = ['ALL', 'ANY', 'NONE', 'SINGLE'];
const SUBQUERIES = ['EXISTS', 'COUNT', 'COLLECT'] as const;

/** Parses an operand that begins with a word: a call, a constant, CASE, a variable, … */
const parseWord = (reader: TokenReader): Expression => {
  const { kind, upper: word, start } = reader.peek() ?? { kind: 'symbol', upper: '', start: 0 };
  const upper = kind === 'word' ? word : '';
  const next = reader.peek(1)?.text;
  const constant = CONSTANTS[upper];
  if (constant !== undefined && next !== '(' && next !== '.') {
    reader.take();
    return { kind: 'literal', value: constant, ...reader.span(start) };
  }
  if (upper === 'CASE' && next !== '.') return reader.nested(() => parseCase(reader));
  const subquery = SUBQUERIES.find((name) => name === upper);
  // `count {.name}` is a map of the variable `count`.
  if (subquery !== undefined && next === '{' && reader.peek(2)?.text !== '.') {
    reader.take();
    const query = reader.enclosed('{', '}', () => parseSubquery(reader));
    return { kind: 'subquery', word: subquery, query, ...reader.span(start) };
  }
  return (next === '(' ? parseKnownCall(reader, upper) : null) ?? parseNamed(reader);
};

/** Calls with special syntax; null for all others. */
const parseKnownCall = (reader: TokenReader, upper: string): Expression | null => {
  const { start } = reader;
  const which = QUANTIFIERS.find((name) => name === upper);
  if (which !== undefined && reader.atName(2) && reader.peek(3)?.upper === 'IN') {
    reader.take();
    const source = reader.enclosed('(', ')', () => ({ ...parseBinding(reader), where: parseWhere(reader) }));
    return { kind: 'quantifier', which, ...source, ...reader.span(start) };
  }
  if (upper === 'REDUCE' && reader.atName(2) && reader.peek(3)?.text === '=') return parseReduction(reader, start);
  if (upper === 'SHORTESTPATH' || upper === 'ALLSHORTESTPATHS') {
    return { kind: 'pattern', path: reader.grammar.path(reader), ...reader.span(start) };
  }
  if (upper === 'CAST') return reader.refuse('CAST', 'toInteger(x), toFloat(x), toBoolean(x) or toString(x)');
  return null;
};

const parseReduction = (reader: TokenReader, start: number): Expression => {
  reader.take();
  reader.expect('(');
  const sum = reader.name();
  reader.expect('=');
  const initial = reader.grammar.expression(reader);
  reader.expect(',');
  const { name, list } = parseBinding(reader);
  reader.expect('|');
  const value = reader.within('elsewhere', () => reader.grammar.expression(reader));
  reader.expect(')');
  return { kind: 'reduction', sum, initial, name, list, value, ...reader.span(start) };
};

const parseCase = (reader: TokenReader): Case => {
  const { start } = reader.expectWord('CASE');
  const subject = reader.atWords('WHEN') ? null : reader.grammar.expression(reader);
  const branches: { when: Expression; then: Expression }[] = [];
  while (reader.skipWords('WHEN')) {
    const values =
      subject === null ? [reader.grammar.expression(reader)] : reader.list(() => reader.grammar.expression(reader));
    reader.expectWord('THEN');
    const then = reader.grammar.expression(reader);
    branches.push(...values.map((when) => ({ when, then })));
  }
  if (branches.length === 0) return reader.fail('WHEN');
  const otherwise = reader.skipWords('ELSE') ? reader.grammar.expression(reader) : null;
  reader.expectWord('END');
  return { kind: 'case', subject, branches, otherwise, ...reader.span(start) };
};

const CLAUSE_WORDS = new Set(['MATCH', 'OPTIONAL', 'UNWIND', 'WITH', 'RETURN', 'CALL']);

/** The inside of a subquery; a bare pattern is a MATCH. */
const parseSubquery = (reader: TokenReader): ReturnType<TokenReader['grammar']['query']> => {
  const { kind, upper = '' } = reader.peek() ?? {};
  if (kind === 'word' && CLAUSE_WORDS.has(upper) && reader.peek(1)?.text !== '=') {
    return reader.nested(() => reader.grammar.query(reader));
  }
  const { start } = reader;
  const paths = reader.list(() => reader.grammar.path(reader));
  const where = reader.skipWords('WHERE') ? reader.grammar.expression(reader) : null;
  return { parts: [[matching(paths, where, reader.span(start))]], unions: [] };
};

/** A variable, a map projection, or a call of `name(…)` or `a.b.name(…)`. */
const parseNamed = (reader: TokenReader): Expression => {
  const first = reader.name();
  let ahead = 0;
  while (reader.peek(ahead)?.text === '.' && reader.atName(ahead + 1)) ahead += 2;
  if (reader.peek(ahead)?.text === '(') {
    let name = first.text;
    while (reader.skip('.')) name += `.${reader.name().text}`;
    reader.expect('(');
    const isSqlTrim =
      /^(BOTH|LEADING|TRAILING)$/.test(reader.peek()?.upper ?? '') && !/^[),.[+]$/.test(reader.peek(1)?.text ?? '');
    if (/^trim$/i.test(name) && isSqlTrim)
      throw new QueryFault(
        'Write btrim(text, characters), ltrim(…) or rtrim(…) instead of trim(… FROM text).',
        first.start,
      );
    const distinct = reader.skipWords('DISTINCT');
    const isCount = name.toUpperCase() === 'COUNT' && !distinct;
    const values = reader.listUntil(')', () => {
      if (!reader.at('*')) return reader.grammar.expression(reader);
      return isCount ? parseStar(reader) : reader.refuse(`* in ${name}`, 'count(*), or a value');
    });
    const [value] = values;
    if (value?.kind === 'pattern' && value.path.shortest === null)
      return ofPattern(name, value, reader.span(first.start));
    return { kind: 'call', name, distinct, arguments: values, ...reader.span(first.start) };
  }
  if (reader.at('{')) return parseMapProjection(reader, first);
  return { kind: 'variable', name: first.text, ...reader.span(first.start) };
};

/** `exists((a)-->(b))` is `EXISTS { (a)-->(b) }`; other functions have no value for a pattern. */
const ofPattern = (name: string, pattern: PatternExpression, place: Span): Expression => {
  if (name.toUpperCase() === 'EXISTS') return subquery('EXISTS', [matching([pattern.path], null, pattern)], place);
  const instead = name.toUpperCase() === 'SIZE' ? 'COUNT { (a)-->(b) }' : `${name}([p = (a)-->(b) | p])`;
  throw new QueryFault(`Write ${instead} instead of ${name} of a pattern.`, place.start);
};

const parseStar = (reader: TokenReader): Expression => {
  const { start } = reader.expect('*');
  return { kind: 'star', ...reader.span(start) };
};

const parseMapProjection = (reader: TokenReader, of: Name): MapProjection => {
  reader.expect('{');
  const items = reader.listUntil('}', (): MapProjection['items'][number] => {
    if (reader.skip('.')) return reader.skip('*') ? { kind: 'all' } : { kind: 'property', name: reader.name() };
    if (reader.peek(1)?.text === ':') return { kind: 'entry', entry: parseEntry(reader) };
    return { kind: 'variable', name: reader.name('a property') };
  });
  return { kind: 'map_projection', of, items, ...reader.span(of.start) };
};
