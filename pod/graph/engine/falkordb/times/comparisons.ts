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

export const comparisonsIn = (tokens: Tokens): readonly Comparison[] => {
  const clauses = clausesOf(tokens);
  return tokens.flatMap((token, index): readonly Comparison[] => {
    const right = (): Span => operandAfter(tokens, index);
    if (token.kind === 'symbol' && COMPARING.has(token.text)) {
      const assigns = token.text === '=' && (clauses[index] === 'MATCH' || tokens[index - 3]?.upper === 'REDUCE');
      return assigns || isArrow(tokens, index) ? [] : [[operandBefore(tokens, index), right()]];
    }
    if (token.kind === 'symbol' && token.text === ':' && isPatternKey(tokens, index, clauses[index])) {
      return [[{ from: index - 1, to: index }, right()]];
    }
    if (isKeyword(token, 'IN') && !bindsName(tokens, index)) return [[operandBefore(tokens, index), right()]];
    const subject = isKeyword(token, 'WHEN') ? caseSubject(tokens, index) : null;
    return subject === null ? [] : [[subject, right()]];
  });
};

/** The clause each token is in; names of paths and properties of patterns are what stands in a MATCH before WHERE. */
const clausesOf = (tokens: Tokens): readonly (string | undefined)[] => {
  const open: (string | undefined)[] = [];
  return tokens.map(({ depth, role, upper }) => {
    for (let at = open.length; at <= depth; at++) open[at] = open[at - 1];
    open.length = depth + 1;
    if (role === 'keyword' && CLAUSES.has(upper)) open[depth] = upper;
    return open[depth];
  });
};

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

/** `born` in `(n:Person {born: …})`, which is no map. */
const isPatternKey = (tokens: Tokens, colon: number, clause: string | undefined): boolean => {
  const depth = tokens[colon]?.depth ?? 0;
  let open = colon - 1;
  while (open > 0 && (tokens[open]?.depth ?? 0) >= depth) open--;
  if (tokens[open]?.text !== '{') return false;
  const [before, first] = [tokens[open - 1], tokens[open - 2]];
  if (clause === 'MATCH') return true;
  if (before?.text === '(') return first?.role !== 'name';
  return before?.role === 'name' && ['(', ':', '|'].includes(first?.text ?? '');
};

/** The expression behind the CASE a WHEN belongs to; null when there is none. */
const caseSubject = (tokens: Tokens, when: number): Span | null => {
  const { from } = spanBefore(tokens, when, (token) => isKeyword(token, 'CASE'));
  let first = from;
  while (first < when && tokens[first]?.upper !== 'WHEN') first++;
  return first > from ? { from, to: first } : null;
};
