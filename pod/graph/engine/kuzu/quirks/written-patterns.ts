import { number } from '../../cypher/build';
import { withOuterConditions } from '../../cypher/outer-conditions';
import { withOwnRelationships } from '../../cypher/own-relationships';
import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { make } from '../../cypher/template';
import { MAX_STEPS } from './longest-paths';
import {
  type Expression,
  type MatchClause,
  type PathLength,
  type PathPattern,
  type StepPattern,
} from '../../cypher/tree';
import { changeMatches, expressionsIn, partsOf } from '../../cypher/walk';

/** The condition compares the ids; where the engine cannot join by it, it is negated. */
export const boundRelationships: Quirk = {
  id: 'kuzu-bound-relationships',
  description: 'A pattern cannot contain a relationship variable that is already bound.',
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (:N)-[r:E]->(:N) WITH r MATCH (a)-[r]->(b) RETURN a.id, b.id',
    right: [[1, 2]],
    wrong: 'error',
  },
  rewrite: (query, context) =>
    withOwnRelationships(query, context, (own, bound, mayFindNothing) =>
      make(mayFindNothing ? 'NOT id(_1) <> id(_2)' : 'id(_1) = id(_2)', own, bound, own),
    ),
};

export const conditionsInPatterns: Quirk = {
  id: 'kuzu-conditions-in-patterns',
  description: 'WHERE inside a node or relationship pattern is a syntax error.',
  shown: {
    graph: 'CREATE (:N {id: 1}), (:N {id: 2})',
    query: 'MATCH (n:N WHERE n.id > 1) RETURN n.id',
    right: [[2]],
    wrong: 'error',
  },
  rewrite: (query) => {
    const written = changeMatches(query, withOuterConditions);
    for (const part of partsOf(written)) {
      if (!('direction' in part || 'labels' in part) || !('where' in part) || part.where === null) continue;
      throw new QueryFault('Write this condition in EXISTS { MATCH … WHERE … }.', (part.where as Expression).start);
    }
    return written;
  },
};

export const shortestPaths: Quirk = {
  id: 'kuzu-shortest-paths',
  description: "shortestPath is unknown; the engine's syntax is * SHORTEST.",
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
