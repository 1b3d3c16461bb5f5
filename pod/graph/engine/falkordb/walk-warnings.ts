import { type AnalysedQuery } from '../query/analyse-query';
import { allClauses, type Clause } from '../query/clauses';
import { pathPatterns, patternsInExpressions, type Relationship } from '../query/patterns';

/**
 * One sentence for each pattern of several lengths that the engine may answer otherwise than by all walks. It follows
 * paths that end where they come back to one of their nodes, and makes a matrix product of a single length.
 */
export const walkWarnings = ({ text, query, counting }: AnalysedQuery): readonly string[] => {
  const uncertain = allClauses(query).flatMap((clause) => uncertainPatterns(clause, counting.has(clause)));
  const patterns = uncertain.map(({ tokens }) => text.slice(tokens[0]?.start, tokens.at(-1)?.end));
  return [...new Set(patterns)].map(
    (pattern) =>
      `FalkorDB may answer fewer rows for ${pattern} than there are walks. Right without a path or a name for it are ` +
      'the nodes reached in a direction, with lengths from 0 or 1, and DISTINCT; for others write each step out.',
  );
};

const uncertainPatterns = ({ name, body, condition }: Clause, counts: boolean): readonly Relationship[] => {
  const isMatch = name === 'MATCH' || name === 'OPTIONAL MATCH';
  const matched = (isMatch ? pathPatterns(body) : []).flatMap(({ variable, relationships }) =>
    relationships.filter(
      (step) => counts || variable !== null || step.variable !== null || !(findsAllEnds(step) || isProduct(step)),
    ),
  );
  const conditions = patternsInExpressions(condition ?? []).filter((step) => !findsAllEnds(step));
  const values = patternsInExpressions(isMatch ? [] : body);
  return [...matched, ...conditions, ...values].filter(({ length }) => length !== null);
};

/** Whether a path that ends at its first node met twice is enough to reach every end of a walk. */
const findsAllEnds = ({ length, directed }: Relationship): boolean =>
  length === null || length.most === 0 || length.most === 1 || length.least === 0 || (directed && length.least === 1);

/** Whether the engine multiplies matrices, which it does right in a direction. */
const isProduct = ({ length, directed }: Relationship): boolean =>
  directed && length?.least != null && length.least === length.most;
