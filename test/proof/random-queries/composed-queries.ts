import { type Choice } from '../../support/choice';
import { type Family } from './family';
import { keyOf, type NamedNode } from './parts';
import { LABELS, TYPES } from './random-world';

/** The names at a place of a query. */
interface Scope {
  /** Any of them can be null. */
  readonly nodes: readonly NamedNode[];
  /** Integers, texts or null. */
  readonly values: readonly string[];
  /** Those from outside of a subquery: they need not be listed by WITH. */
  readonly outer: Scope | null;
}

const EMPTY: Scope = { nodes: [], values: [], outer: null };
const DEPTH = 3;

/** Clauses in any order, with subqueries in subqueries, each of which uses names from outside. */
export const composedFamilies: Readonly<Record<string, Family>> = {
  'composed clauses and subqueries': ({ choice }) => new Composer(choice).query(),
};

class Composer {
  #named = 0;
  constructor(private readonly choice: Choice) {}

  query(): string {
    const start = this.#node(this.choice.of(['Person', 'Movie', 'Account']));
    const first = `MATCH (${start.name}:${start.label})`;
    const { text, scope } = this.#clauses({ ...EMPTY, nodes: [start] }, DEPTH);
    return `${first} ${text} RETURN ${this.#columns(scope)}`;
  }

  #columns(scope: Scope): string {
    const { choice } = this;
    const values = [this.#value(scope, DEPTH), this.#value(scope, DEPTH)];
    return choice.of([
      `${values[0]} AS c0, ${values[1]} AS c1`,
      `${values[0]} AS c0, count(*) AS c1`,
      `DISTINCT ${values[0]} AS c0`,
      `count(*) AS c0, count(${values[0]}) AS c1`,
    ]);
  }

