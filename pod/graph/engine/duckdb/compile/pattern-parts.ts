import { fitsLabels, lengthsOf } from '../../cypher/steps';
import { type LabelTest, type NodePattern, type PathPattern, type StepPattern } from '../../cypher/tree';
import { type Context } from './context';
import { type Frame, isEntity, type Variable } from './frame';
import { type EntityType, simple, type Type } from './type';

/** A node of a MATCH; patterns with the same name are one node. */
export interface NodePart {
  readonly patterns: NodePattern[];
  /** Names of the node that the MATCH introduces. */
  readonly names: Set<string>;
  /** Names that have a node before the MATCH. */
  readonly bound: Variable[];
  /** The numbers of the tables that it can be in. */
  tables: readonly number[];
  /** The SQL of its id, once it is part of the SELECT. */
  id: string | null;
}

/** How an edge of a table can be a step: `reversed` against its direction. */
export interface EdgeUse {
  readonly table: number;
  readonly reversed: boolean;
}

/** A single relationship, or a walk of any length between two nodes. */
export interface StepPart {
  readonly pattern: StepPattern;
  readonly left: NodePart;
  readonly right: NodePart;
  /** Null for a single relationship. */
  readonly lengths: readonly [min: number, max: number] | null;
  uses: readonly EdgeUse[];
}

export interface PathPart {
  readonly pattern: PathPattern;
  readonly nodes: readonly NodePart[];
  readonly steps: readonly StepPart[];
}

/** The parts of a MATCH. The ends of a step of length 0 are one node. */
export class PatternParts {
  readonly paths: readonly PathPart[];
  readonly nodes = new Set<NodePart>();
  readonly steps: StepPart[] = [];
  readonly #byName = new Map<string, NodePart>();

  constructor(
    paths: readonly PathPattern[],
    private readonly frame: Frame,
  ) {
    const drafts = paths.map((pattern) => {
      const nodes = pattern.nodes.map((node) => this.#node(node));
      return { pattern, nodes };
    });
    for (const { pattern, nodes } of drafts)
      for (const [at, step] of pattern.steps.entries())
        if (isEmpty(step, pattern)) this.#merge(nodes[at], nodes[at + 1]);
    this.paths = drafts.map(({ pattern, nodes }) =>
      this.#path(
        pattern,
        nodes.map((node) => this.#merged(node)),
      ),
    );
    this.#narrow();
  }

  get context(): Context {
    return this.frame.context;
  }

  readonly #mergedInto = new Map<NodePart, NodePart>();

  #merged(node: NodePart): NodePart {
    const next = this.#mergedInto.get(node);
    return next === undefined ? node : this.#merged(next);
  }

  #merge(left: NodePart | undefined, right: NodePart | undefined): void {
    if (left === undefined || right === undefined) return;
    const [one, other] = [this.#merged(left), this.#merged(right)];
    if (one === other) return;
    one.patterns.push(...other.patterns);
    one.bound.push(...other.bound);
    for (const name of other.names) one.names.add(name);
    one.tables = one.tables.filter((table) => other.tables.includes(table));
    this.#mergedInto.set(other, one);
    this.nodes.delete(other);
  }

