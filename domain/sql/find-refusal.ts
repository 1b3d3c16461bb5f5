import {
  AFTER_TABLES,
  isReachingFunction,
  refusalOfTable,
  refusalOfTableFunction,
  STATEMENT_WORDS,
} from './refused-names';
import { type Refusal, TokenCursor } from './token-cursor';
import { type Token } from './tokenize';

/** The first reason why the tokens are not one read-only query; null when they are. */
export const findRefusal = (tokens: readonly Token[]): Refusal | null => readQuery(tokens).refusal;

/** The result of parsing a query. */
export interface QueryReading {
  readonly refusal: Refusal | null;
  /** Each name that stands where a table is expected, in its parts and in their order in the text. */
  readonly relations: readonly (readonly string[])[];
  /** Names of the common tables, lower case. */
  readonly commonTables: ReadonlySet<string>;
}

export const readQuery = (tokens: readonly Token[]): QueryReading => {
  const reader = new QueryReader(tokens);
  return { refusal: reader.read(), relations: reader.relations, commonTables: reader.commonNames };
};

const QUERY_WORDS = new Set<string | null>(['select', 'values', 'table', 'with']);
/** Statements that list, reshape or read tables without a SELECT. */
const OTHER_QUERY_WORDS = new Set<string | null>(
  ['from', 'show', 'describe', 'desc', 'summarize', 'pivot', 'unpivot'].concat('pivot_wider', 'pivot_longer'),
);
const SET_OPERATIONS = new Set<string | null>(['union', 'intersect', 'except']);
const SET_MODIFIERS = new Set(['all', 'distinct', 'by', 'name', 'corresponding']);
const CLAUSES_AFTER_FROM = new Set<string | null>(['where', 'group', 'having', 'order']);
/** `EXTRACT(year FROM d)`: here FROM is not a clause. */
const FUNCTIONS_WITH_FROM = new Set<string | null>(['extract', 'trim', 'substring', 'overlay']);
/** Reserved everywhere: no dialect has a column, a table or an alias of these names without quotes. */
const NEVER_NAMES = new Set<string | null>(
  ['from', 'where', 'group', 'having', 'order', 'union', 'intersect', 'except'].concat('select', 'into', 'table'),
);
const CONDITIONS = new Set<string | null>(['where', 'having']);
const CLOSING = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
const CLOSING_SYMBOLS = new Set(CLOSING.values());
const MAX_DEPTH = 500;

/** The position of the parser in a query or an expression. */
interface Place {
  /** After SELECT, so that FROM may follow. */
  selected: boolean;
  /** Between FROM and the clause after it: a comma is followed by another table. */
  inFrom: boolean;
  /** Keywords have no meaning here. */
  readonly plain: boolean;
}

const EXPRESSION: Place = { selected: false, inFrom: false, plain: false };

/**
 * A recursive-descent parser for the part of the grammar that locates every query and every table name. It skips
 * everything else (expressions, types, syntax errors).
 */
class QueryReader extends TokenCursor {
  readonly relations: (readonly string[])[] = [];
  readonly commonNames = new Set<string>();
  private depth = 0;

  read(): Refusal | null {
    this.query();
    if (this.isSymbol(';')) this.refuse('only one statement is allowed', this.at + 1);
    if (this.token() !== undefined) this.refuse(`unmatched "${this.symbol()}"`);
    return this.refusal;
  }

  private query(): void {
    if (this.accept('with')) this.commonTables();
    this.rest({ ...EXPRESSION, selected: this.term() });
  }

  /** SELECT, VALUES, TABLE name, or a query in parentheses. Returns whether it was SELECT. */
  private term(): boolean {
    if (this.accept('select')) {
      const first = this.keyword() === 'distinct' ? this.at + 1 : this.at;
      if (this.isSymbol(',', first) || this.isMissing(first))
        this.refuseUnreadable('expected columns after SELECT', first);
      return true;
    }
    if (this.isSymbol('(')) this.inBrackets(() => this.query());
    else if (this.accept('table')) this.table('TABLE');
    else if (!this.accept('values')) this.refuseNoQuery();
    // In brackets DuckDB reads it as the name of a column.
    else if (this.depth === 0 && this.ends(this.at)) this.refuseUnreadable('expected rows after VALUES');
    return false;
  }

