import { type CypherToken } from './cypher-tokens';
import { type PlacedToken } from './word-roles';

const MAX_IN_A_ROW = 1_000;
/** Readings of a token by an engine's parser, all tokens together: some 0.3 s. */
const MAX_READINGS = 2 ** 16;

/** What the nesting of a text costs the engine that reads it. */
export interface NestingLimits {
  /** How deep brackets may be; CASE … END is one. */
  readonly maxDepth: number;
  /** What makes the engine read all that is inside twice: any bracket and any sign or NOT, or CASE alone. */
  readonly readsTwice: 'brackets' | 'cases';
}

/** Why a text is too much for an engine. */
interface Excess {
  readonly message: string;
  readonly token: CypherToken;
}

/** The tokens between two brackets. */
interface Level {
  /** How often the engine doubles its work on the way to here. */
  readonly doublings: number;
  /** In a row, since the last comma or clause. */
  operators: number;
  /** Properties, labels and indexes of one operand in a row. */
  accesses: number;
  /** Signs and NOTs before an operand in a row. */
  prefixes: number;
}

const levelWith = (doublings: number): Level => ({ doublings, operators: 0, accesses: 0, prefixes: 0 });

/**
 * Engines read nested and chained expressions by recursion, which ends their process when it goes too deep, and takes
 * twice the time with each level where they try two readings; no timeout ends that.
 */
export const findExcess = (tokens: readonly PlacedToken[], limits: NestingLimits): Excess | null => {
  const levels = [levelWith(0)];
  const doubles = (condition: boolean): number => (limits.readsTwice === 'brackets' && condition ? 1 : 0);
  let readings = 0;
  for (const [index, token] of tokens.entries()) {
    const kind = kindOf(token, tokens[index - 1]);
    if (kind === 'closing') levels.pop();
    const level = levels.at(-1) ?? levelWith(0);
    count(level, kind);
    const doublings = level.doublings + doubles(true) * level.prefixes;
    readings += 2 ** doublings - 1;
    if (Math.max(level.operators, level.accesses) > MAX_IN_A_ROW) {
      const message = `More than ${MAX_IN_A_ROW} operators in a row; compare with a list by IN, or split the expression by WITH.`;
      return { message, token };
    }
    if (readings > MAX_READINGS) return { message: TOO_MUCH, token };
    if (kind !== 'opening' && kind !== 'index') continue;
    const isCase = token.kind === 'word';
    const isSubquery = token.text === '{' && tokens[index - 1]?.upper === 'CALL';
    levels.push(levelWith(doublings + (isCase ? 1 : doubles(!isSubquery))));
    if (levels.length > limits.maxDepth + 1) return { message: `${TOO_DEEP} than ${limits.maxDepth}.`, token };
  }
  return null;
};

const TOO_MUCH =
  'Name a part of this expression by WITH, or send it as a parameter: the engine reads the text in brackets or in ' +
  'CASE … END again for each level, so about twelve levels are possible, and fewer around a long text.';
const TOO_DEEP =
  'Name a part of this expression by WITH, or send it as a parameter: brackets and CASE … END are nested deeper';

type Kind = 'opening' | 'index' | 'closing' | 'operator' | 'prefix' | 'access' | 'separator' | 'other';

const count = (level: Level, kind: Kind): void => {
  if (kind === 'operator' || kind === 'prefix') level.operators++;
  if (kind === 'access' || kind === 'index') level.accesses++;
  if (kind === 'prefix') level.prefixes++;
  if (kind === 'separator') level.operators = 0;
  if (kind !== 'operator' && kind !== 'separator') return;
  level.accesses = 0;
  level.prefixes = 0;
};

const BINARY_SYMBOLS = new Set([...'*/%^=<>!|&', '<>', '<=', '>=', '!=', '=~', '>>', '<<']);
const BINARY_WORDS = new Set(['AND', 'OR', 'XOR', 'IN', 'CONTAINS', 'STARTS', 'ENDS', 'IS']);

const kindOf = ({ kind, text, upper, role }: PlacedToken, previous: PlacedToken | undefined): Kind => {
  if (kind === 'symbol') {
    if (text === '[' && previous?.text === ']') return 'index';
    if ('([{'.includes(text)) return 'opening';
    if (')]}'.includes(text)) return 'closing';
    if (text === '.' || text === ':') return 'access';
    if (text === ',') return 'separator';
    if (text === '+' || text === '-') return endsOperand(previous) ? 'operator' : 'prefix';
    return BINARY_SYMBOLS.has(text) ? 'operator' : 'other';
  }
  if (kind !== 'word' || role !== 'keyword') return 'other';
  if (upper === 'CASE') return 'opening';
  if (upper === 'END') return 'closing';
  if (upper === 'NOT' && previous?.upper !== 'IS') return 'prefix';
  return BINARY_WORDS.has(upper) ? 'operator' : 'separator';
};

const endsOperand = (token: PlacedToken | undefined): boolean => {
  if (token?.kind === 'symbol') return ')]}'.includes(token.text);
  return token !== undefined && (token.role !== 'keyword' || token.upper === 'END' || token.upper === 'NULL');
};
