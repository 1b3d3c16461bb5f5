import { QueryFault } from './query-fault';
import { type Expression, type Name, type PathPattern, type Query, type Span } from './tree';

/** Rules that are mutually recursive across files. */
interface Rules {
  readonly query: (writer: QueryWriter, query: Query) => void;
  readonly path: (writer: QueryWriter, path: PathPattern) => void;
  readonly expression: (writer: QueryWriter, value: Expression) => void;
}

/** Maximum depth of brackets; CASE … END counts as one. */
const MAX_DEPTH = 100;
/** Number of times FalkorDB's parser reads pieces of text, summed over all pieces: some 0.3 s. */
const MAX_READINGS = 2 ** 16;

/**
 * Collects the text of a query. FalkorDB parses nested expressions by recursion, which crashes its process if it is too
 * deep, and reads the content of any bracket, and of any sign or NOT, twice; timeouts do not interrupt that. So a text
 * that is nested too deep throws a `QueryFault`.
 */
export class QueryWriter {
  text = '';
  /** Start offsets of parts of the tree, in this text and in the original one. */
  readonly #places: (readonly [here: number, original: number])[] = [];
  #depth = 0;
  #doublings = 0;
  #readings = 0;

  constructor(readonly rules: Rules) {}

  /** Maps an offset in this text to the offset in the original text. */
  originalOffset(offset: number): number {
    return this.#places.findLast(([here]) => here <= offset)?.[1] ?? 0;
  }

  put(text: string, from: Span | null = null): void {
    if (from !== null) this.#places.push([this.text.length, from.start]);
    this.text += text;
    this.#readings += 2 ** this.#doublings - 1;
    if (this.#readings > MAX_READINGS) this.#fail(TOO_MANY_READINGS);
  }

  /** Prints a part between brackets. */
  within(open: string, close: string, from: Span | null, part: () => void): void {
    this.put(open, from);
    if (++this.#depth > MAX_DEPTH)
      this.#fail(`${NAME_A_PART}: brackets and CASE … END are nested deeper than ${MAX_DEPTH}.`);
    this.#twice(part);
    this.#depth--;
    this.put(close);
  }

  /** Prints the operand of a sign or NOT. */
  prefixed(operator: string, part: () => void, from: Span): void {
    this.put(operator, from);
    this.#twice(part);
  }

  #twice(part: () => void): void {
    this.#doublings++;
    part();
    this.#doublings--;
  }

  joined<A>(items: readonly A[], separator: string, write: (item: A) => void): void {
    for (const [index, item] of items.entries()) {
      if (index > 0) this.put(separator);
      write(item);
    }
  }

  name(name: Name): void {
    this.put(`\`${name.text.replaceAll('`', '``')}\``, name);
  }

  /** Prints a word or symbol and its operand; nothing without a value. */
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
