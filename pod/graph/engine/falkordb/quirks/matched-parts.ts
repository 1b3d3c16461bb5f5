import { and, isNotNull, name, property, variable } from '../../cypher/build';
import { countingClauses } from '../../cypher/counting-clauses';
import { type Cure } from '../../cypher/cure';
import { QueryFault } from '../../cypher/query-fault';
import { make } from '../../cypher/template';
import {
  type Clause,
  type Expression,
  type LabelTest,
  type MatchClause,
  type NodePattern,
  type PathPattern,
  type StepPattern,
} from '../../cypher/tree';
import { changeMatches, clausesIn, queriesIn, variablesIn } from '../../cypher/walk';

/**
 * The engine supports only `(n:A:B)`, and reads a label incorrectly, or ends, if a step of several lengths leads from a
 * node to itself. The properties of a pattern become conditions, which other cures then change.
 */
export const patternConditions: Cure = (query, { newName }) =>
  changeMatches(query, (clause) => withConditions(clause, newName));

const withConditions = (clause: MatchClause, newName: () => string): MatchClause => {
  const [labels, conditions]: [Expression[], (Expression | null)[]] = [[], []];
  const moved = <P extends NodePattern | StepPattern>(part: P): P => {
    conditions.push(part.where);
    if (part.properties?.kind !== 'map') return { ...part, where: null };
    const named = part.name ?? name(newName(), part);
    for (const { key, value } of part.properties.entries)
      conditions.push(make('_1 = _2', value, property(variable(named.text, named), key.text), value));
    return { ...part, name: named, properties: null, where: null };
  };
  const looped = new Set(clause.paths.flatMap(loopedNames));
  const ofNode = (node: NodePattern): NodePattern => {
    if (node.labels === null || (node.labels.of === 'all' && !looped.has(node.name?.text))) return moved(node);
    const named = node.name ?? name(newName(), node);
    labels.push(labelTest(variable(named.text, named), node.labels));
    return moved({ ...node, name: named, labels: null });
  };
  const ofStep = (step: StepPattern): StepPattern => {
    if (step.length === null) return moved(step);
    if (step.where === null) return step;
    throw new QueryFault(
      'No condition is possible at each of several steps: write all(r IN relationships(p) WHERE …).',
      step.start,
    );
  };
  const paths = clause.paths.map((path) => ({ ...path, nodes: path.nodes.map(ofNode), steps: path.steps.map(ofStep) }));
  return { ...clause, paths, where: and(...labels, ...conditions, clause.where) };
};

/** The names of the nodes from which a step of several lengths leads to themselves. */
const loopedNames = ({ nodes, steps, shortest }: PathPattern): readonly (string | undefined)[] =>
  steps.flatMap(({ length }, at) => {
    const [from, to] = [nodes[at]?.name?.text, nodes[at + 1]?.name?.text];
    return length !== null && shortest === null && from === to ? [from] : [];
  });

export const labelTest = (of: Expression, labels: LabelTest): Expression =>
  labels.of === 'any' ? anyLabel(of, labels) : { kind: 'has_labels', of, labels, start: of.start, end: of.end };

/** `n:A OR n:B`. */
export const anyLabel = (of: Expression, { names, start, end }: LabelTest): Expression =>
  names
    .map((label): Expression => ({
      kind: 'has_labels',
      of,
      labels: { names: [label], of: 'all', start, end },
      start,
      end,
    }))
    .reduce((left, right): Expression => ({ kind: 'binary', operator: 'OR', left, right, start, end }));

/**
 * Steps without a reference to their relationship are products of boolean matrices, where parallel edges, and several
 * nodes between the same two, become one row. So each relationship gets a name and a condition that refers to it,
 * unless the result cannot show how often a row occurs.
 *
 * An OPTIONAL MATCH of several steps always gets them: otherwise names of its first steps keep their values when its
 * last step finds nothing.
 */
export const namedSteps: Cure = (query, { newName }) => {
  const counting = countingClauses(query);
  const needed = new Set(clausesIn(query).filter((clause) => needsNames(clause, counting.has(clause))));
  const lists = queriesIn(query).flatMap(({ parts }) => parts);
  const used = new Map(lists.flatMap((clauses) => clauses.map((_, at) => usedNames(clauses.slice(at)))));
  return changeMatches(query, (clause, before) =>
    needed.has(before) ? withNames(clause, newName, used.get(before) ?? NONE) : clause,
  );
};

const singleSteps = ({ paths }: MatchClause): readonly unknown[] =>
  paths
    .filter(({ shortest }) => shortest === null)
    .flatMap(({ steps }) => steps.filter(({ length }) => length === null));

const needsNames = (clause: Clause, counts: boolean): boolean => {
  if (clause.kind !== 'match') return false;
  const steps = singleSteps(clause).length;
  return (counts && steps > 0) || (clause.optional && steps > 1);
};

/** The names that a query uses together with the rows of its first clause. */
const usedNames = (clauses: readonly Clause[]): readonly [Clause | undefined, ReadonlySet<string>] => {
  const [first] = clauses;
  const isNeeded = first?.kind !== 'match' || (first.optional && singleSteps(first).length > 1);
  const end = clauses.findIndex(({ kind }) => /^(with|return|call_query)$/.test(kind));
  const last = clauses[end]?.kind === 'call_query' ? end : end + 1;
  const conditions = clauses.slice(0, last).map((clause) => {
    if (clause.kind === 'match') return clause.where;
    // The engine does not count those in the condition of a WITH.
    return clause.kind === 'with' ? { ...clause, where: null } : clause;
  });
  return [first, isNeeded ? NONE : variablesIn(conditions)];
};

const NONE: ReadonlySet<string> = new Set();

/** `used`: the names to which the query refers. */
const withNames = (clause: MatchClause, newName: () => string, used: ReadonlySet<string>): MatchClause => {
  const references: ReturnType<typeof isNotNull>[] = [];
  const paths = clause.paths.map((path) => {
    if (path.shortest !== null) return path;
    const steps = path.steps.map((step) => {
      if (step.length !== null) return step;
      const named = step.name ?? name(newName(), step);
      if (!used.has(named.text)) references.push(isNotNull(variable(named.text, named)));
      return { ...step, name: named };
    });
    return { ...path, steps };
  });
  return { ...clause, paths, where: and(clause.where, ...references) };
};
