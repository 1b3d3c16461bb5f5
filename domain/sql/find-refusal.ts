import { isReachingFunction, refusalOfTable, refusalOfTableFunction } from './refused-names';
import { type Token } from './tokenize';

export interface Refusal {
  readonly message: string;
  /** Where the offending token begins, in UTF-16 units. */
  readonly start: number;
}

/** The first thing that makes the tokens of a text inadmissible as one read-only query; null when there is none. */
export const findRefusal = (tokens: readonly Token[]): Refusal | null => new QueryReader(tokens).read();

const QUERY_WORDS = new Set(['select', 'values', 'table', 'with']);
/** They show, rearrange or read tables without a SELECT. */
const OTHER_QUERY_WORDS = new Set(
  ['from', 'show', 'describe', 'desc', 'summarize', 'pivot', 'unpivot'].concat('pivot_wider', 'pivot_longer'),
);
const SET_OPERATIONS = new Set(['union', 'intersect', 'except']);
const SET_MODIFIERS = new Set(['all', 'distinct', 'by', 'name', 'corresponding']);
const CLAUSES_AFTER_FROM = new Set(['where', 'group', 'having', 'order']);
/** `EXTRACT(year FROM d)`: here FROM is no clause. */
const FUNCTIONS_WITH_FROM = new Set(['extract', 'trim', 'substring', 'overlay']);
const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const MAX_DEPTH = 500;

const EXPECTED = 'expected one query that begins with SELECT, WITH, VALUES or TABLE';

/**
 * Reads just enough of the grammar to know every place where a query begins and every place where a table is named,
 * by recursive descent. What it does not need to know (expressions, types, syntax errors) it passes over. The first
 * refusal ends the reading: the reader jumps behind the last token, where every loop stops.
 */
class QueryReader {
  private at = 0;
  private depth = 0;
  private refusal: Refusal | null = null;
  /** The lower-case word for each token that can be a keyword: not one after `.` or AS, which is a name. */
  private readonly keywords: readonly (string | null)[];

  constructor(private readonly tokens: readonly Token[]) {
    const keywords: (string | null)[] = [];
    for (const [index, token] of tokens.entries()) {
      const isName = this.isSymbol('.', index - 1) || keywords[index - 1] === 'as';
      keywords.push(token.kind === 'word' && !isName ? token.text.toLowerCase() : null);
    }
    this.keywords = keywords;
  }

  read(): Refusal | null {
    this.query();
    if (this.at < this.tokens.length) this.refuse(this.isSymbol(';') ? 'only one statement is admitted' : EXPECTED);
    return this.refusal;
  }

  private query(): void {
    if (this.accept('with')) this.commonTables();
    this.term();
    this.rest({ selected: false, inFrom: false });
  }

  /** SELECT …, VALUES …, TABLE …, or a query in parentheses. */
  private term(): void {
    if (this.isSymbol('(')) this.inBrackets(() => this.query());
    else if (this.accept('select')) this.rest({ selected: true, inFrom: false });
    else if (this.accept('table')) this.relation();
    else if (!this.accept('values')) this.refuse(EXPECTED);
  }

  private commonTables(): void {
    this.accept('recursive');
    do {
      if (!this.isName()) return this.refuse('expected the name of a common table after WITH');
      this.at += 1;
      if (this.isSymbol('(')) this.inBrackets(() => this.rest({ selected: false, inFrom: false }));
      if (this.accept('using')) {
        this.at += 1;
        if (this.isSymbol('(')) this.inBrackets(() => this.rest({ selected: false, inFrom: false }));
      }
      if (!this.accept('as')) return this.refuse('expected AS and a query in parentheses after the name');
      while (['not', 'materialized'].includes(this.word())) this.at += 1;
      if (!this.isSymbol('(')) return this.refuse('expected a query in parentheses after AS');
      this.inBrackets(() => this.query());
    } while (this.acceptSymbol(','));
  }

  /** Passes over the rest of a query or an expression, up to the bracket that closes it. */
  private rest(state: { selected: boolean; inFrom: boolean; fromIsNoClause?: boolean }): void {
    while (this.at < this.tokens.length && !this.isClosing() && !this.isSymbol(';')) {
      const keyword = this.keywords[this.at] ?? null;
      if (OPENING.has(this.symbol())) this.brackets();
      else if (state.inFrom && this.acceptSymbol(',')) this.relation();
      else if (keyword === 'join') this.step(() => this.relation());
      else if (keyword === 'into') this.refuse('SELECT INTO writes; only queries that read are admitted');
      else if (keyword === 'select') this.step(() => (state.selected = true));
      else if (keyword === 'from' && !state.fromIsNoClause && !this.isDistinctFrom()) {
        if (!state.selected) return this.refuse(`${EXPECTED}, not with FROM`);
        state.inFrom = true;
        this.step(() => this.relation());
      } else if (keyword !== null && SET_OPERATIONS.has(keyword)) {
        this.at += 1;
        while (SET_MODIFIERS.has(this.word())) this.at += 1;
        state.selected = state.inFrom = false;
        this.term();
      } else {
        if (keyword !== null && CLAUSES_AFTER_FROM.has(keyword)) state.inFrom = false;
        this.checkCall();
        this.at += 1;
      }
    }
  }

