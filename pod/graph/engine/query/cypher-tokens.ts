import { type Either, left, right } from 'fp-ts/Either';

/** A piece of Cypher text. Comments and white space are not tokens. */
export interface CypherToken {
  readonly kind: 'word' | 'quoted_name' | 'string' | 'number' | 'parameter' | 'symbol';
  readonly text: string;
  /** The text with ASCII letters in upper case: how a word is compared with keywords. */
  readonly upper: string;
  /** Offsets in the text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A place in a text, 1-based. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export interface LexicalError {
  readonly message: string;
  readonly offset: number;
}

// These follow the engine's own lexical grammar exactly, because any text that is read differently here than there is a
// way past the gate. In particular: a line comment ends at a line feed or the end only; a string with an unknown escape
// is not a string.
const SPACE =
  /[ \t\n\v\f\r\x1c-\x1f\u1680\u180e\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000\u00a0\u2007\u202f]+/y;
const LINE_COMMENT = /\/\/[^\n\r]*(?:\r?\n|$)/y;

const NAME = String.raw`[\p{ID_Start}\p{Pc}][\p{ID_Continue}\p{Sc}]*`;
const ESCAPE = String.raw`\\(?:[\\'"bBfFnNrRtT]|[uU][0-9a-fA-F]{4}|[uU][0-9a-fA-F]{8})`;

const TOKENS: readonly (readonly [CypherToken['kind'], RegExp])[] = [
  ['word', new RegExp(NAME, 'uy')],
  ['quoted_name', /(?:`[^`]*`)+/y],
  ['string', new RegExp(`'(?:[^'\\\\]|${ESCAPE})*'|"(?:[^"\\\\]|${ESCAPE})*"`, 'y')],
  ['number', /0[xX][0-9a-fA-F]+(?!\p{ID_Continue})|(?:\d+\.\d+|\.\d+|\d+)[eE]-?\d+|\d*\.\d+|\d+/uy],
  ['parameter', new RegExp(String.raw`\$(?:${NAME}|\d+)`, 'uy')],
  ['symbol', /<>|<=|>=|!=|=~|>>|<<|\.\.|[-+*/%^=<>!|&:;,.(){}[\]]/y],
  // Arrow heads and dashes outside ASCII that the grammar also accepts in patterns.
  ['symbol', /[\u27e8\u3008\ufe64\uff1c\u27e9\u3009\ufe65\uff1e\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/y],
];

