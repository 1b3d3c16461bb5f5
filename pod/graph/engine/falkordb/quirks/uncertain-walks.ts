import { countingClauses } from '../../cypher/counting-clauses';
import { type Quirk } from '../../cypher/quirk';
import { matchedSteps, shownText, stepsInValues } from '../../cypher/steps';
import { type Clause, type Expression, type MatchClause, type StepPattern } from '../../cypher/tree';
import { stepsWithOneEdge } from '../../cypher/uniqueness/steps-with-one-edge';
import { clausesIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

/**
 * The engine follows paths of several lengths until they return to one of their nodes, and computes a single length as a
 * matrix product, which is wrong next to other steps.
 */
export const uncertainWalks: Quirk = {
  id: 'falkordb-walks',
  description: 'Patterns of several lengths end where a path returns to one of its nodes.',
  shown: {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (b)-[:E]->(a), (a)-[:E]->(:N {id: 3})',
    query: 'MATCH (:N {id: 1})-[:E*1..3]->() RETURN count(*)',
    right: [[4]],
    wrong: [[3]],
  },
  warn: (query, { text, schema, walks }) => {
    const counting = countingClauses(query);
    const uncertain = [...clausesIn(query)].flatMap((clause) => [
      ...(walks ? [] : sharing(clause, schema)),
      ...uncertainSteps(clause, counting.has(clause)),
    ]);
    return uncertain.map(
      (step) =>
        `FalkorDB may not find exactly the paths of ${shownText(text, step)}. Without a name for the path or the ` +
        'relationship, the nodes reached in one direction, with lengths from 0 or 1 and DISTINCT, are exact; otherwise ' +
        'write each step out.',
    );
  },
};

/** Steps that can bind relationships of other steps of the same MATCH. */
const sharing = (clause: Clause, schema: GraphSchema): readonly StepPattern[] =>
  stepsWithOneEdge(matchedSteps(clause), schema)
    .flat()
    .filter(({ length }) => length !== null);

const uncertainSteps = (clause: Clause, counts: boolean): readonly StepPattern[] => {
  // The clauses inside are checked on their own.
  if (clause.kind === 'call_query') return [];
  const matched = clause.kind === 'match' ? uncertainPaths(clause, counts) : [];
  const conditions = clause.kind === 'match' || clause.kind === 'with' ? stepsInValues(clause.where) : [];
  const values = clause.kind === 'match' ? [] : stepsInValues({ ...clause, where: null });
  return [...matched, ...conditions.filter((step) => !findsAllEnds(step)), ...values].filter(
    ({ length }) => length !== null,
  );
};

const uncertainPaths = ({ paths }: MatchClause, counts: boolean): readonly StepPattern[] =>
  paths
    .filter(({ shortest }) => shortest === null)
    .flatMap(({ name, steps }) =>
      steps.filter((step) => counts || name !== null || step.name !== null || !findsAllEnds(step)),
    );

/** Whether a path that ends at its first node met twice is enough to reach every end of a walk. */
const findsAllEnds = ({ length, direction }: StepPattern): boolean => {
  if (length === null) return true;
  const [min, max] = [numberOf(length.min, 1), numberOf(length.max, Infinity)];
  return max === 0 || max === 1 || min === 0 || (direction !== 'both' && min === 1);
};

/** A bound; NaN for a parameter. */
const numberOf = (bound: Expression | null, omitted: number): number => {
  if (bound === null) return omitted;
  return bound.kind === 'number' ? Number(bound.text) : NaN;
};
