import { countingClauses } from '../../cypher/counting-clauses';
import { type Quirk } from '../../cypher/quirk';
import { lengthsOf } from '../../cypher/steps';
import { type Expression, type PathPattern, type StepPattern } from '../../cypher/tree';
import { changeExpressions, changeMatches, partsOf } from '../../cypher/walk';

/** `TRAIL` cures it. Walks are faster, and sufficient if only the nodes reached in one direction matter. */
export const repeatingWalks: Quirk = {
  id: 'kuzu-repeating-walks',
  description: 'A variable-length relationship can repeat a relationship.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2})-[:E]->(a)',
    query: 'MATCH (:N {id: 1})-[:E*1..3]->() RETURN count(*)',
    right: [[2]],
    wrong: [[3]],
  },
  rewrite: (query, { walks }) => {
    if (walks || !partsOf(query).some((part) => 'mode' in part && part.mode === null)) return query;
    const counting = new Set([...countingClauses(query)].map(({ start }) => start));
    const matched = changeMatches(query, (clause) => ({
      ...clause,
      paths: clause.paths.map((path) => withTrails(path, counting.has(clause.start))),
    }));
    return changeExpressions(matched, (value: Expression) =>
      value.kind === 'pattern' ? { ...value, path: withTrails(value.path, false) } : value,
    );
  },
};

const withTrails = (path: PathPattern, counts: boolean): PathPattern => ({
  ...path,
  steps: path.steps.map((step) =>
    step.length === null || step.length.mode !== null || path.shortest !== null || areWalksEnough(step, path, counts)
      ? step
      : { ...step, length: { ...step.length, mode: 'TRAIL' } },
  ),
});

const areWalksEnough = (step: StepPattern, path: PathPattern, counts: boolean): boolean => {
  const [min, max] = lengthsOf(step);
  return max <= 1 || (!counts && path.name === null && step.name === null && step.direction !== 'both' && min <= 1);
};
