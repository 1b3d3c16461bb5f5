import { Moment } from '../../../pod/graph/engine/evaluate/temporal/moment';
import { isList, type Value } from '../../../pod/graph/engine/evaluate/values';
import { type Choice } from '../../support/choice';
import { ALL_LABELS, ALL_TYPES, type Type, VALUES } from './random-world';

/** A name in scope: a node, a relationship, or a value. */
export interface Bound {
  readonly name: string;
  readonly is: { readonly label: string } | { readonly relationship: string } | { readonly value: Type };
}

const MOST_PARAMETERS = 3;

/** Generates expressions of one type from the names in scope. */
export class Expressions {
  readonly parameters = new Map<string, Value>();
  #made = 0;

  constructor(
    readonly choice: Choice,
    public scope: readonly Bound[],
  ) {}

  fresh(prefix: string): string {
    return `${prefix}${++this.#made}`;
  }

  /** Properties and names of a type. */
  sources(type: Type): readonly string[] {
    return this.scope.flatMap(({ name, is }) => {
      if ('value' in is) return is.value === type ? [name] : [];
      const properties = 'label' in is ? (ALL_LABELS[is.label] ?? {}) : (ALL_TYPES[is.relationship]?.properties ?? {});
      return Object.entries(properties).flatMap(([property, of]) => (of === type ? [`${name}.${property}`] : []));
    });
  }

  source(type: Type): string {
    const all = this.sources(type);
    return all.length === 0 ? this.literal(type) : this.choice.of(all);
  }

  literal(type: Type): string {
    return literalOf(this.choice.of(VALUES[type]));
  }

  /** A parameter, sometimes with null. */
  parameter(type: Type): string {
    const known = [...this.parameters.keys()].filter((name) => name.replace(/\d+$/, '') === type);
    if (known.length > 0 && (this.parameters.size >= MOST_PARAMETERS || this.choice.percent(30)))
      return `$${this.choice.of(known)}`;
    if (['big', 'date', 'moment'].includes(type) || this.parameters.size >= MOST_PARAMETERS) return this.literal(type);
    const name = this.fresh(type);
    this.parameters.set(name, this.choice.percent(10) ? null : this.choice.of(VALUES[type]));
    return `$${name}`;
  }

  /** A parameter with a value. */
  given(name: string, value: Value): string {
    const fresh = this.fresh(name);
    this.parameters.set(fresh, value);
    return `$${fresh}`;
  }

  operand(type: Type): string {
    if (this.choice.percent(70)) return this.source(type);
    return this.choice.percent(60) ? this.literal(type) : this.parameter(type);
  }