  /** Brackets in an expression: a query, a call's arguments, a list, a struct. */
  private brackets(): void {
    const opening = this.symbol();
    const called = this.keywords[this.at - 1] ?? '';
    const fromIsNoClause = opening === '{' || FUNCTIONS_WITH_FROM.has(called);
    this.inBrackets(() => {
      const keyword = opening === '(' ? (this.keywords[this.at] ?? '') : '';
      const isOtherQuery = OTHER_QUERY_WORDS.has(keyword) && !fromIsNoClause;
      if (QUERY_WORDS.has(keyword)) this.query();
      else if (isOtherQuery && (this.isName(1) || this.isSymbol('(', this.at + 1))) this.refuse(EXPECTED);
      else this.rest({ selected: false, inFrom: false, fromIsNoClause });
    });
  }

  /** A place where a table is named. */
  private relation(): void {
    if (this.accept('lateral')) return this.relation();
    if (this.word() === 'table' && this.isSymbol('(', this.at + 1)) this.at += 1;
    if (this.isSymbol('(')) {
      return this.inBrackets(() => {
        if (QUERY_WORDS.has(this.keywords[this.at] ?? '')) return this.query();
        this.relation();
        this.rest({ selected: false, inFrom: true });
      });
    }
    const token = this.tokens[this.at];
    if (token?.kind === 'string') return this.refuse('a text stands where a table is expected; files are not read');
    if (!this.isName()) return;
    const keyword = this.keywords[this.at] ?? '';
    if (QUERY_WORDS.has(keyword) || OTHER_QUERY_WORDS.has(keyword)) return this.refuse(`${EXPECTED} in parentheses`);

    const first = this.at;
    const path = this.path();
    if (this.acceptSymbol(':')) return this.relation();
    const refusal = this.isSymbol('(') ? refusalOfTableFunction(path) : refusalOfTable(path);
    if (refusal !== null) this.refuse(refusal, first);
  }

  /** A name with what qualifies it, `a.b.c`. */
  private path(): readonly string[] {
    const path: string[] = [];
    do {
      path.push(this.tokens[this.at]?.text ?? '');
      this.at += 1;
    } while (this.isName(1) && this.acceptSymbol('.'));
    return path;
  }

  private checkCall(): void {
    const token = this.tokens[this.at];
    if (token === undefined || !this.isName() || !this.isSymbol('(', this.at + 1)) return;
    if (isReachingFunction(token.text)) this.refuse(`the function ${token.text} is not admitted: it reaches out of the query`);
  }

  private inBrackets(read: () => void): void {
    if (this.depth >= MAX_DEPTH) return this.refuse(`brackets are nested more than ${MAX_DEPTH} deep`);
    const closing = { '(': ')', '[': ']', '{': '}' }[this.symbol()] ?? '';
    const opened = this.at;
    this.at += 1;
    this.depth += 1;
    read();
    this.depth -= 1;
    if (this.at >= this.tokens.length) this.refuse(`the bracket that opens here is not closed`, opened);
    else if (!this.acceptSymbol(closing)) this.refuse(`expected "${closing}"`);
  }

  /** `a IS [NOT] DISTINCT FROM b` compares. */
  private isDistinctFrom(): boolean {
    const before = [this.keywords[this.at - 3], this.keywords[this.at - 2], this.keywords[this.at - 1]];
    return before[2] === 'distinct' && (before[1] === 'is' || (before[1] === 'not' && before[0] === 'is'));
  }

  private step(read: () => void): void {
    this.at += 1;
    read();
  }

  private refuse(message: string, at = this.at): void {
    this.refusal ??= { message, start: this.tokens[at]?.start ?? this.tokens.at(-1)?.start ?? 0 };
    this.at = this.tokens.length;
  }

  private accept(keyword: string): boolean {
    const found = this.keywords[this.at] === keyword;
    if (found) this.at += 1;
    return found;
  }

  private acceptSymbol(symbol: string): boolean {
    const found = this.isSymbol(symbol);
    if (found) this.at += 1;
    return found;
  }

  private isSymbol(symbol: string, at = this.at): boolean {
    const token = this.tokens[at];
    return token?.kind === 'symbol' && token.text === symbol;
  }

  private symbol(): string {
    const token = this.tokens[this.at];
    return token?.kind === 'symbol' ? token.text : '';
  }

  private isClosing(): boolean {
    return CLOSING.has(this.symbol());
  }

  /** The lower-case word at the reader, a name after AS included. */
  private word(): string {
    const token = this.tokens[this.at];
    return token?.kind === 'word' ? token.text.toLowerCase() : '';
  }

  private isName(ahead = 0): boolean {
    const kind = this.tokens[this.at + ahead]?.kind;
    return kind === 'word' || kind === 'quoted';
  }
}