  #node(label: string): NamedNode {
    return { name: `n${++this.#named}`, label };
  }

  #name(): string {
    return `v${++this.#named}`;
  }

  #clauses(from: Scope, depth: number): { readonly text: string; readonly scope: Scope } {
    let scope = from;
    const texts: string[] = [];
    for (let left = 1 + this.choice.below(3); left > 0; left--) {
      const made = this.choice.of([
        () => this.#match(scope, depth),
        () => this.#match(scope, depth),
        () => this.#with(scope, depth),
        () => this.#with(scope, depth),
        () => this.#unwind(scope),
        () => (depth === 0 ? this.#with(scope, depth) : this.#call(scope, depth - 1)),
      ])();
      texts.push(made.text);
      scope = made.scope;
    }
    return { text: texts.join(' '), scope };
  }

  #match(scope: Scope, depth: number) {
    const { choice } = this;
    const optional = choice.of(['', '', 'OPTIONAL ']);
    const known = all(scope).nodes;
    const start = choice.percent(80) && known.length > 0 ? choice.of(known) : null;
    const found = start === null ? this.#node(choice.of(['Movie', 'Place'])) : this.#node(this.#end(start.label));
    const pattern = start === null ? `(${found.name}:${found.label})` : this.#step(start, found);
    const after = { ...scope, nodes: [...scope.nodes, found] };
    const where = choice.percent(50) ? ` WHERE ${this.#condition(after, depth)}` : '';
    return { text: `${optional}MATCH ${pattern}${where}`, scope: after };
  }

  /** The label at the other end of a step. */
  #end(label: string): string {
    return this.choice.of(
      Object.values(TYPES).flatMap(({ from, to }) => (from === label ? [to] : to === label ? [from] : [])),
    );
  }

  #step(start: NamedNode, end: NamedNode): string {
    const { choice } = this;
    const fitting = Object.entries(TYPES).flatMap(([type, { from, to }]) => [
      ...(from === start.label && to === end.label ? [`-[:${type}]->`] : []),
      ...(to === start.label && from === end.label ? [`<-[:${type}]-`] : []),
    ]);
    const arrow = choice.percent(20) ? choice.of(['--', '-->', '-[*1..2]->']) : choice.of(fitting);
    return `(${start.name})${arrow}(${end.name}:${end.label})`;
  }

  #unwind(scope: Scope) {
    const name = this.#name();
    const list = this.choice.of(['[1, 2]', '[3, null]', '[]', `[${this.#value(scope, 0)}, 1]`]);
    return { text: `UNWIND ${list} AS ${name}`, scope: { ...scope, values: [...scope.values, name] } };
  }

  #with(scope: Scope, depth: number) {
    const { choice } = this;
    const nodes = scope.nodes.filter(() => choice.percent(60));
    const values = scope.values.filter(() => choice.percent(60));
    const name = this.#name();
    const of = this.#value(scope, choice.percent(70) ? 0 : depth);
    const added = choice.of([
      `${of} AS ${name}`,
      `count(${of}) AS ${name}`,
      `max(${this.#key(scope)}) AS ${name}`,
      `count(DISTINCT ${of}) AS ${name}`,
      `count(*) AS ${name}`,
    ]);
    const after: Scope = { ...scope, nodes, values: [...values, name] };
    const items = [...nodes.map((node) => node.name), ...values, added].join(', ');
    const distinct = choice.of(['', '', 'DISTINCT ']);
    const keys = [...nodes.map(({ name: of, label }) => `${of}.${keyOf(label)}`), ...after.values].join(', ');
    const order = choice.percent(30) ? ` ORDER BY ${keys} LIMIT ${1 + choice.below(3)}` : '';
    const where = choice.percent(30) ? ` WHERE ${this.#condition(after, depth)}` : '';
    return { text: `WITH ${distinct}${items}${order}${where}`, scope: after };
  }

  #call(scope: Scope, depth: number) {
    const { choice } = this;
    const { nodes, values } = all(scope);
    const [someNodes, someValues] = [nodes.filter(() => choice.percent(60)), values.filter(() => choice.percent(60))];
    const imports = [...someNodes.map(({ name }) => name), ...someValues];
    const outer: Scope = { nodes: someNodes, values: someValues, outer: null };
    const name = this.#name();
    const part = (): string => {
      const inner = this.#clauses({ ...EMPTY, outer }, depth);
      const value = choice.of([this.#value(inner.scope, depth), `count(*)`, `min(${this.#key(inner.scope)})`]);
      return `${inner.text} RETURN ${value} AS ${name}${choice.of(['', '', ` ORDER BY ${name} LIMIT 2`])}`;
    };
    const union = choice.of([' UNION ', ' UNION ALL ']);
    const parts = choice.percent(25) ? [part(), part()].join(union) : part();
    return {
      text: `CALL (${imports.join(', ')}) { ${parts} }`,
      scope: { ...scope, values: [...scope.values, name] },
    };
  }

  /** A subquery of an expression. */
  #inner(scope: Scope, depth: number): string {
    const { text, scope: inner } = this.#clauses({ ...EMPTY, outer: all(scope) }, depth - 1);
    return `${text} RETURN ${this.#value(inner, 0)} AS x`;
  }

  #condition(scope: Scope, depth: number): string {
    const { choice } = this;
    const [a, b] = [this.#value(scope, 0), this.#value(scope, 0)];
    if (depth > 0 && choice.percent(40))
      return choice.of([
        () => `EXISTS { ${this.#inner(scope, depth)} }`,
        () => `NOT EXISTS { ${this.#inner(scope, depth)} }`,
        () => `COUNT { ${this.#inner(scope, depth)} } > 1`,
      ])();
    return choice.of([`${a} = ${b}`, `${a} <> ${b}`, `${a} IS NOT NULL`, `${a} IS NULL OR ${b} IS NULL`]);
  }

  #key(scope: Scope): string {
    const { nodes } = all(scope);
    if (nodes.length === 0) return '1';
    const { name, label } = this.choice.of(nodes);
    return `${name}.${keyOf(label)}`;
  }

  #value(scope: Scope, depth: number): string {
    const { choice } = this;
    const { nodes, values } = all(scope);
    if (depth > 0 && choice.percent(20))
      return choice.of([
        () => `COUNT { ${this.#inner(scope, depth)} }`,
        () => `EXISTS { ${this.#inner(scope, depth)} }`,
      ])();
    if (values.length > 0 && choice.percent(40)) return choice.of(values);
    if (nodes.length === 0) return '1';
    const { name, label } = choice.of(nodes);
    const fitting = Object.entries(LABELS[label]!).flatMap(([property, type]) =>
      type === 'int' || type === 'text' ? [property] : [],
    );
    return `${name}.${choice.of(fitting)}`;
  }
}

/** The names with those from outside. */
const all = ({ nodes, values, outer }: Scope): Scope =>
  outer === null
    ? { nodes, values, outer }
    : { nodes: [...outer.nodes, ...nodes], values: [...outer.values, ...values], outer: null };
