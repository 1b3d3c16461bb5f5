import { type AnalysedQuery } from '../../query/analyse-query';
import { allParts } from '../../query/clauses';
import { plainName } from '../../query/patterns';
import { isStar, projectionOf, type ProjectionItem } from '../../query/result-shape';
import { insertion, type TextEdit } from '../../query/text-edits';

/**
 * The engine reads 1 for a `count(*)` that gets another name and is used once more in the same clause:
 * `WITH count(*) AS k RETURN k AS x, k AS y`. As a sum it is not just a name.
 */
export const renamedCounts = ({ query }: AnalysedQuery): readonly TextEdit[] =>
  allParts(query).flatMap((clauses) => {
    let counts = new Set<string>();
    return clauses.flatMap((clause) => {
      if (clause.name !== 'WITH' && clause.name !== 'RETURN') return [];
      const { items } = projectionOf(clause);
      const isCount = ({ expression: [only, more] }: ProjectionItem): boolean =>
        more === undefined && only !== undefined && counts.has(plainName(only.text));
      const edits = items.filter((item) => item.aliased && isCount(item));
      const named = items.filter((item) => item.name !== null && (isCount(item) || isCountOfRows(item)));
      counts = new Set([...(items.some(isStar) ? counts : []), ...named.map(({ name }) => plainName(name ?? ''))]);
      return edits.map(({ expression }) => insertion(expression.at(-1)?.end ?? 0, ' + 0'));
    });
  });

const isCountOfRows = ({ expression }: ProjectionItem): boolean =>
  expression.map(({ upper }) => upper).join('') === 'COUNT(*)';
