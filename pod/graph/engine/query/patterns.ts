import { closing, commaParts } from './clauses';
import { type PlacedToken } from './cypher-tokens';

/** `p = (a)-[r:KNOWS]->()`. */
export interface PathPattern {
  /** The name of the path, spelled as in the text. */
  readonly variable: string | null;
  /** The names of its nodes and relationships, likewise. */
  readonly variables: readonly string[];
  readonly nodes: readonly PatternNode[];
  /** None for `shortestPath(…)`, which returns one path only. */
  readonly steps: readonly Step[];
}

export interface PatternNode {
  readonly variable: string | null;
  /** Empty: any. */
  readonly labels: readonly string[];
}

/** A relationship between two nodes, in the order of the text. */
export interface Step {
  readonly left: PatternNode;
  readonly right: PatternNode;
  readonly variable: string | null;
  /** Empty: any. */
  readonly types: readonly string[];
  readonly direction: 'right' | 'left' | 'both';
  /** What its `*` says; null for a single step. */
  readonly length: PathLength | null;
  /** From its first dash or arrow head to its last. */
  readonly tokens: readonly PlacedToken[];
}

const MAX_CHARACTERS = 100;

/** A step as the text has it, short enough for a message. */
export const stepText = (text: string, { tokens }: Step): string => {
  const whole = text.slice(tokens[0]?.start, tokens.at(-1)?.end);
  return whole.length > MAX_CHARACTERS ? `${whole.slice(0, MAX_CHARACTERS)}…` : whole;
};

export interface PathLength {
  /** Null: what a parameter says. */
  readonly min: number | null;
  /** Null: any, or what a parameter says. */
  readonly max: number | null;
  /** `SHORTEST`, `TRAIL` or the like: not all walks are wanted. */
  readonly restricted: boolean;
}

const LEFT_HEAD = /^[<\u27e8\u3008\ufe64\uff1c]$/;
const RIGHT_HEAD = /^[>\u27e9\u3009\ufe65\uff1e]$/;
const DASH = /^[-\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]$/;
export const isDash = ({ text }: PlacedToken): boolean => DASH.test(text);

/** The paths of a MATCH, from its tokens before WHERE. */
export const pathPatterns = (body: readonly PlacedToken[]): readonly PathPattern[] =>
  commaParts(body).map((tokens) => {
    const isNamed = tokens[1]?.text === '=';
    const variable = isNamed ? (tokens[0]?.text ?? null) : null;
    return { variable, ...readChain(isNamed ? tokens.slice(2) : tokens) };
  });

type Chain = Omit<PathPattern, 'variable'>;

const readChain = (tokens: readonly PlacedToken[]): Chain => {
  const [first, second] = tokens;
  if (first?.kind === 'word' && second?.text === '(') {
    return { ...readChain(tokens.slice(2, closing(tokens, 1))), steps: [] };
  }
  if (first?.text === '(' && second?.text === '(') return readChain(tokens.slice(1, closing(tokens, 0)));
  const opens = tokens.flatMap(({ text, depth }, index) => (text === '(' && depth === first?.depth ? [index] : []));
  const nodes = opens.map((open) => nodeAt(tokens, open));
  const steps = opens.slice(1).flatMap((open, at) => {
    const between = tokens.slice(closing(tokens, opens[at] ?? 0) + 1, open);
    const [left, right] = [nodes[at], nodes[at + 1]];
    return left !== undefined && right !== undefined && between.some(isDash) ? [stepOf(left, between, right)] : [];
  });
  const names = [...nodes, ...steps].map(({ variable }) => variable);
  return { variables: names.filter((name) => name !== null), nodes, steps };
};

/** The steps with brackets of patterns that are conditions or values: `WHERE NOT (a)-[:KNOWS]->()`. */
export const stepsInExpressions = (tokens: readonly PlacedToken[]): readonly Step[] =>
  tokens.flatMap(({ text }, open) => {
    if (text !== '[') return [];
    const close = closing(tokens, open);
    const from = tokens[open - 2]?.text === ')' ? open - 1 : open - 2;
    const to = tokens[close + 2]?.text === '(' ? close + 2 : close + 3;
    if (tokens[from - 1]?.text !== ')' || tokens[to]?.text !== '(') return [];
    const depth = tokens[to].depth;
    const leftOpen = tokens.findLastIndex((token, at) => at < from && token.text === '(' && token.depth === depth);
    // `shortestPath((a)-[:KNOWS*]->(b))` is one path, whatever walks there are.
    if (/^(ALL)?SHORTESTPATHS?$/.test(tokens[leftOpen - 2]?.upper ?? '')) return [];
    return [stepOf(nodeAt(tokens, leftOpen), tokens.slice(from, to), nodeAt(tokens, to))];
  });

const nodeAt = (tokens: readonly PlacedToken[], open: number): PatternNode => {
  const inside = tokens.slice(open + 1, closing(tokens, open));
  return { variable: nameAt(inside, 0), labels: namesAfterColon(inside) };
};

const stepOf = (left: PatternNode, tokens: readonly PlacedToken[], right: PatternNode): Step => {
  const open = tokens.findIndex(({ text }) => text === '[');
  const detail = open < 0 ? [] : tokens.slice(open + 1, closing(tokens, open));
  const pointsLeft = LEFT_HEAD.test(tokens[0]?.text ?? '');
  const pointsRight = RIGHT_HEAD.test(tokens.at(-1)?.text ?? '');
  return {
    left,
    right,
    variable: nameAt(detail, 0),
    types: namesAfterColon(detail),
    direction: pointsLeft === pointsRight ? 'both' : pointsLeft ? 'left' : 'right',
    length: lengthOf(detail),
    tokens,
  };
};

const isName = (token: PlacedToken | undefined): boolean =>
  token?.kind === 'quoted_name' || (token?.kind === 'word' && token.role === 'name');

const nameAt = (tokens: readonly PlacedToken[], index: number): string | null => {
  const token = tokens[index];
  return token !== undefined && isName(token) ? token.text : null;
};

/** A name as it is compared: without its backticks. */
export const plainName = (name: string): string => (name.startsWith('`') ? name.slice(1, -1) : name);

/** `:A|B` and `:A|:B` at the start of the brackets. */
const namesAfterColon = (detail: readonly PlacedToken[]): readonly string[] => {
  const from = detail.findIndex(({ text }, index) => text === ':' && index <= 1);
  if (from < 0) return [];
  const after = detail.slice(from);
  const end = after.findIndex((token) => !isName(token) && !/^[:|]$/.test(token.text));
  return (end < 0 ? after : after.slice(0, end)).filter(isName).map(({ text }) => plainName(text));
};

const lengthOf = (detail: readonly PlacedToken[]): PathLength | null => {
  const condition = detail.findIndex(({ role, text }) => text === '{' || text === '(' || role === 'keyword');
  const star = detail.findIndex(({ text, depth }) => text === '*' && depth === detail[0]?.depth);
  if (star < 0 || (condition >= 0 && condition < star)) return null;
  const restricted = detail[star + 1]?.role === 'keyword';
  const bounds = detail
    .slice(star + 1)
    .filter(({ kind, text }) => kind === 'number' || kind === 'parameter' || text === '..');
  const dots = bounds.findIndex(({ text }) => text === '..');
  const bound = (index: number): number | null =>
    bounds[index]?.kind === 'number' ? Number(bounds[index].text) : null;
  if (dots < 0) return { min: bounds.length === 0 ? 1 : bound(0), max: bound(0), restricted };
  return { min: dots === 0 ? 1 : bound(0), max: bound(dots + 1), restricted };
};
