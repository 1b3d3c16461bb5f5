import { type GraphSchema } from '../graph-schema';
import { type AnalysedQuery } from '../query/analyse-query';
import { allClauses } from '../query/clauses';
import { pathPatterns, type Relationship } from '../query/patterns';

/** One sentence for each pattern whose walks the engine counts wrongly in this graph, where the result may show it. */
export const walkWarnings = (
  { text, start, query, counting }: AnalysedQuery,
  { edgeTables }: GraphSchema,
): readonly string[] => {
  const isExplained = start > 0;
  if (isExplained) return [];
  const loops = edgeTables.filter(({ hasLoops }) => hasLoops).map(({ type }) => type);
  const warnings = allClauses(query)
    .filter((clause) => counting.has(clause) && (clause.name === 'MATCH' || clause.name === 'OPTIONAL MATCH'))
    .flatMap(({ body }) => pathPatterns(body))
    .flatMap(({ relationships }) => relationships)
    .flatMap((step) => {
      const pattern = text.slice(step.tokens[0]?.start, step.tokens.at(-1)?.end);
      const found = loops.filter((type) => step.types.length === 0 || step.types.includes(type));
      return [
        ...(!step.directed && found.length > 0 ? [loopWarning(pattern, found)] : []),
        ...(startsAtItself(step) ? [startWarning(pattern)] : []),
      ];
    });
  return [...new Set(warnings)];
};

const loopWarning = (pattern: string, types: readonly string[]): string =>
  `Kuzu finds a loop twice in ${pattern}, because it has no direction: ${types.join(', ')} has edges from a node to ` +
  'itself. Give it a direction, or count with DISTINCT.';

/** `*0..2` and more: where a walk comes back to where it starts, walks are counted more than once. */
const startsAtItself = ({ length }: Relationship): boolean =>
  length !== null &&
  !length.restricted &&
  !(length.least !== null && length.least > 0) &&
  length.most !== 0 &&
  length.most !== 1;

const startWarning = (pattern: string): string =>
  `Kuzu may count walks of ${pattern} more than once where they come back to their first node. ` +
  'Begin with length 1, and add the nodes themselves where you need them.';
