import { allClauses, type Clause, type ReadingQuery } from './clauses';
import { words, type PlacedToken } from './word-roles';

/** Aggregates that are the same however often a row comes; of the others that is true with DISTINCT. */
const EXTREMES = words('MIN MAX');
const AGGREGATES = words('COUNT COUNT_IF SUM AVG COLLECT STDEV STDEVP PERCENTILECONT PERCENTILEDISC MIN MAX');
/** They make equal rows differ. */
const RANDOM = words('RAND RANDOMUUID GEN_RANDOM_UUID');

/**
 * The clauses where the result may show how often each row comes. It cannot before DISTINCT, UNION, `min(x)`,
 * `count(DISTINCT x)` and their like, unless rows are counted or cut in between.
 */
export const countingClauses = (query: ReadingQuery): ReadonlySet<Clause> => {
  const clauses = allClauses(query);
  const isRandom = clauses.some(({ body, condition }) =>
    [body, condition ?? []].some((tokens) => tokens.some((_, index) => RANDOM.has(calledAt(tokens, index)))),
  );
  return new Set(isRandom ? clauses : counting(query, true));
};

const counting = (query: ReadingQuery, resultCounts: boolean): readonly Clause[] =>
  query.parts.flatMap((clauses) => {
    const found: Clause[] = [];
    let counts = resultCounts && !query.unionIsDistinct;
    for (const clause of [...clauses].reverse()) {
      if (clause.name === 'WITH' || clause.name === 'RETURN') counts = countsBefore(clause, counts);
      if (counts) found.push(clause);
      for (const { word, query: inner } of clause.subqueries) {
        found.push(...counting(inner, word === 'COUNT' || (word === 'CALL' && counts)));
      }
    }
    return found;
  });

/** Whether it shows behind a WITH or RETURN how often the rows before it come; `after`: whether that shows of its own. */
const countsBefore = ({ body }: Clause, after: boolean): boolean => {
  const aggregates = body.flatMap((_, index) => {
    const name = calledAt(body, index);
    return AGGREGATES.has(name) ? [{ counts: !EXTREMES.has(name) && body[index + 2]?.upper !== 'DISTINCT' }] : [];
  });
  if (aggregates.some(({ counts }) => counts)) return true;
  if (aggregates.length > 0 || isKeyword(body[0], 'DISTINCT')) return false;
  const cuts = body.some((token) => token.depth === body[0]?.depth && isKeyword(token, 'SKIP', 'LIMIT'));
  return after || cuts;
};

const isKeyword = (token: PlacedToken | undefined, ...keywords: readonly string[]): boolean =>
  token?.role === 'keyword' && keywords.includes(token.upper);

/** The function called at an index, in upper case; empty when none is. */
const calledAt = (tokens: readonly PlacedToken[], index: number): string => {
  const [token, next] = [tokens[index], tokens[index + 1]];
  if (next?.text !== '(' || (token?.kind !== 'word' && token?.kind !== 'quoted_name')) return '';
  return token.kind === 'word' ? token.upper : token.upper.slice(1, -1);
};
