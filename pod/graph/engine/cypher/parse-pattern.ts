import { type CypherToken, nameIn } from './cypher-tokens';
import { type TokenReader } from './token-reader';
import {
  type Expression,
  type LabelTest,
  type Name,
  type NodePattern,
  type PathLength,
  type PathPattern,
  type Span,
  type StepPattern,
} from './tree';

/** Parses `p = (a)-[r:KNOWS]->(b)`, with or without a name, and `shortestPath(…)`. */
export const parsePath = (reader: TokenReader): PathPattern => {
  const { start } = reader;
  const isNamed = reader.atName() && reader.peek(1)?.text === '=';
  const name = isNamed ? reader.name() : null;
  if (isNamed) reader.expect('=');
  const shortest = shortestAt(reader);
  if (shortest !== null) reader.take();
  const chain = shortest === null ? parseChain(reader) : reader.enclosed('(', ')', () => parseChain(reader));
  return { name, shortest, ...chain, ...reader.span(start) };
};

const shortestAt = (reader: TokenReader): PathPattern['shortest'] => {
  if (reader.peek(1)?.text !== '(') return null;
  if (reader.atWords('SHORTESTPATH')) return 'one';
  return reader.atWords('ALLSHORTESTPATHS') ? 'all' : null;
};

const parseChain = (reader: TokenReader): Pick<PathPattern, 'nodes' | 'steps'> => {
  if (reader.at('(', '(')) return reader.nested(() => reader.enclosed('(', ')', () => parseChain(reader)));
  const nodes = [parseNode(reader)];
  const steps = reader.chain<readonly StepPattern[], true>(
    [],
    () => (beginsStep(reader.peek(), reader.peek(1)) ? true : null),
    (before) => {
      const step = parseStep(reader);
      nodes.push(parseNode(reader));
      return [...before, step];
    },
  );
  return { nodes, steps };
};

const parseNode = (reader: TokenReader): NodePattern => {
  const { start } = reader;
  const inside = (): Omit<NodePattern, keyof Span> => {
    const name = patternName(reader);
    const labels = reader.at(':') ? parseLabels(reader) : null;
    return { name, labels, properties: parseProperties(reader), where: parseWhere(reader) };
  };
  return { ...reader.enclosed('(', ')', inside, 'a label, properties or )'), ...reader.span(start) };
};

/** `where` is a name unless a condition follows. */
const patternName = (reader: TokenReader): Name | null => {
  const isName = reader.atName() && (!reader.atWords('WHERE') || /^[:{)\]*]$/.test(reader.peek(1)?.text ?? ''));
  return isName ? reader.name() : null;
};

/** A map, or a parameter that contains one. */
const parseProperties = (reader: TokenReader): Expression | null =>
  reader.at('{') || reader.peek()?.kind === 'parameter' ? reader.grammar.expression(reader) : null;

export const parseWhere = (reader: TokenReader): Expression | null =>
  reader.skipWords('WHERE') ? reader.grammar.expression(reader) : null;

/** `:A`, `:A:B`, `:A&B` and `:A|B`; the bar of `[n IN list WHERE n:A | n.name]` is a separator. */
export const parseLabels = (reader: TokenReader): LabelTest => {
  const { start } = reader.expect(':');
  if (reader.at('!') || reader.at('(') || reader.at('%'))
    return reader.fail(
      'a name: label expressions with !, % and brackets are not supported; write NOT n:Label in WHERE',
    );
  const names: Name[] = [reader.name('a label')];
  const separators = new Set<string>();
  const next = (): boolean => {
    const separator = [':', '&', ...(reader.isWithin('before a bar') ? [] : ['|'])].find(
      (symbol) => reader.at(symbol) && (reader.atName(1) || reader.peek(1)?.text === ':'),
    );
    if (separator === undefined) return false;
    reader.take();
    if (separator === '|') reader.skip(':');
    separators.add(separator === '|' ? 'any' : 'all');
    return true;
  };
  while (next()) names.push(reader.name('a label'));
  if (separators.size > 1)
    return reader.fail('either | or : between all labels; write one of both as a condition in WHERE');
  return { names, of: separators.has('any') ? 'any' : 'all', ...reader.span(start) };
};

const LEFT_HEAD = /^[<\u27e8\u3008\ufe64\uff1c]$/;
const RIGHT_HEAD = /^[>\u27e9\u3009\ufe65\uff1e]$/;
const DASH = /^[-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]$/;
const matches = (token: CypherToken | undefined, symbol: RegExp): boolean =>
  token?.kind === 'symbol' && symbol.test(token.text);

/** `-[`, `--`, `<-`. */
const beginsStep = (first: CypherToken | undefined, second: CypherToken | undefined): boolean =>
  matches(first, LEFT_HEAD)
    ? matches(second, DASH)
    : matches(first, DASH) && (second?.text === '[' || matches(second, DASH));

type Detail = Pick<StepPattern, 'name' | 'types' | 'length' | 'properties' | 'where'>;
const NO_DETAIL: Detail = { name: null, types: [], length: null, properties: null, where: null };

const parseStep = (reader: TokenReader): StepPattern => {
  const { start } = reader;
  const pointsLeft = takeIf(reader, LEFT_HEAD);
  takeDash(reader);
  const expected = 'a type, a length, properties or ]';
  const detail = reader.at('[') ? reader.enclosed('[', ']', () => parseDetail(reader), expected) : NO_DETAIL;
  takeDash(reader);
  const pointsRight = takeIf(reader, RIGHT_HEAD);
  const direction = pointsLeft === pointsRight ? 'both' : pointsLeft ? 'left' : 'right';
  return { ...detail, direction, ...reader.span(start) };
};

const takeIf = (reader: TokenReader, symbol: RegExp): boolean => {
  const found = matches(reader.peek(), symbol);
  if (found) reader.take();
  return found;
};

const takeDash = (reader: TokenReader): void => {
  if (!takeIf(reader, DASH)) reader.fail('-');
};

const parseDetail = (reader: TokenReader): Detail => {
  const name = patternName(reader);
  const types = reader.at(':') ? parseTypes(reader) : [];
  const length = reader.at('*') ? parseLength(reader) : null;
  return { name, types, length, properties: parseProperties(reader), where: parseWhere(reader) };
};

/** `:A|B` and `:A|:B`. */
const parseTypes = (reader: TokenReader): readonly Name[] => {
  reader.expect(':');
  const types = [reader.name('a type')];
  while (reader.skip('|')) {
    reader.skip(':');
    types.push(reader.name('a type'));
  }
  return types;
};

const parseLength = (reader: TokenReader): PathLength => {
  const { start } = reader.expect('*');
  const min = parseBound(reader);
  const max = reader.skip('..') ? parseBound(reader) : min;
  return { min, max, ...reader.span(start) };
};

const parseBound = (reader: TokenReader): Expression | null => {
  const token = reader.peek();
  if (token?.kind === 'number' && /^\d+$/.test(token.text)) {
    reader.take();
    return { kind: 'number', text: token.text, ...reader.span(token.start) };
  }
  if (token?.kind !== 'parameter' || reader.peek(1)?.text === '{') return null;
  reader.take();
  return { kind: 'parameter', name: nameIn(token.text.slice(1)), ...reader.span(token.start) };
};
