import { lengthsOf, stepsOf } from '../../cypher/steps';
import { type MatchClause, type StepPattern } from '../../cypher/tree';
import { stepsWithOneEdge } from '../../cypher/uniqueness/steps-with-one-edge';
import { type QuirkContext } from '../../cypher/quirk';

/**
 * The steps of several lengths that the engine may answer wrongly: it follows a path until that returns to one of its
 * nodes. This is sufficient if only the nodes reached in one direction matter.
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

/** Whether paths that end at the first repeated node reach every end. */
const findsAllEnds = (step: StepPattern): boolean => {
  const [min, max] = lengthsOf(step);
  return max === 0 || max === 1 || min === 0 || (step.direction !== 'both' && min === 1);
};