  /** The table that must follow FROM or TABLE. */
  private table(after: string): void {
    if (this.isSymbol(',') || (this.keyword() !== 'select' && this.keyword() !== 'table' && this.isMissing(this.at))) {
      this.refuseUnreadable(`expected a table after ${after}`);
    } else this.relation();
  }

  /** The next token cannot be a column or a table. */
  private isMissing(at: number): boolean {
    return this.ends(at) || NEVER_NAMES.has(this.keyword(at));
  }

  /** The text, the brackets or the statement end. */
  private ends(at: number): boolean {
    const token = this.token(at);
    return token === undefined || (token.kind === 'symbol' && (token.text === ';' || CLOSING_SYMBOLS.has(token.text)));
  }

  private commonTables(): void {
    this.accept('recursive');
    do {
      if (!this.isName()) return this.refuse('expected the name of a common table after WITH');
      this.commonNames.add(this.token()?.text.toLowerCase() ?? '');
      this.at += 1;
      if (this.isSymbol('(')) this.brackets();
      if (this.accept('using')) {
        this.at += 1;
        if (this.isSymbol('(')) this.brackets();
      }
      if (!this.accept('as')) return this.refuse('expected AS and a query in parentheses');
      while (['not', 'materialized'].includes(this.word())) this.at += 1;
      if (!this.isSymbol('(')) return this.refuse('expected a query in parentheses after AS');
      this.inBrackets(() => this.query());
    } while (this.acceptSymbol(','));
  }

  /** Skips the rest of a query or an expression, up to its closing bracket. */
  private rest(place: Place): void {
    while (this.token() !== undefined && !CLOSING_SYMBOLS.has(this.symbol()) && !this.isSymbol(';')) {
      if (CLOSING.has(this.symbol())) this.brackets();
      else if (place.inFrom && this.acceptSymbol(',')) this.relation();
      else if (place.plain || !this.clause(place)) {
        this.checkCall();
        this.at += 1;
      }
    }
  }

  /** Parses a keyword that begins a new clause; false when the next token is not one. */
  private clause(place: Place): boolean {
    const keyword = this.keyword();
    if (keyword === 'into') this.refuse('SELECT INTO writes; only queries that read are allowed');
    else if (keyword === 'from' && !this.isDistinctFrom()) {
      if (!place.selected) this.refuseNoQuery();
      place.inFrom = true;
      this.at += 1;
      this.table('FROM');
    } else if (keyword === 'join') {
      this.at += 1;
      this.relation();
    } else if (SET_OPERATIONS.has(keyword)) {
      this.at += 1;
      while (SET_MODIFIERS.has(this.word())) this.at += 1;
      place.inFrom = false;
      place.selected = this.term();
    } else if (CLAUSES_AFTER_FROM.has(keyword)) {
      place.inFrom = false;
      this.at += 1;
      if (CONDITIONS.has(keyword) && this.ends(this.at))
        this.refuseUnreadable(`expected a condition after ${this.before()}`);
    } else return false;
    return true;
  }

  /** Brackets in an expression: a query, a call's arguments, a list, a struct. */
  private brackets(): void {
    const plain = this.isSymbol('{') || FUNCTIONS_WITH_FROM.has(this.keyword(this.at - 1));
    const mayBeQuery = this.isSymbol('(');
    this.inBrackets(() => {
      const keyword = mayBeQuery ? this.keyword() : null;
      const next = this.at + 1;
      if (QUERY_WORDS.has(keyword)) this.query();
      else if (!plain && OTHER_QUERY_WORDS.has(keyword) && (this.isName(next) || this.isSymbol('(', next))) {
        this.refuseNoQuery();
      } else this.rest({ ...EXPRESSION, plain });
    });
  }

