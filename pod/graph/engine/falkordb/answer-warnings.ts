import { type GraphSchema } from '../graph-schema';
import { type AnalysedQuery } from '../query/analyse-query';
import { allClauses, isMatch, type Clause } from '../query/clauses';
import { type CypherToken } from '../query/cypher-tokens';
import { pathPatterns, stepsInExpressions, stepText, type Step } from '../query/patterns';

/** The warnings of a query that hold for every answer to it. */
export const answerWarnings = (query: AnalysedQuery, schema: GraphSchema): readonly string[] => [
  ...unknownNameWarnings(query, schema),
  ...walkWarnings(query),
];

const unknownNameWarnings = ({ tokens }: AnalysedQuery, { nodeTables, edgeTables }: GraphSchema): readonly string[] => {
  const labels = nodeTables.map(({ label }) => label);
  const types = edgeTables.map(({ type }) => type);
  return unknownNames(tokens, new Set([...labels, ...types])).map(
    (name) =>
      `Unknown label or edge type ${name}: nothing matches it. ` +
      `Labels: ${labels.join(', ')}; edge types: ${types.join(', ')}.`,
  );
};

/** Labels and edge types that the graph does not have: the engine reports no error and finds no rows. */
const unknownNames = (tokens: readonly CypherToken[], known: ReadonlySet<string>): readonly string[] => {
  const unknown = new Set<string>();
  const open: string[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'symbol' && '([{'.includes(token.text)) {
      open.push(token.text === '{' && tokens[index - 1]?.upper === 'CALL' ? 'subquery' : token.text);
    }
    if (token.kind === 'symbol' && ')]}'.includes(token.text)) open.pop();
    const named = tokens[index - 1]?.text === ':' || (tokens[index - 1]?.text === '|' && open.at(-1) === '[');
    if (!named || open.at(-1) === '{' || (token.kind !== 'word' && token.kind !== 'quoted_name')) continue;
    const name = token.kind === 'word' ? token.text : token.text.slice(1, -1);
    // `name` in `[x IN list | name]` is not a type.
    if (tokens[index - 1]?.text === '|' && !isTypeAlternative(tokens, index)) continue;
    if (!known.has(name)) unknown.add(name);
  }
  return [...unknown];
};

/** `[:A|B]`: what stands before the bar is a name after a colon or another bar. */
const isTypeAlternative = (tokens: readonly CypherToken[], index: number): boolean => {
  const before = tokens[index - 3]?.text;
  if (before === ':') return true;
  return before === '|' && isTypeAlternative(tokens, index - 2);
};

/**
 * One warning for each pattern of several lengths for which the engine may not find exactly all walks. It follows paths
 * that end where they return to one of their nodes, and computes a single length as a matrix product, which is wrong
 * next to other steps.
 */
const walkWarnings = ({ text, query, counting }: AnalysedQuery): readonly string[] => {
  const uncertain = allClauses(query).flatMap((clause) => uncertainPatterns(clause, counting.has(clause)));
  const patterns = uncertain.map((step) => stepText(text, step));
  return [...new Set(patterns)].map(
    (pattern) =>
      `FalkorDB may not find exactly the walks of ${pattern}. Without a name for the path or the relationship, the ` +
      'nodes reached in one direction, with lengths from 0 or 1 and DISTINCT, are exact; otherwise write each step out.',
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
