import { GraphNode, GraphPath, GraphRelationship, type Value } from '../../pod/graph/engine/evaluate/values';

/** Reads a value of the TCK's tables: `1`, `'a'`, `[1, 2]`, `{a: 1}`, `(:A {b: 1})`, `[:T]`, `<(:A)-[:T]->(:B)>`. */
export const expectedValue = (text: string): Value => {
  const reader = new ValueReader(text);
  const value = reader.value();
  if (!reader.isAtEnd()) throw new Error(`Cannot read the expected value ${text}`);
  return value;
};

class ValueReader {
  #at = 0;
  constructor(private readonly text: string) {}

  isAtEnd(): boolean {
    this.#skip('');
    return this.#at >= this.text.length;
  }

  value(): Value {
    if (this.#skip('<')) return this.#path();
    if (this.#next() === '(') return this.#node();
    if (this.#next() === '{') return this.#map();
    if (this.#next() === "'") return this.#string();
    if (/^\[\s*:/.test(this.text.slice(this.#at))) {
      const [type, properties] = this.#relationship();
      return new GraphRelationship(0, type, NOWHERE, NOWHERE, properties);
    }
    if (this.#skip('[')) {
      const items: Value[] = [];
      while (!this.#skip(']')) {
        items.push(this.value());
        this.#skip(',');
      }
      return items;
    }
    return scalar(this.#take(/[^\s,\]})>]+/y));
  }

  #next(): string {
    this.#skip('');
    return this.text[this.#at] ?? '';
  }

  #skip(symbol: string): boolean {
    while (/\s/.test(this.text[this.#at] ?? '')) this.#at++;
    if (!this.text.startsWith(symbol, this.#at)) return false;
    this.#at += symbol.length;
    return true;
  }

  #take(pattern: RegExp): string {
    this.#skip('');
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found === undefined) throw new Error(`Cannot read the expected value ${this.text} at ${this.#at}`);
    this.#at += found.length;
    return found;
  }

  #string(): string {
    return this.#take(/'(?:[^'\\]|\\.)*'/sy)
      .slice(1, -1)
      .replace(/\\(.)/gs, (_, letter: string) => (letter === 'n' ? '\n' : letter === 't' ? '\t' : letter));
  }

  #map(): ReadonlyMap<string, Value> {
    const entries = new Map<string, Value>();
    if (!this.#skip('{')) return entries;
    while (!this.#skip('}')) {
      const key = this.#take(/[^\s:]+/y);
      this.#skip(':');
      entries.set(key, this.value());
      this.#skip(',');
    }
    return entries;
  }

  #node(): GraphNode {
    this.#skip('(');
    const labels: string[] = [];
    while (this.#skip(':')) labels.push(this.#take(/[^\s:(){}]+/y));
    const properties = this.#map();
    this.#skip(')');
    return new GraphNode(0, labels, properties);
  }

  #relationship(): readonly [string, ReadonlyMap<string, Value>] {
    this.#skip('[');
    this.#skip(':');
    const type = this.#take(/[^\s\]{]+/y);
    const properties = this.#map();
    this.#skip(']');
    return [type, properties];
  }

  #path(): GraphPath {
    const nodes = [this.#node()];
    const relationships: GraphRelationship[] = [];
    while (!this.#skip('>')) {
      const isLeft = this.#skip('<-');
      if (!isLeft) this.#skip('-');
      const [type, properties] = this.#relationship();
      this.#skip(isLeft ? '-' : '->');
      const [from, to] = [nodes.at(-1) ?? NOWHERE, this.#node()];
      nodes.push(to);
      relationships.push(new GraphRelationship(0, type, isLeft ? to : from, isLeft ? from : to, properties));
    }
    return new GraphPath(nodes, relationships);
  }
}

const NOWHERE = new GraphNode(0, [], new Map());

const CONSTANTS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', NaN],
  ['Inf', Infinity],
  ['-Inf', -Infinity],
]);

const scalar = (text: string): Value => {
  const constant = CONSTANTS.get(text);
  if (constant !== undefined) return constant;
  if (/^-?\d+$/.test(text)) return BigInt(text);
  const value = Number(text);
  if (Number.isNaN(value)) throw new Error(`Cannot read the expected value ${text}`);
  return value;
};
