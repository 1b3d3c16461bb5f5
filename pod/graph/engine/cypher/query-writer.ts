import { QueryFault } from './query-fault';
import { type Expression, type Name, type PathPattern, type Query, type Span } from './tree';

/** How an engine reads Cypher. */
export interface Dialect {
  /** Null: the engine has no such names. */
  readonly name: (name: string) => string | null;
  /** Omitted: `$` and the name. */
  readonly parameter?: (name: string) => string;
  /** How the engine calls a procedure; omitted: as queries do. */
  readonly procedure?: (name: string) => string;
  /** How strongly the operator of an expression binds; an operand that binds less gets brackets. */
  readonly strength: (expression: Expression) => number;
  /** Operators whose left operand needs brackets if it is one of the same strength: the engine reads them from the right, or not in a row. */
  readonly bracketsLeft: ReadonlySet<string>;
  readonly nesting: NestingLimits;
  /** What stands between labels of which a node needs only one; omitted: `|`. */
  readonly anyLabel?: ':';
}

/** What nested brackets cost the engine. */
export interface NestingLimits {
  /** How deep brackets may be; CASE … END is one. */
  readonly maxDepth: number;
  /** What makes the engine read all that is inside twice: any bracket and any sign or NOT, or CASE alone. */
  readonly readsTwice: 'brackets' | 'cases';
}

/** The rules that need each other, across files. */
interface Rules {
  readonly query: (writer: QueryWriter, query: Query) => void;
  readonly path: (writer: QueryWriter, path: PathPattern) => void;
  readonly expression: (writer: QueryWriter, value: Expression) => void;
}

/** Readings of a piece of text by an engine's parser, all pieces together: some 0.3 s. */
const MAX_READINGS = 2 ** 16;

/**
 * Collects the text of a query. Engines read nested expressions by recursion, which ends their process when it goes too
 * deep, and takes twice the time with each level where they try two readings; no timeout ends that. So a text that is
 * nested too deep for its engine throws a `QueryFault`.
 */
export class QueryWriter {
  text = '';
  /** Where parts of the tree begin, in this text and in the original one. */
  readonly #places: (readonly [here: number, original: number])[] = [];
  #depth = 0;
  #doublings = 0;
  #readings = 0;

  constructor(
    readonly dialect: Dialect,
    readonly rules: Rules,
  ) {}

  /** The offset in the original text of what stands at an offset of this one. */
  originalOffset(offset: number): number {
    return this.#places.findLast(([here]) => here <= offset)?.[1] ?? 0;
  }

  put(text: string, from: Span | null = null): void {
    if (from !== null) this.#places.push([this.text.length, from.start]);
    this.text += text;
    this.#readings += 2 ** this.#doublings - 1;
    if (this.#readings > MAX_READINGS) this.#fail(TOO_MANY_READINGS);
  }

  /** Writes a part between brackets. */
  within(open: string, close: string, from: Span | null, part: () => void): void {
    this.put(open, from);
    const doubles = this.dialect.nesting.readsTwice === 'brackets' || open === 'CASE' ? 1 : 0;
    this.#depth++;
    this.#doublings += doubles;
    if (this.#depth > this.dialect.nesting.maxDepth) {
      this.#fail(`${NAME_A_PART}: brackets and CASE … END are nested deeper than ${this.dialect.nesting.maxDepth}.`);
    }
    part();
    this.#depth--;
    this.#doublings -= doubles;
    this.put(close);
  }

  /** Writes the operand of a sign or NOT, which some engines read twice. */
  prefixed(operator: string, part: () => void, from: Span): void {
    this.put(operator, from);
    const doubles = this.dialect.nesting.readsTwice === 'brackets' ? 1 : 0;
    this.#doublings += doubles;
    part();
    this.#doublings -= doubles;
  }

  joined<A>(items: readonly A[], separator: string, write: (item: A) => void): void {
    for (const [index, item] of items.entries()) {
      if (index > 0) this.put(separator);
      write(item);
    }
  }

  name(name: Name): void {
    const quoted = this.dialect.name(name.text);
    if (quoted === null)
      throw new QueryFault(`The name ${name.text} is not possible here; choose another.`, name.start);
    this.put(quoted, name);
  }

  /** A word or symbol and what follows it; nothing where there is no value. */
  after(word: string, value: Expression | null): void {
    if (value === null) return;
    this.put(word);
    this.rules.expression(this, value);
  }

  #fail(message: string): never {
    throw new QueryFault(message, this.originalOffset(this.text.length));
  }
}

const NAME_A_PART = 'Name a part of this expression by WITH, or send it as a parameter';
const TOO_MANY_READINGS =
  `${NAME_A_PART}: the engine reads the text in brackets or in CASE … END again for each level, so about twelve levels ` +
  'are possible, and fewer around a long text.';
