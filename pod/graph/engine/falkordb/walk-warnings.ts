import { type AnalysedQuery } from '../query/analyse-query';
import { allClauses, isMatch, type Clause } from '../query/clauses';
import { pathPatterns, stepsInExpressions, stepText, type Step } from '../query/patterns';

/**
 * One sentence for each pattern of several lengths that the engine may answer otherwise than by all walks. It follows
 * paths that end where they come back to one of their nodes, and makes a matrix product of a single length, which comes
 * out wrong beside other steps.
 */
export const walkWarnings = ({ text, query, counting }: AnalysedQuery): readonly string[] => {
  const uncertain = allClauses(query).flatMap((clause) => uncertainPatterns(clause, counting.has(clause)));
  const patterns = uncertain.map((step) => stepText(text, step));
  return [...new Set(patterns)].map(
    (pattern) =>
      `FalkorDB may answer other rows for ${pattern} than its walks. Right without a path or a name for it are ` +
      'the nodes reached in a direction, with lengths from 0 or 1, and DISTINCT; for others write each step out.',
  );
};

const uncertainPatterns = (clause: Clause, counts: boolean): readonly Step[] => {
  const { body, condition } = clause;
  const matched = (isMatch(clause) ? pathPatterns(body) : []).flatMap(({ variable, steps }) =>
    steps.filter((step) => counts || variable !== null || step.variable !== null || !findsAllEnds(step)),
  );
  const conditions = stepsInExpressions(condition ?? []).filter((step) => !findsAllEnds(step));
  const values = stepsInExpressions(isMatch(clause) ? [] : body);
  return [...matched, ...conditions, ...values].filter(({ length }) => length !== null);
};

/** Whether a path that ends at its first node met twice is enough to reach every end of a walk. */
const findsAllEnds = ({ length, direction }: Step): boolean =>
  length === null ||
  length.max === 0 ||
  length.max === 1 ||
  length.min === 0 ||
  (direction !== 'both' && length.min === 1);
