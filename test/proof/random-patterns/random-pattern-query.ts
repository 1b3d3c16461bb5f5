import { type Multigraph } from '../../pod/graph/engine/counting/multigraph';
import { Choice } from '../../support/choice';
import {
  type Condition,
  type Match,
  type NodePattern,
  type Part,
  type PathPattern,
  type PatternQuery,
  type Projection,
  type StepPattern,
  type Value,
} from './pattern-query';

const MAX_STEPS = 6;

/** Types by the labels they lead from and to: E has loops and parallel edges, F has parallel ones. */
const TYPES = { E: ['N', 'N'], F: ['N', 'N'], G: ['N', 'M'] } as const;
const TYPE_NAMES = Object.keys(TYPES);

/** A small graph with parallel edges, and loops of one type. */
export const randomGraph = (seed: number): Multigraph => {
  const choice = new Choice(seed);
  const nodes = [1, 2, 3, 4, 5, 6, 7].map((id) => ({ id, label: id <= 5 ? 'N' : 'M' }));
  const endOf = (label: string): number => choice.of(nodes.filter((node) => node.label === label)).id;
  const edges: Multigraph['edges'][number][] = [
    { type: 'E', from: 1, to: 1, w: 0 },
    { type: 'E', from: 1, to: 2, w: 1 },
    { type: 'E', from: 1, to: 2, w: 2 },
  ];
  for (const [type, [from, to]] of Object.entries(TYPES)) {
    while (edges.filter((edge) => edge.type === type).length < 6) {
      const edge = { type, from: endOf(from), to: endOf(to), w: edges.length };
      if (type === 'E' || edge.from !== edge.to) edges.push(edge);
    }
  }
  return { nodes, edges };
};

/** Generates one query; the same for the same seed. */
export class RandomPatternQuery {
  private readonly choice: Choice;
  private made = 0;
  private stepsLeft: number;
  /** Names in scope, and those that may be null. */
  private nodes: string[] = [];
  private edges: string[] = [];
  private paths: string[] = [];
  private scalars: string[] = [];
  private nullable = new Set<string>();

  constructor(seed: number) {
    this.choice = new Choice(seed);
    this.stepsLeft = 1 + this.choice.below(MAX_STEPS);
  }

  query(): PatternQuery {
    if (this.choice.percent(92)) return { branches: [this.parts()], unionAll: false };
    const branches = [this.unionBranch(), this.unionBranch()];
    return { branches, unionAll: this.choice.percent(50) };
  }

  private parts(): readonly Part[] {
    if (this.choice.percent(75)) return [this.part(true)];
    return [this.part(false), this.part(true)];
  }

  private unionBranch(): readonly Part[] {
    this.forget([]);
    this.stepsLeft = 1 + this.choice.below(3);
    const matches = [this.match(false)];
    const [name] = this.nodes;
    const value: Value = name === undefined ? { kind: 'count(*)' } : { kind: 'node', name };
    const items = [{ value, alias: 'c1' }];
    return [{ matches, projection: { distinct: this.choice.percent(20), items, limit: null } }];
  }

  private part(isLast: boolean): Part {
    const matches = [this.match(this.nodes.length > 0 && this.choice.percent(30))];
    while (this.stepsLeft > 0 && this.choice.percent(30)) matches.push(this.match(this.choice.percent(40)));
    return { matches, projection: isLast ? this.result() : this.passedOn() };
  }

  private match(optional: boolean): Match {
    const before = new Set([...this.nodes, ...this.edges, ...this.paths]);
    const paths = [this.path()];
    while (this.stepsLeft > 0 && this.choice.percent(20)) paths.push(this.path());
    const own = this.nodes.filter((name) => !this.nullable.has(name));
    const conditions: Condition[] = [];
    while (own.length > 0 && this.choice.percent(25)) conditions.push(this.condition(own));
    if (optional)
      for (const name of [...this.nodes, ...this.edges, ...this.paths]) if (!before.has(name)) this.nullable.add(name);
    return { optional, paths, conditions, joinedBy: this.choice.of(['AND', 'OR']) };
  }

  private path(): PathPattern {
    const from = this.node(60);
    const steps: StepPattern[] = [];
    do steps.push(this.step());
    while (this.stepsLeft > 0 && this.choice.percent(55));
    const name = this.choice.percent(12) ? this.newName('p', this.paths) : this.hidden();
    return { name, from, steps };
  }

  private step(): StepPattern {
    const length = this.choice.percent(14) ? this.length() : null;
    this.stepsLeft -= length === null ? 1 : length[1];
    const isWeighted = length === null && this.choice.percent(4);
    return {
      name: length === null && this.choice.percent(30) ? this.newName('r', this.edges) : this.hidden(),
      types: this.types(),
      direction: this.choice.of(['out', 'out', 'in', 'in', 'both']),
      length,
      weight: isWeighted ? this.choice.below(18) : null,
      to: this.node(20),
    };
  }

