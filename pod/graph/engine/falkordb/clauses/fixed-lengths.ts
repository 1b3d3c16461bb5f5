import { and, list, name, variable } from '../../cypher/build';
import { make } from '../../cypher/template';
import {
  type Expression,
  type MatchClause,
  type Name,
  type NodePattern,
  type PathPattern,
  type StepPattern,
} from '../../cypher/tree';
import { changeExpressions } from '../../cypher/walk';

/** A MATCH in which each step of several lengths has a single length. */
export interface FixedMatch {
  readonly clause: MatchClause;
  /** The values of its names that were removed or have another meaning. */
  readonly values: ReadonlyMap<string, Expression>;
}

/**
 * Expands steps: `-[r*2]->` becomes `-[r1]->()-[r2]->` and the list of both, and a step of length 0 merges its nodes.
 * `lengths`: by the start of the steps; `known`: the names bound by earlier clauses.
 */
export const withFixedLengths = (
  clause: MatchClause,
  lengths: ReadonlyMap<number, number>,
  known: readonly string[],
  newName: () => string,
): FixedMatch => {
  const builder = new Builder(lengths, known, newName);
  const paths = clause.paths.map((path) => builder.path(path));
  const values = new Map([
    ...builder.lists,
    ...[...builder.renamed.keys()].map((text) => builder.valueOf(text, clause)),
  ]);
  const where = and(clause.where, ...builder.conditions);
  const changed = changeExpressions({ ...clause, paths, where }, (value) =>
    value.kind === 'variable' ? (values.get(value.name) ?? value) : value,
  );
  return { clause: { ...changed, paths: changed.paths.map((path) => builder.withNames(path)) }, values };
};

class Builder {
  readonly lists = new Map<string, Expression>();
  /** Names of nodes by those of the nodes they are merged with. */
  readonly renamed = new Map<string, string>();
  readonly conditions: Expression[] = [];

  constructor(
    readonly lengths: ReadonlyMap<number, number>,
    readonly known: readonly string[],
    readonly newName: () => string,
  ) {}

  path(path: PathPattern): PathPattern {
    const [first, ...others] = path.nodes;
    const nodes = first === undefined ? [] : [first];
    const steps: StepPattern[] = [];
    for (const [at, node] of others.entries()) {
      const step = path.steps[at];
      if (step === undefined) continue;
      const length = this.lengths.get(step.start);
      if (length === undefined) {
        steps.push(step);
        nodes.push(node);
        continue;
      }
      const names = Array.from({ length }, () => name(this.newName(), step));
      if (step.name !== null) {
        const items = names.map(({ text }) => variable(text, step));
        this.lists.set(step.name.text, list(items, step));
      }
      steps.push(...names.map((each) => ({ ...step, name: each, length: null })));
      const before = nodes.pop();
      if (before === undefined) continue;
      if (length === 0) nodes.push(this.#joined(before, node));
      else nodes.push(before, ...names.slice(1).map(() => anonymous(node)), node);
    }
    return { ...path, nodes, steps };
  }

  /** One node in place of two; parts that one pattern cannot express become a condition. */
  #joined(left: NodePattern, right: NodePattern): NodePattern {
    const node = { ...left, name: this.#name(left, right) };
    if (right.labels !== null) {
      if (left.labels === null) node.labels = right.labels;
      else {
        const of = variable(node.name.text, right);
        this.conditions.push({ kind: 'has_labels', of, labels: right.labels, start: right.start, end: right.end });
      }
    }
    for (const { key, value } of right.properties?.kind === 'map' ? right.properties.entries : []) {
      const of = variable(node.name.text, right);
      this.conditions.push(make('_1._2 = _3', right, of, variable(key.text, key), value));
    }
    return { ...node, where: and(left.where, right.where) };
  }

  #name({ name: left }: NodePattern, { name: right }: NodePattern): Name {
    if (left === null || right === null) {
      const place = { start: 0, end: 0 };
      return left ?? right ?? name(this.newName(), place);
    }
    const [one, other] = [left, right].map(({ text }) => this.#kept(text));
    if (one === undefined || other === undefined || one === other) return left;
    if (!this.known.includes(other)) this.renamed.set(other, one);
    else if (!this.known.includes(one)) this.renamed.set(one, other);
    else this.conditions.push(make('id(_1) = id(_2)', right, variable(one, left), variable(other, right)));
    return left;
  }

  #kept(text: string): string {
    const next = this.renamed.get(text);
    return next === undefined ? text : this.#kept(next);
  }

  valueOf(text: string, place: MatchClause): readonly [string, Expression] {
    return [text, variable(this.#kept(text), place)];
  }

  withNames(path: PathPattern): PathPattern {
    return {
      ...path,
      nodes: path.nodes.map((node) =>
        node.name === null ? node : { ...node, name: { ...node.name, text: this.#kept(node.name.text) } },
      ),
    };
  }
}

const anonymous = ({ start, end }: NodePattern): NodePattern => ({
  name: null,
  labels: null,
  properties: null,
  where: null,
  start,
  end,
});
