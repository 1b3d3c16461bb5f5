import { and, name, variable } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { template } from '../../cypher/template';
import {
  type Expression,
  type LabelTest,
  type MatchClause,
  type NodePattern,
  type Query,
  type StepPattern,
} from '../../cypher/tree';
import { changeClauses, clausesIn, partsOf } from '../../cypher/walk';
import { expandClauses, type Names } from '../clauses/expand-clauses';
import { withListedStars } from '../../cypher/listed-stars';

/** A relationship with a value gets another name, and a condition that both are the same. */
export const boundRelationships: Quirk = {
  id: 'falkordb-bound-relationships',
  description: 'A MATCH with a relationship of a clause before finds any relationship.',
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
  rewrite: (query, { newName }) =>
    hasStepNames(query)
      ? expandClauses(withListedStars(query, 'sorted'), (clause, before) => [
          clause.kind === 'match' ? withOwnNames(clause, before, newName) : clause,
        ])
      : query,
};

/** Whether the relationships of a query have names, and more than one clause. */
const hasStepNames = (query: Query): boolean =>
  [...clausesIn(query)].filter(({ kind }) => kind === 'match').length > 1 &&
  partsOf(query).some((part) => 'direction' in part && 'name' in part && part.name !== null);

const isSame = template('own = bound');

const withOwnNames = (clause: MatchClause, before: Names, newName: () => string): MatchClause => {
  const conditions: Expression[] = [];
  const paths = clause.paths.map((path) => ({
    ...path,
    steps: path.steps.map((step) => {
      const bound = step.name;
      if (bound === null || !before.includes(bound.text)) return step;
      if (step.length !== null)
        throw new QueryFault(`Write ${bound.text} with another name; it is a list already.`, step.start);
      const own = name(newName(), bound);
      conditions.push(isSame({ own: variable(own.text, own), bound: variable(bound.text, bound) }, bound));
      return { ...step, name: own };
    }),
  }));
  return conditions.length === 0 ? clause : { ...clause, paths, where: and(clause.where, ...conditions) };
};

/** The engine has `(n:A:B)` only. */
export const patternConditions: Quirk = {
  id: 'falkordb-conditions-in-patterns',
  description: '(n:A|B), (n WHERE …) and [r WHERE …] are unknown.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:M {id: 2}), (:M {id: 3})',
    query: 'MATCH (n:N|M WHERE n.id < 3) RETURN n.id ORDER BY n.id',
    right: [[1], [2]],
    wrong: 'error',
  },
  rewrite: (query, { newName }) => {
    if (!partsOf(query).some((part) => isNode(part) && isConditional(part))) return query;
    return changeClauses(withListedStars(query, 'sorted'), (clause) =>
      clause.kind === 'match' ? withConditions(clause, newName) : clause,
    );
  },
};

const isNode = (part: object): part is NodePattern | StepPattern => 'properties' in part && 'where' in part;
const isConditional = (part: NodePattern | StepPattern): boolean =>
  part.where !== null || ('labels' in part && part.labels?.of === 'any');

const withConditions = (clause: MatchClause, newName: () => string): MatchClause => {
  const conditions: (Expression | null)[] = [];
  const paths = clause.paths.map((path) => ({
    ...path,
    nodes: path.nodes.map((node) => {
      if (!isConditional(node)) return node;
      conditions.push(node.where);
      if (node.labels?.of !== 'any') return { ...node, where: null };
      const named = node.name ?? name(newName(), node);
      conditions.push(anyLabel(variable(named.text, named), node.labels));
      return { ...node, name: named, labels: null, where: null };
    }),
    steps: path.steps.map((step) => {
      if (step.where !== null && step.length !== null)
        throw new QueryFault(
          'FalkorDB tests no condition at each of several steps: write all(r IN relationships(p) WHERE …).',
          step.start,
        );
      conditions.push(step.where);
      return { ...step, where: null };
    }),
  }));
  return { ...clause, paths, where: and(clause.where, ...conditions) };
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
