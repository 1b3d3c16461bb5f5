import { and, isNotNull, name, variable } from '../../cypher/build';
import { countingClauses } from '../../cypher/counting-clauses';
import { withOuterConditions } from '../../cypher/outer-conditions';
import { withOwnRelationships } from '../../cypher/own-relationships';
import { type Quirk } from '../../cypher/quirk';
import { allParts } from '../../cypher/steps';
import { make } from '../../cypher/template';
import {
  type Clause,
  type Expression,
  type LabelTest,
  type MatchClause,
  type NodePattern,
  type StepPattern,
} from '../../cypher/tree';
import {
  differentIds,
  type NamedStep,
  REPEATED,
  withDifferentRelationships,
} from '../../cypher/uniqueness/different-relationships';
import { changeMatches, clausesIn, partsOf, variablesIn } from '../../cypher/walk';

/** A bound relationship is renamed, and a condition requires that both are the same. */
export const boundRelationships: Quirk = {
  id: 'falkordb-bound-relationships',
  description: 'A relationship variable that an earlier clause bound matches any relationship.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E {w: 1}]->(b:N {id: 2}), (a)-[:E {w: 2}]->(b)',
    query: 'MATCH (a:N)-[r:E]->(:N) WITH a, r MATCH (a)-[r]->(b) RETURN r.w, b.id ORDER BY r.w',
    right: [
      [1, 2],
      [2, 2],
    ],
    wrong: [
      [1, 2],
      [1, 2],
      [2, 2],
      [2, 2],
    ],
  },
  rewrite: (query, context) => withOwnRelationships(query, context, (own, bound) => make('_1 = _2', own, own, bound)),
};

/** The engine supports only `(n:A:B)`. */
export const patternConditions: Quirk = {
  id: 'falkordb-conditions-in-patterns',
  description: '(n:A|B), (n WHERE …) and [r WHERE …] are syntax errors.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:M {id: 2}), (:M {id: 3})',
    query: 'MATCH (n:N|M WHERE n.id < 3) RETURN n.id ORDER BY n.id',
    right: [[1], [2]],
    wrong: 'error',
  },
  rewrite: (query, { newName }) => {
    if (!partsOf(query).some((part) => isNode(part) && isConditional(part))) return query;
    return changeMatches(query, (clause) => withConditions(clause, newName));
  },
};

const isNode = (part: object): part is NodePattern | StepPattern => 'properties' in part && 'where' in part;
const isConditional = (part: NodePattern | StepPattern): boolean =>
  part.where !== null || ('labels' in part && part.labels?.of === 'any');

const withConditions = (clause: MatchClause, newName: () => string): MatchClause => {
  const conditions: Expression[] = [];
  const paths = clause.paths.map((path) => ({
    ...path,
    nodes: path.nodes.map((node) => {
      if (node.labels?.of !== 'any') return node;
      const named = node.name ?? name(newName(), node);
      conditions.push(anyLabel(variable(named.text, named), node.labels));
      return { ...node, name: named, labels: null };
    }),
  }));
  return withOuterConditions({ ...clause, paths, where: and(...conditions, clause.where) });
};

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

export const repeatedRelationships: Quirk = {
  id: 'falkordb-repeated-relationships',
  description: 'One MATCH can bind the same relationship more than once.',
  shown: REPEATED,
  rewrite: (query, context) => (context.walks ? query : withDifferentRelationships(query, context, differenceOf)),
};

/** Steps of several lengths are paths in the engine; they are expanded, or cause a warning. */
const differenceOf = (first: NamedStep, second: NamedStep): Expression | null =>
  (first.length ?? second.length) === null ? differentIds(first, second) : null;

/**
 * Steps without a reference to their relationship are products of boolean matrices, where parallel edges, and several
 * nodes between the same two, become one row. So each relationship gets a name and a condition that refers to it,
 * unless the result cannot show how often a row occurs.
 *
 * An OPTIONAL MATCH of several steps always gets them: otherwise names of its first steps keep their values when its
 * last step finds nothing.
 */
export const namedSteps: Quirk = {
  id: 'falkordb-parallel-edges',
  description: 'A relationship that the query does not use matches parallel edges only once.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (a)-[:E]->(b)',
    query: 'MATCH (:N)-[:E]->(:N) RETURN count(*)',
    right: [[2]],
    wrong: [[1]],
  },
  rewrite: (query, { newName }) => {
    const counting = countingClauses(query);
    const needed = new Set([...clausesIn(query)].filter((clause) => needsNames(clause, counting.has(clause))));
    const used = new Map(allParts(query).flatMap((clauses) => clauses.map((_, at) => usedNames(clauses.slice(at)))));
    return changeMatches(query, (clause, before) =>
      needed.has(before) ? withNames(clause, newName, used.get(before) ?? NONE) : clause,
    );
  },
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
