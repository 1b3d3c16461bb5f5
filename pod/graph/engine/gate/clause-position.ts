import { type CypherToken } from './cypher-tokens';

/** Keywords after which an operand or a name must follow, never a clause. */
const EXPECT_OPERAND = new Set(
  (
    'RETURN WITH WHERE AND OR XOR NOT IN BY AS DISTINCT CASE WHEN THEN ELSE UNWIND LIMIT SKIP CONTAINS MATCH IS ' +
    'YIELD STARTS ENDS ON'
  ).split(' '),
);
const ENDS_OPERAND = new Set([')', ']', '}', '*']);

/**
 * Whether the word at `index` stands where a clause can begin: after something complete, rather than where a name or
 * an expression is expected. `WITH 1 AS set RETURN set` uses `set` as a name twice; `MATCH (n) SET …` is a clause.
 */
export const beginsClause = (tokens: readonly CypherToken[], index: number): boolean => {
  const previous = tokens[index - 1];
  if (previous === undefined) return true;
  if (previous.kind === 'symbol') return ENDS_OPERAND.has(previous.text);
  if (previous.kind !== 'word' || !EXPECT_OPERAND.has(previous.upper)) return true;
  // `n.with` and `AS where` are names, so what follows them may be a clause.
  const beforePrevious = tokens[index - 2];
  return beforePrevious?.text === '.' || beforePrevious?.text === ':' || beforePrevious?.upper === 'AS';
};