/** Splits Cypher into tokens; text that does not match any token is an error with its offset. `comment`: a block comment, sticky. */
export const cypherTokens = (text: string, comment: RegExp): Either<LexicalError, readonly CypherToken[]> => {
  const invisible = text.search(/\0|\p{Surrogate}/u);
  if (invisible >= 0)
    return left({ message: 'Invalid character: U+0000 or half a surrogate pair.', offset: invisible });
  const skippable = [SPACE, comment, LINE_COMMENT];
  const tokens: CypherToken[] = [];
  let offset = 0;
  while (offset < text.length) {
    const skipped = skippable.map((pattern) => matchLength(pattern, text, offset)).find((length) => length > 0);
    if (skipped !== undefined) {
      offset += skipped;
      continue;
    }
    const token = /^\/[/*]/.test(text.slice(offset, offset + 2)) ? null : tokenAt(text, offset);
    if (token === null) return left({ message: unreadable(text, offset), offset });
    tokens.push(token);
    offset = token.end;
  }
  return right(tokens);
};

/** Line and column of an offset. */
export const positionAt = (text: string, offset: number): TextPosition => {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: [...before.slice(lastBreak + 1)].length + 1 };
};

/** Upper case of ASCII letters only: `ſ` is not an `S` to the engine, and must not be one here. */
export const asciiUpper = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

const tokenAt = (text: string, offset: number): CypherToken | null => {
  for (const [kind, pattern] of TOKENS) {
    const length = matchLength(pattern, text, offset);
    if (length === 0) continue;
    const piece = text.slice(offset, offset + length);
    return { kind, text: piece, upper: asciiUpper(piece), start: offset, end: offset + length };
  }
  return null;
};

const matchLength = (pattern: RegExp, text: string, offset: number): number => {
  pattern.lastIndex = offset;
  return pattern.exec(text)?.[0].length ?? 0;
};

const unreadable = (text: string, offset: number): string => {
  const rest = text.slice(offset);
  if (rest.startsWith('/*')) return 'Unterminated comment; close it with */.';
  if (rest.startsWith('//')) return 'A line comment must end with a line feed.';
  if (/^['"]/.test(rest)) return 'Unterminated string, or an unknown escape in it.';
  if (rest.startsWith('`')) return 'Unterminated quoted name; close it with a backtick.';
  const code = text.codePointAt(offset) ?? 0;
  return `Unexpected character U+${code.toString(16).toUpperCase().padStart(4, '0')}.`;
};

/** What a word is in its place: a name that the author chose, or a keyword of the language. */
export type WordRole = 'name' | 'keyword';

/** Where a text stops being a sequence of clauses that read. */
export interface Misplaced {
  readonly index: number;
  readonly problem: 'word' | 'operand' | 'bracket' | 'end';
}

/** A token in its place. */
export interface PlacedToken extends CypherToken {
  /** Null for tokens that are not words, and for those before the start or after the misplaced one. */
  readonly role: WordRole | null;
  /** How many brackets are open around it. */
  readonly depth: number;
}

export interface PlacedTokens {
  readonly tokens: readonly PlacedToken[];
  readonly misplaced: Misplaced | null;
}

/** The words of a text. */
export const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Keywords that may follow something complete; after these an operand or a name must come. */
const BEFORE_OPERAND = words(`
  MATCH WHERE RETURN WITH UNWIND CALL YIELD AS BY SKIP LIMIT AND OR XOR IN CONTAINS WHEN THEN ELSE HINT JOIN MULTI_JOIN
  SHORTEST`);
/** Keywords that may follow something complete; after these another keyword must come, or nothing. */
const BEFORE_KEYWORD = words(`
  OPTIONAL UNION ALL ORDER ASC ASCENDING DESC DESCENDING STARTS ENDS IS NOT NULL END`);
/** Keywords in front of an operand. */
const PREFIXES = words('NOT DISTINCT CASE');
/** How a path of any length is searched: `[:KNOWS* SHORTEST 1..3]`. */
const PATH_MODES = words('SHORTEST ALL WSHORTEST TRAIL ACYCLIC');
const SUBQUERIES = ['CALL', 'EXISTS', 'COUNT'] as const;
/** The word in front of a subquery's braces. */
export type SubqueryWord = (typeof SUBQUERIES)[number];
const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * Reads a statement from `start` and separates names from keywords by the token before them: where an operand is expected
 * every word is a name (`WITH 1 AS set RETURN set`), and where something is complete only a keyword that reads can
 * follow. Anything else is misplaced, so a writing clause is found however the names around it are chosen.
 */
export const placeTokens = (tokens: readonly CypherToken[], start: number): PlacedTokens => {
  const roles: WordRole[] = [];
  const depths: number[] = [];
  const open: string[] = [];
  const placed = (misplaced: Misplaced | null): PlacedTokens => ({
    tokens: tokens.map((token, index) => ({ ...token, role: roles[index] ?? null, depth: depths[index] ?? 0 })),
    misplaced,
  });
  /** Whether an operand or a name comes next. */
  let expected = false;

  for (let index = start; index < tokens.length; index++) {
    const token = tokens[index];
    const previous = tokens[index - 1];
    if (token === undefined) break;
    depths[index] = open.length;
    if (token.kind === 'word') {
      const role: WordRole = expected ? roleOfOperand(tokens, index, roles, open.at(-1)) : 'keyword';
      roles[index] = role;
      if (role === 'keyword' && !expected && !isKnownKeyword(token)) {
        return placed({ index, problem: 'word' });
      }
      expected = role === 'keyword' && (expected || !BEFORE_KEYWORD.has(token.upper));
    } else if (token.kind !== 'symbol') {
      if (!expected && previous?.text !== '*') return placed({ index, problem: 'operand' });
      expected = false;
    } else if (token.text in CLOSING) {
      open.push(token.text);
      expected = beginsSubquery(tokens, index) === null;
    } else if (token.text === ')' || token.text === ']' || token.text === '}') {
      if (CLOSING[open.pop() ?? ''] !== token.text) return placed({ index, problem: 'bracket' });
      depths[index] = open.length;
      expected = false;
    } else if (token.text === '.' && expected && previous?.text !== '{' && previous?.text !== ',') {
      return placed({ index, problem: 'operand' });
    } else if (token.text === '..' && open.at(-1) !== '[') {
      return placed({ index, problem: 'operand' });
    } else if (token.text === '*') {
      // `RETURN *` is complete, `2 * 3` is not.
      expected = !expected;
    } else if (token.text !== '!') {
      expected = true;
    }
  }
  const unfinished = open.length > 0 || expected;
  return placed(unfinished ? { index: tokens.length - 1, problem: 'end' } : null);
};

const isKnownKeyword = ({ upper }: CypherToken): boolean => BEFORE_OPERAND.has(upper) || BEFORE_KEYWORD.has(upper);

const roleOfOperand = (
  tokens: readonly CypherToken[],
  index: number,
  roles: readonly WordRole[],
  bracket: string | undefined,
): WordRole => {
  const word = tokens[index]?.upper ?? '';
  const previous = tokens[index - 1];
  // What follows the colon of a map is its value.
  if (previous?.text === '.' || (previous?.text === ':' && bracket !== '{')) return 'name';
  if (previous?.upper === 'AS' && roles[index - 1] === 'keyword') return 'name';
  if (isMapKey(tokens, index)) return 'name';
  if (word === 'WHEN') return previous?.upper === 'CASE' && roles[index - 1] === 'keyword' ? 'keyword' : 'name';
  // `[:KNOWS* (r, n | WHERE r.since > 1)]`.
  if (word === 'WHERE') return previous?.text === '|' && bracket === '(' ? 'keyword' : 'name';
  const inPath = previous?.text === '*' || (previous?.kind === 'word' && roles[index - 1] === 'keyword');
  if (bracket === '[' && inPath && PATH_MODES.has(word)) return 'keyword';
  return PREFIXES.has(word) ? 'keyword' : 'name';
};

/** `{set: 1}`, and the variable of `(set:Person)`. */
const isMapKey = (tokens: readonly CypherToken[], index: number): boolean => tokens[index + 1]?.text === ':';

/** The word in front of the brace of a subquery: `CALL { … }`, but not the map of `(count {age: 1})`. */
export const beginsSubquery = (tokens: readonly CypherToken[], brace: number): SubqueryWord | null => {
  const before = tokens[brace - 1];
  if (tokens[brace]?.text !== '{' || before?.kind !== 'word' || tokens[brace + 2]?.text === ':') return null;
  return SUBQUERIES.find((word) => word === before.upper) ?? null;
};
