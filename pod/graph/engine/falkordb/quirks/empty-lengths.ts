import { and, list, literal } from '../../cypher/build';
import { type Quirk } from '../../cypher/quirk';
import { lengthsOf } from '../../cypher/steps';
import { type PathPattern, type StepPattern } from '../../cypher/tree';
import { changeExpressions, changeMatches, pathsIn } from '../../cypher/walk';

export const emptyLengths: Quirk = {
  id: 'falkordb-empty-lengths',
  description: 'A length whose lower bound is above the upper one, as *3..2, is an error.',
  rewrite: (query) => {
    if (!pathsIn(query).some(isEmpty)) return query;
    const inMatches = changeMatches(query, (clause) => {
      if (!clause.paths.some(isEmpty)) return clause;
      const paths = clause.paths.map((path) => ({ ...path, steps: path.steps.map(withLength) }));
      return { ...clause, paths, where: and(literal(false, clause), clause.where) };
    });
    return changeExpressions(inMatches, (value) => {
      if (value.kind === 'pattern' && isEmpty(value.path))
        return literal(value.path.shortest === null ? false : null, value);
      return value.kind === 'pattern_comprehension' && isEmpty(value.path) ? list([], value) : value;
    });
  },
};

const isEmpty = ({ steps }: PathPattern): boolean => steps.some(isEmptyStep);

/** Whether a step has no possible length. */
export const isEmptyStep = (step: StepPattern): boolean => {
  const [min, max] = lengthsOf(step);
  return step.length !== null && min > max;
};

const withLength = (step: StepPattern): StepPattern =>
  isEmptyStep(step) && step.length !== null ? { ...step, length: { ...step.length, min: step.length.max } } : step;
