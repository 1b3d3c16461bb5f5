import { type Choice } from '../../support/choice';
import { type Bound, Expressions } from './expressions';
import { LABELS, type Type, TYPES } from './random-world';

const SHOWN: readonly Type[] = ['int', 'text', 'int', 'bool', 'float', 'date', 'big'];

/** Generates patterns, conditions and results; the names that patterns introduce are in its scope. */
export class QueryMaker {
  readonly expressions: Expressions;

  /** `joined`: the percentage of paths that start at a node in scope, if there is one. */
  constructor(
    readonly choice: Choice,
    readonly joined = 70,
  ) {
    this.expressions = new Expressions(choice, []);
  }

  get scope(): readonly Bound[] {
    return this.expressions.scope;
  }

  bind(...bound: readonly Bound[]): void {
    this.expressions.scope = [...this.scope, ...bound];
  }

  /** Runs `make` with only these names in scope. */
  within<A>(scope: readonly Bound[], make: () => A): A {
    const before = this.scope;
    this.expressions.scope = scope;
    const made = make();
    this.expressions.scope = before;
    return made;
  }

  /** A node with a name of its own. */
  node(label = this.choice.of(Object.keys(LABELS)), detail = ''): string {
    const name = this.expressions.fresh('n');
    this.bind({ name, is: { label } });
    return `(${name}:${label}${detail})`;
  }

  /** The text of one property of a label, with a value. */
  property(label: string): string {
    const [name, type] = this.choice.of(Object.entries(LABELS[label]!));
    const value = this.choice.percent(50) ? this.expressions.literal(type) : this.expressions.parameter(type);
    return ` {${name}: ${type === 'texts' ? this.expressions.literal(type) : value}}`;
  }

  nodesInScope(): readonly { readonly name: string; readonly label: string }[] {
    return this.scope.flatMap(({ name, is }) => ('label' in is ? [{ name, label: is.label }] : []));
  }

  /** A step from a node of a label, along a type that fits it; `length`: `*1..2`, for example. */
  step(label: string, length = ''): { readonly text: string; readonly to: string } {
    const fitting = Object.entries(TYPES).filter(([, { from, to }]) => from === label || to === label);
    const [type, { from, to }] = this.choice.of(fitting);
    const isForward = from === label && (to !== label || this.choice.percent(60));
    const isUndirected = this.choice.percent(20);
    let name = '';
    if (length === '' && this.choice.percent(50)) {
      name = this.expressions.fresh('r');
      this.bind({ name, is: { relationship: type } });
    }
    const bracket = `[${name}:${type}${length}]`;
    const text = isUndirected ? `-${bracket}-` : isForward ? `-${bracket}->` : `<-${bracket}-`;
    return { text, to: from === label ? to : from };
  }

  /** A path of some steps, from a node in scope or a new one. */
  path(steps: number, lengths: readonly string[] = ['']): string {
    const known = this.nodesInScope();
    const start = known.length > 0 && this.choice.percent(this.joined) ? this.choice.of(known) : null;
    let label = start?.label ?? this.choice.of(['Person', 'Person', 'Movie', 'Place', 'Account']);
    let text = start === null ? this.node(label) : `(${start.name})`;
    for (let made = 0; made < steps; made++) {
      const step = this.step(label, this.choice.of(lengths));
      label = step.to;
      text += step.text + (this.choice.percent(75) ? this.node(label) : `(:${label})`);
    }
    return text;
  }

  match(steps: number): string {
    return `MATCH ${this.path(steps)}`;
  }

  /** Sometimes empty. */
  where(share = 60): string {
    return this.choice.percent(share) ? ` WHERE ${this.expressions.bool(1)}` : '';
  }

  /** Values of the rows. */
  columns(count = 1 + this.choice.below(3)): readonly string[] {
    return Array.from({ length: count }, () => this.expressions.value(this.choice.of(SHOWN)));
  }

  /** RETURN of values, sometimes in one order. */
  returnRows(columns: readonly string[] = this.columns()): string {
    const distinct = this.choice.percent(25) ? 'DISTINCT ' : '';
    const items = columns.map((column, at) => `${column} AS c${at}`);
    return `RETURN ${distinct}${items.join(', ')}${this.orderAndLimit(columns.length)}`;
  }

  /** By all columns, so that only equal rows can change places. */
  orderAndLimit(columns: number, share = 35): string {
    if (!this.choice.percent(share)) return '';
    const keys = Array.from({ length: columns }, (_, at) => `c${at}${this.choice.of(['', ' DESC', ''])}`);
    const skip = this.choice.percent(30) ? ` SKIP ${this.choice.below(3)}` : '';
    return ` ORDER BY ${keys.join(', ')}${skip}${this.choice.percent(60) ? ` LIMIT ${1 + this.choice.below(5)}` : ''}`;
  }

  aggregate(): string {
    const distinct = this.choice.percent(40) ? 'DISTINCT ' : '';
    const of = (type: Type): string => distinct + this.expressions.value(type, 1);
    return this.choice.of([
      () => 'count(*)',
      () => `count(${of('int')})`,
      () => `count(${of('text')})`,
      () => `sum(${of('int')})`,
      () => `min(${of('int')})`,
      () => `max(${of('text')})`,
      () => `min(${of('date')})`,
      () => `avg(${of('int')})`,
      () => `sum(${of('float')})`,
      () => `collect(${of('int')})`,
      () => `size(collect(${of('text')}))`,
      () => `count(${distinct}${this.choice.of(this.scope).name})`,
    ])();
  }

  /** RETURN of groups with aggregates. */
  returnGroups(keys = this.choice.below(3)): string {
    const groups = Array.from({ length: keys }, () =>
      this.expressions.source(this.choice.of<Type>(['int', 'text', 'bool'])),
    );
    const aggregates = Array.from({ length: 1 + this.choice.below(3) }, () => this.aggregate());
    const all = [...groups, ...aggregates];
    const items = all.map((column, at) => `${column} AS c${at}`);
    const isList = aggregates.some((aggregate) => aggregate.startsWith('collect'));
    return `RETURN ${items.join(', ')}${isList ? '' : this.orderAndLimit(all.length, 20)}`;
  }

  returnAny(): string {
    return this.choice.percent(45) ? this.returnGroups() : this.returnRows();
  }
}
