import { type CypherToken, nameIn } from './cypher-tokens';
import { otherSyntax } from './other-syntax';
import { QueryFault } from './query-fault';
import { type Expression, type Name, type PathPattern, type Query, type Span } from './tree';

/** Rules that are mutually recursive across files. */
export interface Grammar {
  readonly expression: (reader: TokenReader) => Expression;
  readonly path: (reader: TokenReader) => PathPattern;
  /** The clauses up to a closing brace or the end. */
  readonly query: (reader: TokenReader) => Query;
}

/** Expressions nested deeper crash the process of an engine, or of this parser. */
const MAX_DEPTH = 100;
/** Limit of one chain of operators; chains are parsed by loops, but walked by recursion. */
const MAX_IN_A_ROW = 1_000;
/** Limit of backtracking steps per token of the text. */
const MAX_READINGS = 20;

const WRITING_WORDS = new Set([
  'CREATE',
  'MERGE',
  'SET',
  'DELETE',
  'DETACH',
  'REMOVE',
  'DROP',
  'FOREACH',
  'COPY',
  'INSERT',
]);

/** The meaning of a bar within an expression: it ends the expression, or is unexpected. */
type Place = 'before a bar' | 'elsewhere';

/** Reads tokens from left to right. */
export class TokenReader {
  #at = 0;
  #depth = 0;
  #place: Place = 'elsewhere';
  #readings = 0;
  /** The rules that failed, with their positions. */
  readonly #failed = new Set<string>();

  constructor(
    private readonly tokens: readonly CypherToken[],
    readonly grammar: Grammar,
  ) {}

  /** The next token, or one of those after it; undefined after the last one. */
  peek(ahead = 0): CypherToken | undefined {
    return this.tokens[this.#at + ahead];
  }

  take(): CypherToken {
    const token = this.peek();
    if (token === undefined) return this.fail('more');
    this.#at++;
    if (++this.#readings > MAX_READINGS * this.tokens.length + 1_000) {
      throw new QueryFault(
        'Name a part of this query by WITH: its patterns and brackets can be read in too many ways.',
        token.start,
      );
    }
    return token;
  }

  /** Whether the next tokens are these symbols. */
  at(...symbols: readonly string[]): boolean {
    return symbols.every((text, ahead) => this.peek(ahead)?.kind === 'symbol' && this.peek(ahead)?.text === text);
  }

  /** Whether the next tokens are these keywords, in upper case. */
  atWords(...words: readonly string[]): boolean {
    return words.every((word, ahead) => this.peek(ahead)?.kind === 'word' && this.peek(ahead)?.upper === word);
  }

  /** Consumes a symbol if it is next. */
  skip(symbol: string): boolean {
    const found = this.at(symbol);
    if (found) this.take();
    return found;
  }

  /** Consumes keywords if they are next. */
  skipWords(...words: readonly string[]): boolean {
    const found = this.atWords(...words);
    if (found) words.forEach(() => this.take());
    return found;
  }

  expect(symbol: string, expected = symbol): CypherToken {
    return this.at(symbol) ? this.take() : this.fail(expected);
  }

  expectWord(word: string): CypherToken {
    return this.atWords(word) ? this.take() : this.fail(word);
  }

  /** Whether a token can be a name. */
  atName(ahead = 0): boolean {
    const kind = this.peek(ahead)?.kind;
    return kind === 'word' || kind === 'quoted_name';
  }

  name(what = 'a name'): Name {
    if (!this.atName()) return this.fail(what);
    const { text, start, end } = this.take();
    return { text: nameIn(text), start, end };
  }

  /** One or more items, separated by commas. */
  list<A>(item: () => A): readonly A[] {
    const items = [item()];
    while (this.skip(',')) items.push(item());
    return items;
  }

  /** Items up to a closing bracket, which is consumed, too; may be empty. */
  listUntil<A>(close: string, item: () => A): readonly A[] {
    if (this.skip(close)) return [];
    const items = this.within('elsewhere', () => this.list(item));
    this.expect(close);
    return items;
  }

  isWithin(place: Place): boolean {
    return this.#place === place;
  }

  /** Parses a part with the given meaning of bars. */
  within<A>(place: Place, part: () => A): A {
    const before = this.#place;
    this.#place = place;
    const result = part();
    this.#place = before;
    return result;
  }

  /** Parses a part in brackets; `expected`: what can follow the part. */
  enclosed<A>(open: string, close: string, part: () => A, expected = close): A {
    this.expect(open);
    const result = this.within('elsewhere', part);
    this.expect(close, expected);
    return result;
  }

  /** Parses a part that may contain itself. */
  nested<A>(part: () => A): A {
    if (this.#depth >= MAX_DEPTH) {
      const message = `Name a part of this expression by WITH, or send it as a parameter: it is nested deeper than ${MAX_DEPTH}.`;
      throw new QueryFault(message, this.start);
    }
    this.#depth++;
    const result = part();
    this.#depth--;
    return result;
  }

  /** Parses operands and the operators between them, from left to right. */
  chain<A, O>(first: A, operator: () => O | null, next: (left: A, operator: O) => A): A {
    let result = first;
    for (let count = 0; ; count++) {
      const from = this.start;
      const found = operator();
      if (found === null) return result;
      if (count === MAX_IN_A_ROW) {
        const message = `More than ${MAX_IN_A_ROW} operators in a row; compare with a list by IN, or split the expression by WITH.`;
        throw new QueryFault(message, from);
      }
      result = next(result, found);
    }
  }

  /** Parses a part that begins like another one; null, without consuming tokens, if it is the other one. */
  attempt<A>(rule: 'pattern' | 'binding' | 'comprehension', part: () => A): A | null {
    const [at, depth, place] = [this.#at, this.#depth, this.#place];
    const key = `${rule} ${place} ${at}`;
    if (this.#failed.has(key)) return null;
    try {
      return part();
    } catch (error) {
      if (!(error instanceof QueryFault)) throw error;
      [this.#at, this.#depth, this.#place] = [at, depth, place];
      this.#failed.add(key);
      return null;
    }
  }

  /** The position of the next token, or the end of the text. */
  get start(): number {
    return this.peek()?.start ?? this.tokens.at(-1)?.end ?? 0;
  }

  /** From an earlier position to the last consumed token. */
  span(start: number): Span {
    return { start, end: this.tokens[this.#at - 1]?.end ?? start };
  }

  /** Reports syntax of other languages at the next token. */
  refuse(syntax: string, instead: string): never {
    throw new QueryFault(`Write ${instead} instead of ${syntax}.`, this.start);
  }

  /** Reports the next token as unexpected. */
  fail(expected: string): never {
    const token = this.peek();
    if (token === undefined) throw new QueryFault(`Unexpected end of the query; expected ${expected}.`, this.start);
    const other = otherSyntax(token, this.tokens[this.#at - 1], this.peek(1));
    if (other !== null) return this.refuse(...other);
    throw new QueryFault(unexpected(token, expected), token.start);
  }
}

const unexpected = ({ kind, text, upper }: CypherToken, expected: string): string => {
  if (text === ';') return 'Send one statement at a time.';
  if (kind === 'word' && upper === 'LOAD') {
    return 'LOAD reads files, which queries cannot do: the graph has the data of its snapshot.';
  }
  if (kind === 'word' && WRITING_WORDS.has(upper)) {
    return `${upper} writes, and the graph is read-only. If ${text} is a name, put it in backticks.`;
  }
  return `Unexpected ${text.length > 40 ? `${text.slice(0, 40)}…` : text}; expected ${expected}.`;
};
