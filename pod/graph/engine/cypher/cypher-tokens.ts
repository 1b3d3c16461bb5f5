import { QueryFault } from './query-fault';

/** A token of Cypher. Comments and white space are not tokens. */
export interface CypherToken {
  readonly kind: 'word' | 'quoted_name' | 'string' | 'number' | 'parameter' | 'symbol';
  readonly text: string;
  /** The text with ASCII letters in upper case, to compare words with keywords. */
  readonly upper: string;
  /** Offsets in the text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
}

/** A position in a text, 1-based. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

const SPACE =
  /[ \t\n\v\f\r\x1c-\x1f\u1680\u180e\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000\u00a0\u2007\u202f]+/y;
const BLOCK_COMMENT = /\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//y;
const LINE_COMMENT = /\/\/[^\n\r]*(?:\r?\n|$)/y;

const NAME = String.raw`[\p{ID_Start}\p{Pc}][\p{ID_Continue}\p{Sc}]*`;
const ESCAPE = String.raw`\\(?:[\\'"bBfFnNrRtT]|[uU][0-9a-fA-F]{4}|[uU][0-9a-fA-F]{8})`;

const TOKENS: readonly (readonly [CypherToken['kind'], RegExp])[] = [
  ['word', new RegExp(NAME, 'uy')],
  ['quoted_name', /(?:`[^`]*`)+/y],
  ['string', new RegExp(`'(?:[^'\\\\]|${ESCAPE})*'|"(?:[^"\\\\]|${ESCAPE})*"`, 'y')],
  [
    'number',
    /0[xX][0-9a-fA-F]+(?!\p{ID_Continue})|0[oO][0-7]+(?!\p{ID_Continue})|(?:\d+\.\d+|\.\d+|\d+)[eE]-?\d+|\d*\.\d+|\d+/uy,
  ],
  ['parameter', new RegExp(`\\$(?:${NAME}|\\d+|\`[^\`]+\`)`, 'uy')],
  ['symbol', /<>|<=|>=|!=|=~|>>|<<|\.\.|[-+*/%^=<>!|&:;,.(){}[\]]/y],
  // Arrow heads and dashes outside ASCII that the grammar also accepts in patterns.
  ['symbol', /[\u27e8\u3008\ufe64\uff1c\u27e9\u3009\ufe65\uff1e\u00ad\u2010-\u2015\u2212\ufe58\ufe63\uff0d]/y],
];

/** Splits Cypher into tokens; throws a `QueryFault` at text that does not match any token. */
export const cypherTokens = (text: string): readonly CypherToken[] => {
  const invisible = text.search(/\0|\p{Surrogate}/u);
  if (invisible >= 0) throw new QueryFault('Invalid character: U+0000 or half a surrogate pair.', invisible);
  const skippable = [SPACE, BLOCK_COMMENT, LINE_COMMENT];
  const tokens: CypherToken[] = [];
  let offset = 0;
  while (offset < text.length) {
    const skipped = skippable.map((pattern) => matchLength(pattern, text, offset)).find((length) => length > 0);
    if (skipped !== undefined) {
      offset += skipped;
      continue;
    }
    const token = /^\/[/*]/.test(text.slice(offset, offset + 2)) ? null : tokenAt(text, offset);
    if (token === null) throw new QueryFault(unreadable(text, offset), offset);
    tokens.push(token);
    offset = token.end;
  }
  return tokens;
};

/** Line and column of an offset. */
export const positionAt = (text: string, offset: number): TextPosition => {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf('\n');
  return { line: before.split('\n').length, column: [...before.slice(lastBreak + 1)].length + 1 };
};

/** Upper case of ASCII letters only: the engine does not treat `ſ` as `S`, and this parser must not either. */
export const asciiUpper = (text: string): string => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());

/** The name in a token, without its backticks. */
export const nameIn = (text: string): string => (text.startsWith('`') ? text.slice(1, -1).replaceAll('``', '`') : text);

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
