import { isLeft } from 'fp-ts/Either';
import { cypherTokens, type CypherToken } from '../gate/cypher-tokens';
import { statementStart } from '../gate/read-only-gate';
import { wordRoles } from '../gate/word-roles';
import { depthChange } from '../projection';
import { remembering } from '../recent';

const CLAUSES_WITH_ROWS = new Set(['MATCH', 'UNWIND', 'CALL']);
const ONE_ROW = 'UNWIND [1] AS _row ';

/**
 * The engine crashes while it plans a WHERE that filters constants: `WITH 1 AS x WHERE x = 1 RETURN x`, so long as no
 * MATCH, UNWIND or CALL comes before it. Such a text begins with one row here, which its first WITH drops again.
 */
export const withRowToFilter = remembering((text: string): string => {
  const lexed = cypherTokens(text);
  if (isLeft(lexed)) return text;
  let result = '';
  let from = 0;
  for (const { start } of withoutRows(lexed.right)) {
    result += text.slice(from, start) + ONE_ROW;
    from = start;
  }
  return result + text.slice(from);
});

/** The first token of each part of a UNION that filters before it has rows. */
const withoutRows = (tokens: readonly CypherToken[]): readonly CypherToken[] => {
  const found: CypherToken[] = [];
  let first = statementStart(tokens);
  const { roles } = wordRoles(tokens, first);
  let hasRows = beginsWithStar(tokens, first);
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    depth += depthChange(token);
    if (depth !== 0 || roles[index] !== 'keyword') continue;
    if (token.upper === 'UNION') {
      first = tokens[index + 1]?.upper === 'ALL' ? index + 2 : index + 1;
      hasRows = beginsWithStar(tokens, first);
    } else if (token.upper === 'WHERE' && !hasRows) {
      found.push(...tokens.slice(first, first + 1));
      hasRows = true;
    } else if (CLAUSES_WITH_ROWS.has(token.upper)) {
      hasRows = true;
    }
  }
  return found;
};

/** `WITH *` would take the row along. The engine refuses it, because there is nothing to take. */
const beginsWithStar = (tokens: readonly CypherToken[], first: number): boolean =>
  tokens[tokens[first + 1]?.upper === 'DISTINCT' ? first + 2 : first + 1]?.text === '*';
