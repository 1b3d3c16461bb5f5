import { type PlacedToken } from '../../query/word-roles';

/** Tokens that stand together, by their numbers; `to` is exclusive. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Two expressions a query compares: by an operator, IN, CASE … WHEN, or the property map of a pattern. */
export type Comparison = readonly [Span, Span];

type Tokens = readonly PlacedToken[];

const COMPARING = new Set(['=', '<>', '!=', '<', '<=', '>', '>=']);
const CLAUSES = new Set(['MATCH', 'WHERE', 'WITH', 'RETURN', 'UNWIND', 'CALL', 'YIELD', 'BY']);

export const comparisonsIn = (tokens: Tokens): readonly Comparison[] =>
  tokens.flatMap((token, index): readonly Comparison[] => {
    const right = (): Span => operandAfter(tokens, index);
    if (token.kind === 'symbol' && COMPARING.has(token.text)) {
      const compares = !isArrow(tokens, index) && !isAssignment(tokens, index);
      return compares ? [[operandBefore(tokens, index), right()]] : [];
    }
    if (token.kind === 'symbol' && token.text === ':' && isPatternKey(tokens, index)) {
      return [[{ from: index - 1, to: index }, right()]];
    }
    if (isKeyword(token, 'IN') && !bindsName(tokens, index)) return [[operandBefore(tokens, index), right()]];
    const subject = isKeyword(token, 'WHEN') ? caseSubject(tokens, index) : null;
    return subject === null ? [] : [[subject, right()]];
  });

/** `[x IN list …]` and `any(x IN list …)`, which compare nothing. */
export const bindsName = (tokens: Tokens, inIndex: number): boolean => {
  const open = tokens[inIndex - 2]?.text;
  const called = tokens[inIndex - 3]?.upper ?? '';
  return open === '[' || (open === '(' && ['ANY', 'ALL', 'NONE', 'SINGLE'].includes(called));
};

/** What stands before a token, back to a comma or the beginning of its clause or brackets. */
export const itemBefore = (tokens: Tokens, end: number): Span =>
  spanBefore(tokens, end, ({ text, upper, role }) => text === ',' || (role === 'keyword' && CLAUSES.has(upper)));

const operandBefore = (tokens: Tokens, end: number): Span => spanBefore(tokens, end, isBoundary);

const spanBefore = (tokens: Tokens, end: number, isEnd: (token: PlacedToken) => boolean): Span => {
  let from = end;
  let cases = 0;
  for (let token = tokens[from - 1]; token !== undefined; token = tokens[from - 1]) {
    const relative = token.depth - (tokens[end]?.depth ?? 0);
    if (isKeyword(token, 'END')) cases++;
    if (relative < 0 || (relative === 0 && cases === 0 && isEnd(token))) break;
    if (isKeyword(token, 'CASE')) cases--;
    from--;
  }
  return { from, to: end };
};

/** The expression that begins behind a token. */
export const operandAfter = (tokens: Tokens, start: number): Span => {
  let to = start + 1;
  let cases = 0;
  for (let token = tokens[to]; token !== undefined; token = tokens[to]) {
    const relative = token.depth - (tokens[start]?.depth ?? 0);
    if (isKeyword(token, 'CASE')) cases++;
    if (relative < 0 || (relative === 0 && cases === 0 && isBoundary(token))) break;
    if (isKeyword(token, 'END')) cases--;
    to++;
  }
  return { from: start + 1, to };
};

const isKeyword = ({ kind, role, upper }: PlacedToken, word: string): boolean =>
  kind === 'word' && role === 'keyword' && upper === word;

const isBoundary = ({ kind, text, role }: PlacedToken): boolean =>
  kind === 'symbol' ? COMPARING.has(text) || [',', '|', ':'].includes(text) : role === 'keyword';

const isArrow = (tokens: Tokens, index: number): boolean => {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token?.text === '>') return before?.text === '-' && before.end === token.start;
  return token?.text === '<' && after?.text === '-' && after.start === token.end;
};

/** The name of a path, and the beginning of `reduce(sum = 0, …)`. */
const isAssignment = (tokens: Tokens, index: number): boolean => {
  if (tokens[index]?.text !== '=') return false;
  return clauseAt(tokens, index) === 'MATCH' || tokens[index - 3]?.upper === 'REDUCE';
};

/** `born` in `(n:Person {born: …})`, which is no map. */
const isPatternKey = (tokens: Tokens, colon: number): boolean => {
  const depth = tokens[colon]?.depth ?? 0;
  const open = tokens.findLastIndex((token, index) => index < colon && token.depth < depth);
  if (tokens[open]?.text !== '{') return false;
  const [before, first] = [tokens[open - 1], tokens[open - 2]];
  if (clauseAt(tokens, open) === 'MATCH') return true;
  if (before?.text === '(') return first?.role !== 'name';
  return before?.role === 'name' && ['(', ':', '|'].includes(first?.text ?? '');
};

const clauseAt = (tokens: Tokens, index: number): string | undefined => {
  let depth = tokens[index]?.depth ?? 0;
  return tokens.slice(0, index).findLast((token) => {
    depth = Math.min(depth, token.depth);
    return token.depth === depth && token.role === 'keyword' && CLAUSES.has(token.upper);
  })?.upper;
};

/** The expression behind the CASE a WHEN belongs to; null when there is none. */
const caseSubject = (tokens: Tokens, when: number): Span | null => {
  const { from } = spanBefore(tokens, when, (token) => isKeyword(token, 'CASE'));
  const first = tokens.findIndex((token, index) => index >= from && isKeyword(token, 'WHEN'));
  return first > from ? { from, to: first } : null;
};