  #node(pattern: NodePattern): NodePart {
    const name = pattern.name?.text;
    const before = name === undefined ? undefined : this.#byName.get(name);
    const tables = this.#tablesOf(pattern.labels);
    if (before !== undefined) {
      before.patterns.push(pattern);
      before.tables = before.tables.filter((table) => tables.includes(table));
      return before;
    }
    const variable = name === undefined ? null : this.frame.variable(name);
    const node: NodePart = { patterns: [pattern], names: new Set(), bound: [], tables, id: null };
    if (variable !== null) {
      const { type } = variable;
      node.bound.push(type.kind === 'null' ? simple(type, 'CAST(NULL AS BIGINT)') : variable);
      if (isEntity(type)) node.tables = tables.filter((table) => type.tables.includes(table));
      else if (type.kind === 'null') node.tables = [];
      else this.context.refuse(`${name} is not known to be a node here; use it where it was matched.`, pattern);
    } else if (name !== undefined) node.names.add(name);
    if (name !== undefined) this.#byName.set(name, node);
    this.nodes.add(node);
    return node;
  }

  #tablesOf(labels: LabelTest | null): readonly number[] {
    return this.context.schema.nodeTables.flatMap(({ label }, at) => (fitsLabels(label, labels) ? [at] : []));
  }

  #path(pattern: PathPattern, nodes: readonly NodePart[]): PathPart {
    const steps = pattern.steps.flatMap((step, at) => {
      const [left, right] = [nodes[at], nodes[at + 1]];
      return left === undefined || right === undefined || isEmpty(step, pattern) ? [] : [this.#step(step, left, right)];
    });
    return { pattern, nodes: [...nodes.slice(0, 1), ...steps.map(({ right }) => right)], steps };
  }

  #step(pattern: StepPattern, left: NodePart, right: NodePart): StepPart {
    const lengths = pattern.length === null ? null : lengthsOf(pattern);
    if (lengths?.some(Number.isNaN) === true)
      this.context.refuse('The lengths of a relationship must be numbers, not parameters.', pattern);
    const { edgeTables } = this.context.schema;
    const tables = edgeTables.flatMap(({ type }, at) =>
      pattern.types.length === 0 || pattern.types.some(({ text }) => text === type) ? [at] : [],
    );
    const uses = tables.flatMap((table): readonly EdgeUse[] => [
      ...(pattern.direction === 'left' ? [] : [{ table, reversed: false }]),
      ...(pattern.direction === 'right' ? [] : [{ table, reversed: true }]),
    ]);
    const step = { pattern, left, right, lengths, uses };
    this.steps.push(step);
    return step;
  }

  /** Removes the tables of nodes and the uses of edges that do not fit each other. */
  #narrow(): void {
    const { nodeTables, edgeTables } = this.context.schema;
    const numberOf = new Map(nodeTables.map(({ label }, at) => [label, at]));
    const ends = ({ table, reversed }: EdgeUse): readonly [number, number] => {
      const from = numberOf.get(edgeTables[table]?.fromNode ?? '') ?? -1;
      const to = numberOf.get(edgeTables[table]?.toNode ?? '') ?? -1;
      return reversed ? [to, from] : [from, to];
    };
    for (let size = -1, next = 0; size !== next;) {
      size = next;
      for (const step of this.steps) {
        if (step.lengths !== null) continue;
        const { left, right } = step;
        step.uses = step.uses.filter(
          (use) => left.tables.includes(ends(use)[0]) && right.tables.includes(ends(use)[1]),
        );
        left.tables = left.tables.filter((table) => step.uses.some((use) => ends(use)[0] === table));
        right.tables = right.tables.filter((table) => step.uses.some((use) => ends(use)[1] === table));
      }
      next =
        [...this.nodes].reduce((sum, { tables }) => sum + tables.length, 0) +
        this.steps.reduce((sum, { uses }) => sum + uses.length, 1);
    }
  }
}

/** The type of the relationships of a step. */
export const relationshipType = (uses: readonly EdgeUse[]): EntityType => ({
  kind: 'relationship',
  tables: [...new Set(uses.map(({ table }) => table))],
});

/** The type of a path, with the nodes inside its walks. */
export const pathType = (nodes: readonly NodePart[], steps: readonly StepPart[], context: Context): Type => {
  const inside = steps.flatMap(({ lengths, uses }) => (lengths === null ? [] : tablesBetween(uses, context)));
  const { tables } = relationshipType(steps.flatMap(({ uses }) => uses));
  return {
    kind: 'path',
    nodes: [...new Set([...nodes.flatMap((node) => node.tables), ...inside])],
    relationships: tables,
  };
};

/** The tables of the nodes inside a walk. */
const tablesBetween = (uses: readonly EdgeUse[], { schema }: Context): readonly number[] => {
  const { nodeTables, edgeTables } = schema;
  const labels = new Set(uses.flatMap(({ table }) => [edgeTables[table]?.fromNode, edgeTables[table]?.toNode]));
  return nodeTables.flatMap(({ label }, at) => (labels.has(label) ? [at] : []));
};

const isEmpty = (step: StepPattern, { shortest }: PathPattern): boolean =>
  shortest === null && lengthsOf(step)[1] === 0;
