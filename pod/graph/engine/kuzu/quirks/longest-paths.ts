import { QueryFault } from '../../cypher/query-fault';
import { type Quirk } from '../../cypher/quirk';
import { shownText } from '../../cypher/steps';
import { type Query, type StepPattern } from '../../cypher/tree';
import { pathsIn } from '../../cypher/walk';

export const MAX_STEPS = 30;

export const longestPaths: Quirk = {
  id: 'kuzu-longest-paths',
  description: `A path has at most ${MAX_STEPS} relationships; a variable length without a maximum gives a warning.`,
  shown: {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: `MATCH (:N {id: 1})-[:E*1..${MAX_STEPS + 1}]->(n) RETURN n.id`,
    right: [[2]],
    wrong: 'error',
  },
  rewrite: (query) => {
    for (const { length } of longSteps(query)) {
      const max = length?.max ?? null;
      if (max === null || max.kind !== 'number' || Number(max.text) <= MAX_STEPS) continue;
      throw new QueryFault(`Kuzu follows paths of at most ${MAX_STEPS} steps: write *..${MAX_STEPS}.`, max.start);
    }
    return query;
  },
  warn: (query, { text }) =>
    longSteps(query)
      .filter(({ length }) => length?.max === null)
      .map((step) => `Kuzu finds no paths of more than ${MAX_STEPS} steps for ${shownText(text, step)}.`),
};

/** The steps of several lengths outside of `shortestPath(…)`. */
const longSteps = (query: Query): readonly StepPattern[] =>
  pathsIn(query)
    .filter(({ shortest }) => shortest === null)
    .flatMap(({ steps }) => steps.filter(({ length }) => length !== null));
