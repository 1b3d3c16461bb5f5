import { countingClauses } from '../../cypher/counting-clauses';
import { lengthsOf, stepsOf } from '../../cypher/steps';
import { stepsWithOneEdge } from '../../cypher/steps-with-one-edge';
import { type MatchClause, type Query, type StepPattern } from '../../cypher/tree';
import { clausesIn } from '../../cypher/walk';
import { type GraphSchema } from '../../graph-schema';

/** Up to this length the alternatives of single steps are as fast. */
const SHORT = 3;

/**
 * The steps of variable length of which only the nodes matter that they reach: neither the number of walks nor their
 * relationships. In one direction, from length 0 or 1, every node that a walk reaches is also reached by one that
 * repeats no relationship: leave out its cycles. So the nodes are enough for a search, which ends in any graph.
 */
export const reachingSteps = (query: Query, schema: GraphSchema): ReadonlySet<StepPattern> => {
  const clauses = clausesIn(query).filter((clause) => clause.kind === 'match');
  const hasLengths = clauses.some(({ paths }) =>
    paths.some(({ steps }) => steps.some(({ length }) => length !== null)),
  );
  if (!hasLengths) return NONE;
  const counting = countingClauses(query);
  return new Set(clauses.filter((clause) => !counting.has(clause)).flatMap((clause) => stepsIn(clause, schema)));
};

const NONE: ReadonlySet<StepPattern> = new Set();

const stepsIn = ({ paths }: MatchClause, schema: GraphSchema): readonly StepPattern[] => {
  const shared = new Set(stepsWithOneEdge(stepsOf(paths), schema).flatMap((pair) => pair.map(({ start }) => start)));
  return paths
    .filter(({ name, shortest }) => name === null && shortest === null)
    .flatMap(({ steps }) => steps)
    .filter((step) => {
      const [min, max] = lengthsOf(step);
      return step.name === null && step.direction !== 'both' && min <= 1 && max > SHORT && !shared.has(step.start);
    });
};
