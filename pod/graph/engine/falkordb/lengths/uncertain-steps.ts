import { lengthsOf, stepsOf } from '../../cypher/steps';
import { type MatchClause, type StepPattern } from '../../cypher/tree';
import { stepsWithOneEdge } from '../../cypher/uniqueness/steps-with-one-edge';
import { type QuirkContext } from '../../cypher/quirk';

/**
 * The steps of several lengths that the engine may answer wrongly: it follows a path until that returns to one of its
 * nodes. That is enough for the nodes that are reached in one direction, where only these matter.
 */
export const uncertainSteps = (
  { paths }: Pick<MatchClause, 'paths'>,
  counts: boolean,
  { schema, walks }: Pick<QuirkContext, 'schema' | 'walks'>,
): readonly StepPattern[] => {
  const pairs = walks ? [] : stepsWithOneEdge(stepsOf(paths), schema).flat();
  const shared = new Set(pairs.map(({ start }) => start));
  return paths
    .filter(({ shortest }) => shortest === null)
    .flatMap(({ name, steps }) =>
      steps.filter(
        (step) =>
          step.length !== null &&
          (counts || name !== null || step.name !== null || shared.has(step.start) || !findsAllEnds(step)),
      ),
    );
};

/** Whether a path that ends at its first node met twice is enough to reach every end. */
const findsAllEnds = (step: StepPattern): boolean => {
  const [min, max] = lengthsOf(step);
  return max === 0 || max === 1 || min === 0 || (step.direction !== 'both' && min === 1);
};