  private length(): readonly [number, number] {
    const most = 1 + this.choice.below(3);
    return [Math.min(most, this.choice.of([0, 1, 1, 1, 2, 3])), most];
  }

  private types(): readonly string[] {
    if (this.choice.percent(20)) return [];
    const first = this.choice.of([...TYPE_NAMES, 'E']);
    return this.choice.percent(15) ? [...new Set([first, this.choice.of(TYPE_NAMES)])] : [first];
  }

  /** `known`: the percentage of nodes that are already in scope. */
  private node(known: number): NodePattern {
    if (this.nodes.length > 0 && this.choice.percent(known)) {
      return { name: this.choice.of(this.nodes), label: null, id: null };
    }
    return {
      name: this.choice.percent(50) ? this.newName('n', this.nodes) : this.hidden(),
      label: this.choice.percent(15) ? this.choice.of(['N', 'N', 'M']) : null,
      id: this.choice.percent(5) ? 1 + this.choice.below(7) : null,
    };
  }

  private condition(nodes: readonly string[]): Condition {
    const from = this.choice.of(nodes);
    if (this.choice.percent(70)) {
      const right = this.choice.percent(50) ? this.choice.of(nodes) : 1 + this.choice.below(7);
      return { kind: 'compare', left: from, operator: this.choice.of(['<', '<>', '<>', '=']), right };
    }
    const name = this.choice.percent(40) ? this.choice.of(nodes) : this.hidden();
    const step: StepPattern = {
      name: this.hidden(),
      types: this.types(),
      direction: this.choice.of(['out', 'in', 'both']),
      length: this.choice.percent(20) ? this.length() : null,
      weight: null,
      to: { name, label: null, id: null },
    };
    return { kind: 'pattern', negated: this.choice.percent(40), from, step };
  }

  /** A WITH that keeps one or two nodes, and may count. */
  private passedOn(): Projection {
    if (this.nodes.length === 0) return this.counted();
    const kept = [...new Set([this.choice.of(this.nodes), this.choice.of(this.nodes)])];
    const items: Projection['items'][number][] = kept.map((name) => ({ value: { kind: 'node', name }, alias: name }));
    const counts = this.choice.percent(40);
    if (counts) items.push({ value: { kind: 'count(*)' }, alias: 'k1' });
    this.forget(kept);
    if (counts) this.scalars = ['k1'];
    return { distinct: !counts && this.choice.percent(40), items, limit: null };
  }

  private counted(): Projection {
    this.forget([]);
    this.scalars = ['k1'];
    return { distinct: false, items: [{ value: { kind: 'count(*)' }, alias: 'k1' }], limit: null };
  }

  private result(): Projection {
    const plain: Value[] = [
      ...this.nodes.map((name) => ({ kind: 'node' as const, name })),
      ...this.edges.map((name) => ({ kind: 'weight' as const, name })),
      ...this.paths.map((name) => ({ kind: 'length' as const, name })),
      ...this.scalars.map((name) => ({ kind: 'scalar' as const, name })),
    ];
    const isPlain = plain.length > 0 && this.choice.percent(30);
    const values =
      plain.length === 0 ? [] : [this.choice.of(plain), this.choice.of(plain)].slice(0, this.choice.below(3));
    const chosen: readonly Value[] = isPlain ? [this.choice.of(plain), ...values] : [...values, this.aggregate()];
    const items = chosen.map((value, index) => ({ value, alias: `c${index + 1}` }));
    const isOrdered = this.nullable.size === 0 && this.choice.percent(15);
    return {
      distinct: isPlain && this.choice.percent(40),
      items,
      limit: isOrdered ? 1 + this.choice.below(8) : null,
    };
  }

  private aggregate(): Value {
    const things = [
      ...this.nodes.map((name) => ({ kind: 'node' as const, name })),
      ...this.edges.map((name) => ({ kind: 'weight' as const, name })),
    ];
    if (things.length === 0 || this.choice.percent(40)) return { kind: 'count(*)' };
    return {
      kind: 'aggregate',
      function: this.choice.of(['count', 'count', 'sum', 'min', 'max']),
      distinct: this.choice.percent(25),
      of: this.choice.of(things),
    };
  }

  private newName(letter: string, names: string[]): string {
    const name = `${letter}${++this.made}`;
    names.push(name);
    return name;
  }

  private hidden(): string {
    return `_${++this.made}`;
  }

  private forget(kept: readonly string[]): void {
    this.nodes = [...kept];
    [this.edges, this.paths, this.scalars] = [[], [], []];
    this.nullable = new Set(kept.filter((name) => this.nullable.has(name)));
  }
}
