import { and, call, name, number, variable } from '../../cypher/build';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { scopesOf } from '../../cypher/scopes';
import {
  type Expression,
  type MatchClause,
  type PathLength,
  type PathPattern,
  type Query,
  type StepPattern,
} from '../../cypher/tree';
import { changeClauses, clausesIn, expressionsIn, partsOf } from '../../cypher/walk';

/** The condition compares the ids; where it must not become a join, of which the engine is not capable, it is negated. */
export const boundRelationships: Quirk = {
  id: 'kuzu-bound-relationships',
  description: 'A relationship that is known cannot stand in a pattern.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (:N)-[r:E]->(:N) WITH r MATCH (a)-[r]->(b) RETURN a.id, b.id',
    right: [[1, 2]],
    wrong: 'error',
  },
  rewrite: (query, { newName }) => {
    const { before } = scopesOf(query);
    const inner = new Set(
      [...expressionsIn(query)].flatMap((value) => (value.kind === 'subquery' ? [...clausesIn(value.query)] : [])),
    );
    return changeMatches(query, (clause, original) => {
      const known = before.get(original);
      const conditions: Expression[] = [];
      const renamed = (step: StepPattern): StepPattern => {
        if (step.name === null || known?.has(step.name.text) !== true) return step;
        if (step.length !== null) {
          throw new QueryFault(
            `${step.name.text} is known already; choose another name for these relationships.`,
            step.name.start,
          );
        }
        const other = newName();
        const ids = [variable(step.name.text, step), variable(other, step)].map((value) => call('id', [value], step));
        conditions.push(sameIds(ids, clause.optional || inner.has(original)));
        return { ...step, name: name(other, step) };
      };
      const paths = clause.paths.map((path) => ({ ...path, steps: path.steps.map(renamed) }));
      return conditions.length === 0 ? clause : { ...clause, paths, where: and(clause.where, ...conditions) };
    });
  },
};

const sameIds = ([left, right]: readonly Expression[], isNegated: boolean): Expression => {
  if (left === undefined || right === undefined) throw new Error('Two ids are compared.');
  const { start, end } = left;
  const compared = (operator: '=' | '<>'): Expression => ({
    kind: 'comparison',
    first: left,
    rest: [{ operator, right }],
    start,
    end,
  });
  return isNegated ? { kind: 'unary', operator: 'NOT', of: compared('<>'), start, end } : compared('=');
};

export const conditionsInPatterns: Quirk = {
  id: 'kuzu-conditions-in-patterns',
  description: 'A node or a relationship of a pattern has no WHERE of its own.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N WHERE n.id > 1) RETURN n.id',
    right: [[2]],
    wrong: 'error',
  },
  rewrite: (query) => {
    const written = changeMatches(query, (clause) => {
      const parts = clause.paths.flatMap(({ nodes, steps }) => [...nodes, ...steps]);
      if (parts.every(({ where }) => where === null)) return clause;
      const without = <P extends { readonly where: Expression | null }>(part: P): P => ({ ...part, where: null });
      const paths = clause.paths.map((path) => ({
        ...path,
        nodes: path.nodes.map(without),
        steps: path.steps.map(without),
      }));
      return { ...clause, paths, where: and(...parts.map(({ where }) => where), clause.where) };
    });
    for (const part of partsOf(written)) {
      if (!('direction' in part || 'labels' in part) || !('where' in part) || part.where === null) continue;
      throw new QueryFault('Write this condition in EXISTS { MATCH … WHERE … }.', (part.where as Expression).start);
    }
    return written;
  },
};

/** The engine's longest paths have 30 steps. */
const MAX_STEPS = 30;

export const shortestPaths: Quirk = {
  id: 'kuzu-shortest-paths',
  description: 'shortestPath is unknown; the engine writes * SHORTEST.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})-[:E]->(:N {id: 3})',
    query: 'MATCH (a:N {id: 1}), (b:N {id: 3}) MATCH p = shortestPath((a)-[:E*]->(b)) RETURN length(p)',
    right: [[2]],
    wrong: 'error',
  },
  rewrite: (query) => {
    for (const value of expressionsIn(query)) {
      if (value.kind !== 'pattern' || value.path.shortest === null) continue;
      throw new QueryFault('Write MATCH p = shortestPath(…) instead of using it as a value.', value.start);
    }
    return changeMatches(query, (clause) =>
      clause.paths.some(({ shortest }) => shortest !== null)
        ? { ...clause, paths: clause.paths.map((path) => (path.shortest === null ? path : asWalk(path, clause))) }
        : clause,
    );
  },
};

const asWalk = (path: PathPattern, { where }: MatchClause): PathPattern => {
  const [step, other] = path.steps;
  if (step === undefined || other !== undefined) {
    throw new QueryFault('A shortest path has one step with a length: (a)-[:KNOWS*]->(b).', path.start);
  }
  const names = [path.name?.text, step.name?.text];
  const condition = [...expressionsIn(where ?? {})].find(
    (value) => value.kind === 'variable' && names.includes(value.name),
  );
  if (condition !== undefined || step.properties !== null) {
    throw new QueryFault(
      'Conditions on a shortest path are not possible here: write * SHORTEST 1..30 (r, n | WHERE r.since > 2000).',
      (condition ?? step.properties ?? step).start,
    );
  }
  return { ...path, shortest: null, steps: [{ ...step, length: shortestLength(step, path.shortest === 'all') }] };
};

const shortestLength = (step: StepPattern, isAll: boolean): PathLength => {
  const { start, end } = step;
  const { min, max } = step.length ?? { min: number('1', step), max: number('1', step) };
  if (min?.kind === 'number' && Number(min.text) !== 1) {
    throw new QueryFault(
      'A shortest path begins with length 1 on this kind of instance; omit the lower bound.',
      min.start,
    );
  }
  const mode = isAll ? 'ALL SHORTEST' : 'SHORTEST';
  return {
    mode,
    min: number('1', step),
    max: max ?? number(`${MAX_STEPS}`, step),
    cost: null,
    filter: null,
    start,
    end,
  };
};

const changeMatches = (query: Query, change: (clause: MatchClause, original: MatchClause) => MatchClause): Query =>
  changeClauses(query, (clause, original) =>
    clause.kind === 'match' && original.kind === 'match' ? change(clause, original) : clause,
  );
