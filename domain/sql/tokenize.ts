import { type Either, left, right } from 'fp-ts/Either';

/**
 * `word`: an unquoted name or keyword; `quoted`: a "quoted name"; `string`: any string
 * literal. Comments and spaces are not tokens. `text` is a name without its quotes, else the source text.
 */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'string' | 'number' | 'symbol';
  readonly text: string;
  /** Where it begins, in UTF-16 units. */
  readonly start: number;
}

/** The differences between SQL dialects. */
export interface Dialect {
  /** Comments nest, `E'…'` has backslash escapes, `$tag$…$tag$` is a string, names may hold any letter and `$`. */
  readonly postgresLike: boolean;
}

/** DuckDB reads text as PostgreSQL does. */
export const DUCKDB: Dialect = { postgresLike: true };
/** Trino follows the SQL standard. */
export const TRINO: Dialect = { postgresLike: false };

export interface TokenError {
  readonly message: string;
  readonly start: number;
}

/** Characters that DuckDB treats as spaces. */
const SPACE = /[\t-\r \u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]+/y;
const LINE_COMMENT = /--[^\r\n]*/y;
const NUMBER = /(?:\d[\d_]*(?:\.(?:\d[\d_]*)?)?|\.\d[\d_]*)(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z_](?:[A-Za-z0-9_])*/y;
const WORD_OF_POSTGRES = /(?:[A-Za-z_]|[^\0-\x7f\p{Z}\p{C}])(?:[A-Za-z0-9_$]|[^\0-\x7f\p{Z}\p{C}])*/uy;
const STRING = /'[^']*(?:''[^']*)*'/y;
const ESCAPE_STRING = /[eE]'[^'\\]*(?:(?:''|\\[^])[^'\\]*)*'/y;
const QUOTED = /"[^"]*(?:""[^"]*)*"/y;
const DOLLAR_TAG = /\$(?:(?:[A-Za-z_]|[^\0-\x7f])(?:[A-Za-z0-9_]|[^\0-\x7f])*)?\$/y;
const PARAMETER = /\$[A-Za-z0-9_]+/y;
const SYMBOL = /[-+*/<>=~!@%^&|?#.,:;()[\]{}]/y;

/** Splits a query into tokens, or returns where that is impossible (an open quote or comment, a strange character). */
export const tokenize = (sql: string, dialect: Dialect): Either<TokenError, readonly Token[]> => {
  const tokens: Token[] = [];
  let at = 0;
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    return pattern.exec(sql)?.[0] ?? null;
  };
  const take = (kind: Token['kind'], text: string, length: number): void => {
    tokens.push({ kind, text, start: at });
    at += length;
  };
  const { postgresLike } = dialect;

  while (at < sql.length) {
    const skipped = match(SPACE) ?? match(LINE_COMMENT);
    if (skipped !== null) {
      at += skipped.length;
      continue;
    }
    if (sql.startsWith('/*', at)) {
      const end = endOfComment(sql, at, postgresLike);
      if (end === null) return left({ message: 'the comment that begins here is not closed with */', start: at });
      at = end;
      continue;
    }
    const string = (postgresLike ? match(ESCAPE_STRING) : null) ?? match(STRING);
    if (string !== null) {
      take('string', string, string.length);
      continue;
    }
    const quoted = match(QUOTED);
    if (quoted !== null) {
      take('quoted', quoted.slice(1, -1).replaceAll('""', '"'), quoted.length);
      continue;
    }
    const tag = postgresLike ? match(DOLLAR_TAG) : null;
    if (tag !== null) {
      const end = sql.indexOf(tag, at + tag.length);
      if (end < 0) return left({ message: `the string that begins here is not closed with ${tag}`, start: at });
      take('string', sql.slice(at, end + tag.length), end + tag.length - at);
      continue;
    }
    const word = match(postgresLike ? WORD_OF_POSTGRES : WORD);
    if (word !== null) {
      const opensString = postgresLike && /^e$/i.test(word) && sql[at + 1] === "'";
      if (opensString) return left({ message: OPEN_QUOTE, start: at });
      take('word', word, word.length);
      continue;
    }
    const number = match(NUMBER);
    const symbol = number ?? (postgresLike ? match(PARAMETER) : null) ?? match(SYMBOL);
    if (symbol === null) return left({ message: strangeCharacter(sql, at), start: at });
    take(number === null ? 'symbol' : 'number', symbol, symbol.length);
  }
  return right(tokens);
};

const OPEN_QUOTE = 'the quote that begins here is not closed';

const strangeCharacter = (sql: string, at: number): string => {
  if (sql[at] === "'" || sql[at] === '"') return OPEN_QUOTE;
  const code = (sql.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `the character U+${code} is not allowed outside quotes`;
};

const endOfComment = (sql: string, start: number, nested: boolean): number | null => {
  const mark = /\/\*|\*\//g;
  mark.lastIndex = start + 2;
  let depth = 1;
  for (let found = mark.exec(sql); found !== null; found = mark.exec(sql)) {
    if (found[0] === '/*') depth += nested ? 1 : 0;
    else depth -= 1;
    if (depth === 0) return mark.lastIndex;
  }
  return null;
};