  /** A table reference: a name, a table function, or a query or join in parentheses. */
  private relation(): void {
    let first: number;
    let path: readonly string[];
    do {
      while (this.accept('lateral'));
      if (this.keyword() === 'table' && this.isSymbol('(', this.at + 1)) this.at += 1;
      if (this.isSymbol('(')) return this.inBrackets(() => this.queryOrJoin());
      if (this.token()?.kind === 'string') return this.refuse('expected a table, found a string; files are not read');
      if (!this.isName()) return;
      if (QUERY_WORDS.has(this.keyword()) || OTHER_QUERY_WORDS.has(this.keyword())) return this.refuseNoQuery();
      first = this.at;
      path = this.path();
      // DuckDB's `alias: table`
    } while (this.acceptSymbol(':'));
    const isFunction = this.isSymbol('(');
    if (!isFunction) this.relations.push(path);
    const refusal = isFunction ? refusalOfTableFunction(path) : refusalOfTable(path);
    if (refusal !== null) this.refuse(refusal, first);
  }

  private queryOrJoin(): void {
    if (QUERY_WORDS.has(this.keyword())) return this.query();
    if (this.isStatement()) return this.refuseNoQuery({ isUnreadable: true });
    this.relation();
    this.rest({ ...EXPRESSION, inFrom: true });
  }

  /**
   * Whether the text in parentheses after FROM is a statement and not a table with the name of a statement, which an
   * alias, a join, a sample or the end would follow.
   */
  private isStatement(): boolean {
    if (!STATEMENT_WORDS.has(this.keyword())) return false;
    let next = this.at + 1;
    if (this.isSymbol('.', next) || this.isSymbol(':', next)) return false;
    // PostgreSQL's `table *`, which DuckDB reads as well.
    if (this.isSymbol('*', next)) next += 1;
    const word = this.keyword(next);
    if (word === 'as') next += 2;
    else if (this.isName(next) && !NEVER_NAMES.has(word) && !AFTER_TABLES.has(word)) next += 1;
    if (this.isSymbol('(', next)) return !this.isName(next + 1);
    return !this.isSymbol(',', next) && !this.ends(next) && !AFTER_TABLES.has(this.keyword(next));
  }

  /** A qualified name, `a.b.c`. */
  private path(): readonly string[] {
    const path: string[] = [];
    do {
      path.push(this.token()?.text ?? '');
      this.at += 1;
    } while (this.isName(this.at + 1) && this.acceptSymbol('.'));
    return path;
  }

  private checkCall(): void {
    const name = this.isName() && this.isSymbol('(', this.at + 1) ? (this.token()?.text ?? '') : '';
    if (isReachingFunction(name))
      this.refuse(`the function ${name} is not allowed: it reads something outside the query`);
  }

  private inBrackets(read: () => void): void {
    if (this.depth >= MAX_DEPTH) return this.refuse(`brackets are nested more than ${MAX_DEPTH} deep`);
    const opened = this.at;
    const closing = CLOSING.get(this.symbol()) ?? '';
    this.at += 1;
    this.depth += 1;
    read();
    this.depth -= 1;
    if (this.token() === undefined) this.refuse('the bracket that opens here is not closed', opened);
    else if (!this.acceptSymbol(closing)) this.refuse(`expected "${closing}"`);
  }

  /** `a IS [NOT] DISTINCT FROM b` compares. */
  private isDistinctFrom(): boolean {
    const [third, second, last] = [this.keyword(this.at - 3), this.keyword(this.at - 2), this.keyword(this.at - 1)];
    return last === 'distinct' && (second === 'is' || (second === 'not' && third === 'is'));
  }

  private before(): string {
    return this.token(this.at - 1)?.text.toUpperCase() ?? '';
  }

  private refuseNoQuery(more: Pick<Refusal, 'isUnreadable'> = {}): void {
    const found = this.token()?.text ?? 'nothing';
    this.refuse(`expected a query that begins with SELECT, WITH, VALUES or TABLE, found ${found}`, this.at, more);
  }
}
