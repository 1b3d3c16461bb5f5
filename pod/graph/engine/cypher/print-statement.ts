import {
  type Clause,
  type Expression,
  type LabelTest,
  type MapEntry,
  type MapProjection,
  type Name,
  type NodePattern,
  type PathFilter,
  type PathPattern,
  type ProjectionClause,
  type ProjectionItem,
  type Query,
  type Span,
  type StepPattern,
} from './tree';

/** How an engine writes Cypher. */
export interface Dialect {
  readonly name: (name: string) => string;
  readonly string: (text: string) => string;
  /** How strongly the operators of an expression bind: an operand that binds less gets brackets. */
  readonly strength: (expression: Expression) => number;
  /** The engine reads `a ^ b ^ c` from the right. */
  readonly powerFromRight: boolean;
}

/** A printed text, with places of the original text. */
export interface PrintedQuery {
  readonly text: string;
  /** Offset in the original text of what stands at an offset of the printed one. */
  readonly originalOffset: (offset: number) => number;
}

/** Writes a query for an engine. Every name is quoted as the engine needs it, and every value written anew. */
export const printQuery = (query: Query, dialect: Dialect): PrintedQuery => {
  const printer = new Printer(dialect);
  printer.query(query);
  return { text: printer.text, originalOffset: (offset) => printer.originalOffset(offset) };
};

class Printer {
  text = '';
  /** Where nodes of the tree begin in the printed and in the original text. */
  readonly #places: (readonly [printed: number, original: number])[] = [];

  constructor(private readonly dialect: Dialect) {}

  originalOffset(offset: number): number {
    return this.#places.findLast(([printed]) => printed <= offset)?.[1] ?? 0;
  }

  query({ parts, unions }: Query): void {
    for (const [index, clauses] of parts.entries()) {
      if (index > 0) this.#put(` ${unions[index - 1] ?? 'UNION'} `);
      this.#joined(clauses, ' ', (clause) => this.#clause(clause));
    }
  }

