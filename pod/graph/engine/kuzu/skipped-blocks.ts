import { isLeft } from 'fp-ts/Either';
import { cypherTokens } from '../gate/cypher-tokens';
import { statementStart } from '../gate/read-only-gate';
import { wordRoles } from '../gate/word-roles';
import { remembering } from '../recent';

/** Never computed while the engine plans, so nothing is compared with their values there. */
const AGGREGATES = new Set(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'COLLECT']);

/**
 * Whether the engine skips the right blocks of a table. It compares the least and largest value of each block with
 * constants, and reads a constant of another type than the column's as if it were of that type: a fraction beside an
 * integer, a time beside a date. So it has to look at all blocks when a text has such constants or may compute some.
 */
export const skipsRightBlocks = remembering((text: string): boolean => {
  const tokens = cypherTokens(text);
  if (isLeft(tokens)) return false;
  const { roles } = wordRoles(tokens.right, statementStart(tokens.right));
  return !tokens.right.some((token, index) => {
    if (token.kind === 'number') return /^[^xX]*[.eE]/.test(token.text);
    if (tokens.right[index + 1]?.text !== '(') return token.text === '^';
    return token.kind === 'quoted_name' || (roles[index] === 'name' && !AGGREGATES.has(token.upper));
  });
});