  #pick(makers: readonly (() => string)[]): string {
    return this.choice.of(makers)();
  }

  value(type: Type, depth = 2): string {
    if (depth === 0 || this.choice.percent(40)) return this.operand(type);
    const inner = depth - 1;
    switch (type) {
      case 'int':
        return this.int(inner);
      case 'text':
        return this.text(inner);
      case 'bool':
        return this.bool(inner);
      case 'float':
        return this.#pick([
          () => `${this.value('int', inner)} / 2.0`,
          () => `toFloat(${this.value('int', inner)})`,
          () => `(${this.operand('float')} + ${this.operand('int')})`,
          () => `coalesce(${this.operand('float')}, 0.25)`,
        ]);
      default:
        return this.operand(type);
    }
  }

  int(depth: number): string {
    const int = (): string => this.value('int', depth);
    return this.#pick([
      () => `(${int()} + ${int()})`,
      () => `(${int()} - ${int()} * 2)`,
      () => `${this.operand('int')} % 3`,
      () => `${this.operand('int')} / 2`,
      () => `-${this.source('int')}`,
      () => `abs(${int()})`,
      () => `size(${this.value('text', depth)})`,
      () => `size(${this.list(depth)})`,
      () => `coalesce(${int()}, ${int()}, 9)`,
      () => `toInteger(${this.operand('text')})`,
      () => `CASE WHEN ${this.bool(depth)} THEN ${int()} ELSE ${int()} END`,
      () => `CASE ${this.operand('int')} WHEN 1 THEN ${int()} WHEN ${this.operand('int')} THEN 5 END`,
      () => `${this.list(depth)}[${this.choice.of([0, 1, -1])}]`,
      () => `reduce(s = 0, x IN ${this.list(depth)} | s + x)`,
      () => `head(${this.list(depth)})`,
      () => `last(${this.list(depth)})`,
    ]);
  }

  text(depth: number): string {
    const text = (): string => this.value('text', depth);
    return this.#pick([
      () => `${this.operand('text')} + ${this.operand('text')}`,
      () => `toUpper(${text()})`,
      () => `toLower(${text()})`,
      () => `substring(${text()}, ${this.choice.below(2)}, 2)`,
      () => `substring(${text()}, 1)`,
      () => `left(${text()}, 1)`,
      () => `trim(${text()})`,
      () => `reverse(${text()})`,
      () => `replace(${text()}, 'a', '-')`,
      () => `coalesce(${text()}, '-')`,
      () => `toString(${this.value('int', depth)})`,
      () => `split(${this.source('text')}, 'a')[0]`,
      () => `CASE WHEN ${this.source('bool')} THEN ${text()} ELSE ${text()} END`,
      () => `CASE WHEN ${this.bool(depth)} THEN ${text()} END`,
    ]);
  }

  /** A list of integers. */
  list(depth: number): string {
    const int = (): string => this.value('int', depth);
    const simple = (): string => `[${int()}, ${this.literal('int')}, ${int()}]`;
    if (depth === 0) return simple();
    return this.#pick([
      simple,
      () => `range(1, ${1 + this.choice.below(4)})`,
      () => `tail(${simple()})`,
      () => `reverse(${simple()})`,
      () => `${simple()}[0..2]`,
      () => `${simple()}[1..]`,
      () => `[x IN ${simple()} WHERE x > ${this.operand('int')} | x + 1]`,
      () => `[x IN ${simple()} | x * 2]`,
      () => `(${simple()} + [${this.operand('int')}])`,
    ]);
  }

  compared(type: Type): string {
    const operator = this.choice.of(['=', '<>', '<', '<=', '>', '>=']);
    return `${this.source(type)} ${operator} ${this.operand(type)}`;
  }

  bool(depth: number): string {
    const bool = (): string => this.value('bool', depth);
    return this.#pick([
      () => this.compared('int'),
      () => this.compared('int'),
      () => this.compared('float'),
      () => this.compared('big'),
      () => this.compared('text'),
      () => this.compared(this.choice.of(['date', 'moment', 'big'])),
      () =>
        `${this.source('text')} ${this.choice.of(['CONTAINS', 'STARTS WITH', 'ENDS WITH'])} ${this.operand('text')}`,
      () => `${this.source('text')} =~ '${this.choice.of(['a.*', '(?i)A', '.*', 'it.s', '[ab]+'])}'`,
      () => `${this.value('int', depth)} IS ${this.choice.of(['', 'NOT '])}NULL`,
      () => `${this.operand('int')} IN [${this.literal('int')}, ${this.operand('int')}, ${this.literal('int')}]`,
      () => `${this.operand('int')} + 1 IN [${this.literal('int')}, 3]`,
      () =>
        `${this.operand('text')} IN ${this.choice.of([this.source('texts'), this.parameter('texts'), "['a', 'ab', '']"])}`,
      () => `${this.operand('int')} IN ${this.list(depth)}`,
      () => `NOT (${bool()})`,
      () => `(${bool()} ${this.choice.of(['AND', 'OR', 'XOR'])} ${bool()})`,
      () => `${this.literal('int')} < ${this.source('int')} <= ${this.literal('int')}`,
      () => `${this.parameter('int')} = ${this.literal('int')}`,
      () => this.quantified(),
      () => `${this.source('text')} + 'a' = ${this.operand('text')}`,
    ]);
  }

  quantified(): string {
    const which = this.choice.of(['any', 'all', 'none', 'single']);
    return this.choice.percent(60)
      ? `${which}(x IN [${this.literal('int')}, ${this.operand('int')}, ${this.literal('int')}] WHERE x ${this.choice.of(['=', '<', '<>'])} ${this.source('int')})`
      : `${which}(x IN ${this.source('texts')} WHERE x = ${this.operand('text')})`;
  }
}

/** A value as Cypher writes it. */
export const literalOf = (value: Value): string => {
  if (value instanceof Moment) return `${value.type === 'DATE' ? 'date' : 'localdatetime'}('${String(value)}')`;
  if (typeof value === 'string') return `'${value.replaceAll("'", "\\'")}'`;
  if (isList(value)) return `[${value.map(literalOf).join(', ')}]`;
  if (typeof value === 'number') return Number.isInteger(value) ? value.toFixed(1) : String(value);
  return typeof value === 'bigint' || typeof value === 'boolean' ? String(value) : 'null';
};