  #put(text: string, from?: Span): void {
    if (from !== undefined) this.#places.push([this.text.length, from.start]);
    this.text += text;
  }

  #joined<A>(items: readonly A[], separator: string, print: (item: A) => void): void {
    for (const [index, item] of items.entries()) {
      if (index > 0) this.#put(separator);
      print(item);
    }
  }

  #name(name: Name): void {
    this.#put(this.dialect.name(name.text), name);
  }

  #where(condition: Expression | null): void {
    if (condition === null) return;
    this.#put(' WHERE ');
    this.#expression(condition);
  }

  #clause(clause: Clause): void {
    switch (clause.kind) {
      case 'match':
        this.#put(clause.optional ? 'OPTIONAL MATCH ' : 'MATCH ', clause);
        this.#joined(clause.paths, ', ', (path) => this.#path(path));
        return this.#where(clause.where);
      case 'unwind':
        this.#put('UNWIND ', clause);
        this.#expression(clause.list);
        this.#put(' AS ');
        return this.#name(clause.name);
      case 'call_procedure':
        this.#put(`CALL ${clause.name}(`, clause);
        this.#expressions(clause.arguments);
        this.#put(')');
        if (clause.yields !== null) {
          this.#put(' YIELD ');
          this.#joined(clause.yields, ', ', ({ name, alias }) => this.#aliased(() => this.#name(name), alias));
        }
        return this.#where(clause.where);
      case 'call_query':
        this.#put('CALL { ', clause);
        this.query(clause.query);
        return this.#put(' }');
      default:
        return this.#projection(clause);
    }
  }

  #projection({ kind, distinct, items, orderBy, skip, limit, where, ...span }: ProjectionClause): void {
    this.#put(`${kind === 'with' ? 'WITH' : 'RETURN'} ${distinct ? 'DISTINCT ' : ''}`, span);
    this.#joined(items, ', ', ({ value, alias }: ProjectionItem) =>
      this.#aliased(() => this.#expression(value), alias),
    );
    if (orderBy.length > 0) {
      this.#put(' ORDER BY ');
      this.#joined(orderBy, ', ', ({ value, descending }) => {
        this.#expression(value);
        if (descending) this.#put(' DESC');
      });
    }
    if (skip !== null) this.#prefixed(' SKIP ', skip);
    if (limit !== null) this.#prefixed(' LIMIT ', limit);
    this.#where(where);
  }

  #aliased(print: () => void, alias: Name | null): void {
    print();
    if (alias === null) return;
    this.#put(' AS ');
    this.#name(alias);
  }

  #prefixed(word: string, value: Expression): void {
    this.#put(word);
    this.#expression(value);
  }

  #path({ name, shortest, nodes, steps }: PathPattern): void {
    if (name !== null) {
      this.#name(name);
      this.#put(' = ');
    }
    if (shortest !== null) this.#put(shortest === 'one' ? 'shortestPath(' : 'allShortestPaths(');
    for (const [index, node] of nodes.entries()) {
      const step = steps[index - 1];
      if (step !== undefined) this.#step(step);
      this.#node(node);
    }
    if (shortest !== null) this.#put(')');
  }

  #node(node: NodePattern): void {
    this.#put('(', node);
    if (node.name !== null) this.#name(node.name);
    if (node.labels !== null) this.#labels(node.labels);
    if (node.properties !== null) this.#prefixed(' ', node.properties);
    this.#where(node.where);
    this.#put(')');
  }

  #labels({ names, of }: LabelTest): void {
    this.#put(':');
    this.#joined(names, of === 'any' ? '|' : ':', (name) => this.#name(name));
  }

  #step(step: StepPattern): void {
    const { name, types, direction, length, properties, where } = step;
    this.#put(direction === 'left' ? '<-[' : '-[', step);
    if (name !== null) this.#name(name);
    if (types.length > 0) this.#labels({ names: types, of: 'any', ...step });
    if (length !== null) {
      this.#put(`*${length.mode === null ? '' : ` ${length.mode}`}`, length);
      if (length.cost !== null) this.#put(`(${this.dialect.name(length.cost.text)})`);
      if (length.mode !== null && length.min !== null) this.#put(' ');
      if (length.min !== null) this.#expression(length.min);
      if (length.max !== length.min) this.#put('..');
      if (length.max !== null && length.max !== length.min) this.#expression(length.max);
      if (length.filter !== null) this.#pathFilter(length.filter);
    }
    if (properties !== null) this.#prefixed(' ', properties);
    this.#where(where);
    this.#put(direction === 'right' ? ']->' : ']-');
  }

  #pathFilter({ relationship, node, where, kept, ...span }: PathFilter): void {
    this.#put(' (', span);
    this.#joined([relationship, node], ', ', (name) => this.#name(name));
    this.#put(' |');
    this.#where(where);
    if (kept !== null) {
      this.#put(' | ');
      this.#joined(kept, ', ', (values) => this.#bracketed('{', values, '}'));
    }
    this.#put(')');
  }

  #expressions(values: readonly Expression[]): void {
    this.#joined(values, ', ', (value) => this.#expression(value));
  }

  #bracketed(open: string, values: readonly Expression[], close: string): void {
    this.#put(open);
    this.#expressions(values);
    this.#put(close);
  }

  /** An operand, in brackets if it binds less than `least`. */
  #operand(value: Expression, least: number): void {
    if (this.dialect.strength(value) >= least) return this.#expression(value);
    this.#bracketed('(', [value], ')');
  }

  #expression(value: Expression): void {
    const own = this.dialect.strength(value);
    switch (value.kind) {
      case 'literal':
        return this.#put(
          typeof value.value === 'string' ? this.dialect.string(value.value) : String(value.value),
          value,
        );
      case 'number':
        return this.#put(value.text, value);
      case 'parameter':
        return this.#put(`$${value.name}`, value);
      case 'variable':
        return this.#put(this.dialect.name(value.name), value);
      case 'star':
        return this.#put(value.of === null ? '*' : `${this.dialect.name(value.of.text)}.*`, value);
      case 'list':
        this.#put('', value);
        return this.#bracketed('[', value.items, ']');
      case 'map':
        this.#put('{', value);
        this.#joined(value.entries, ', ', (entry) => this.#entry(entry));
        return this.#put('}');
      case 'map_projection':
        return this.#mapProjection(value);
      case 'property':
        this.#operand(value.of, own);
        this.#put('.');
        return this.#name(value.name);
      case 'index':
        this.#operand(value.of, own);
        return this.#bracketed('[', [value.at], ']');
      case 'slice':
        this.#operand(value.of, own);
        this.#put('[');
        if (value.from !== null) this.#expression(value.from);
        this.#put(value.separator);
        if (value.to !== null) this.#expression(value.to);
        return this.#put(']');
      case 'has_labels':
        this.#operand(value.of, own);
        return this.#labels(value.labels);
      case 'unary':
        if (value.operator !== '!') this.#put(value.operator === 'NOT' ? 'NOT ' : value.operator, value);
        this.#operand(value.of, own + (value.operator === 'NOT' ? 0 : 1));
        return value.operator === '!' ? this.#put('!') : undefined;
      case 'binary': {
        const fromRight = value.operator === '^' && this.dialect.powerFromRight;
        this.#operand(value.left, own + (fromRight ? 1 : 0));
        this.#put(` ${value.operator} `);
        return this.#operand(value.right, own + 1);
      }
      case 'comparison':
        this.#operand(value.first, own + 1);
        return value.rest.forEach(({ operator, right }) => {
          this.#put(` ${operator} `);
          this.#operand(right, own + 1);
        });
      case 'null_test':
        this.#operand(value.of, own);
        return this.#put(value.negated ? ' IS NOT NULL' : ' IS NULL');
      default:
        return this.#call(value);
    }
  }

  #entry({ key, value }: MapEntry): void {
    this.#name(key);
    this.#prefixed(': ', value);
  }

  #mapProjection(value: MapProjection): void {
    this.#name(value.of);
    this.#put(' {');
    this.#joined(value.items, ', ', (item) => {
      if (item.kind === 'all') return this.#put('.*');
      if (item.kind === 'entry') return this.#entry(item.entry);
      if (item.kind === 'property') this.#put('.');
      this.#name(item.name);
    });
    this.#put('}');
  }

  /** What has brackets or keywords around it. */
  #call(value: BracketedExpression): void {
    switch (value.kind) {
      case 'call':
        this.#put(`${value.name}(${value.distinct ? 'DISTINCT ' : ''}`, value);
        this.#expressions(value.arguments);
        return this.#put(')');
      case 'cast':
        this.#put('CAST(', value);
        this.#expression(value.of);
        return this.#put(` AS ${value.type})`);
      case 'case':
        this.#put('CASE', value);
        if (value.subject !== null) this.#prefixed(' ', value.subject);
        for (const { when, then } of value.branches) {
          this.#prefixed(' WHEN ', when);
          this.#prefixed(' THEN ', then);
        }
        if (value.otherwise !== null) this.#prefixed(' ELSE ', value.otherwise);
        return this.#put(' END');
      case 'comprehension':
        this.#put('[', value);
        this.#binding(value);
        if (value.value !== null) this.#prefixed(' | ', value.value);
        return this.#put(']');
      case 'pattern_comprehension':
        this.#put('[', value);
        this.#path(value.path);
        this.#where(value.where);
        this.#prefixed(' | ', value.value);
        return this.#put(']');
      case 'quantifier':
        this.#put(`${value.which.toLowerCase()}(`, value);
        this.#binding(value);
        return this.#put(')');
      case 'reduction':
        this.#put('reduce(', value);
        this.#name(value.sum);
        this.#prefixed(' = ', value.initial);
        this.#put(', ');
        this.#binding({ name: value.name, list: value.list, where: null });
        this.#prefixed(' | ', value.value);
        return this.#put(')');
      case 'lambda':
        this.#put('(', value);
        this.#joined(value.names, ', ', (name) => this.#name(name));
        return this.#prefixed(') -> ', value.value);
      case 'pattern':
        return this.#path(value.path);
      case 'subquery':
        this.#put(`${value.word} { `, value);
        this.query(value.query);
        return this.#put(' }');
    }
  }

  #binding({ name, list, where }: Binding): void {
    this.#name(name);
    this.#prefixed(' IN ', list);
    this.#where(where);
  }
}

interface Binding {
  readonly name: Name;
  readonly list: Expression;
  readonly where: Expression | null;
}

type BracketedExpression = Extract<
  Expression,
  {
    kind:
      | 'call'
      | 'cast'
      | 'case'
      | 'comprehension'
      | 'pattern_comprehension'
      | 'quantifier'
      | 'reduction'
      | 'lambda'
      | 'pattern'
      | 'subquery';
  }
>;
