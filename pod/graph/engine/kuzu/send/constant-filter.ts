import { type AnalysedQuery } from '../../query/analyse-query';
import { type PlacedToken } from '../../query/word-roles';
import { insertion, type TextEdit } from '../../query/text-edits';

const CLAUSES_WITH_ROWS = new Set(['MATCH', 'UNWIND', 'CALL']);
const ONE_ROW = 'UNWIND [1] AS _row ';

/**
 * The engine crashes while it plans a WHERE that filters constants: `WITH 1 AS x WHERE x = 1 RETURN x`, so long as no
 * MATCH, UNWIND or CALL comes before it. Each part of a UNION that does so begins with one row, which its first WITH
 * drops again.
 */
export const rowsToFilter = ({ tokens, start }: AnalysedQuery): readonly TextEdit[] => {
  const edits: TextEdit[] = [];
  let first = start;
  let hasRows = beginsWithStar(tokens, first);
  for (const [index, { upper, role, depth }] of tokens.entries()) {
    if (depth !== 0 || role !== 'keyword') continue;
    if (upper === 'UNION') {
      first = tokens[index + 1]?.upper === 'ALL' ? index + 2 : index + 1;
      hasRows = beginsWithStar(tokens, first);
    } else if (upper === 'WHERE' && !hasRows) {
      edits.push(insertion(tokens[first]?.start ?? 0, ONE_ROW));
      hasRows = true;
    } else if (CLAUSES_WITH_ROWS.has(upper)) {
      hasRows = true;
    }
  }
  return edits;
};

/** `WITH *` would take the row along. The engine refuses it, because there is nothing to take. */
const beginsWithStar = (tokens: readonly PlacedToken[], first: number): boolean =>
  tokens[tokens[first + 1]?.upper === 'DISTINCT' ? first + 2 : first + 1]?.text === '*';
