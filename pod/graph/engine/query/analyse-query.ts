import { LRUCache } from 'lru-cache';
import { isLeft } from 'fp-ts/Either';
import { allClauses, readingQuery, type Clause, type ReadingQuery } from './clauses';
import { findOffence, type QueryVocabulary } from './read-only-gate';
import {
  cypherTokens,
  positionAt,
  type CypherToken,
  type TextPosition,
  placeTokens,
  words,
  type PlacedToken,
} from './cypher-tokens';
import { resultShape, type ResultShape } from './result-shape';

/** Why a query is rejected. */
export interface Refusal {
  readonly message: string;
  readonly position: TextPosition;
}

/** What is known of a query from its text alone. */
export interface AnalysedQuery {
  /** Without the semicolon at its end and what follows it. */
  readonly text: string;
  /** Why the read-only gate rejects the query; null when it accepts it. */
  readonly refusal: Refusal | null;
  /** Empty when the text cannot be split into tokens. */
  readonly tokens: readonly PlacedToken[];
  /** Index of the first token after EXPLAIN, EXPLAIN LOGICAL or PROFILE. */
  readonly start: number;
  /** Names of the parameters it uses, each once. */
  readonly parameters: readonly string[];
  /** Its clauses; none when it is rejected. */
  readonly query: ReadingQuery;
  /** The clauses where the result may show how often a row comes. */
  readonly counting: ReadonlySet<Clause>;
  /** The columns of its result; none when it is explained. */
  readonly result: ResultShape;
}

const NO_QUERY: ReadingQuery = { parts: [], unionIsDistinct: false };
const NO_RESULT: ResultShape = { projections: [], limited: true };
const NOTHING = {
  tokens: [],
  start: 0,
  parameters: [],
  query: NO_QUERY,
  counting: new Set<Clause>(),
  result: NO_RESULT,
};

/** Reads a query with the vocabulary of an engine. */
export const analyseQuery = (text: string, vocabulary: QueryVocabulary): AnalysedQuery => {
  const refusal = (message: string, offset: number): Refusal => ({ message, position: positionAt(text, offset) });
  const lexed = cypherTokens(text, vocabulary.comment);
  if (isLeft(lexed)) {
    const { message, offset } = lexed.left;
    return { text, refusal: refusal(message, offset), ...NOTHING };
  }
  const statement = lexed.right.at(-1)?.text === ';' ? lexed.right.slice(0, -1) : lexed.right;
  const start = statementStart(statement);
  const placed = placeTokens(statement, start);
  const offence = findOffence(placed, start, vocabulary);
  const parameters = statement.filter(({ kind }) => kind === 'parameter').map((token) => token.text.slice(1));
  const query = offence === null ? readingQuery(placed.tokens.slice(start)) : NO_QUERY;
  return {
    text: text.slice(0, statement.at(-1)?.end ?? 0),
    refusal: offence === null ? null : refusal(offence.message, offence.token?.start ?? 0),
    tokens: placed.tokens,
    start,
    parameters: [...new Set(parameters)],
    query,
    counting: countingClauses(query),
    result: start > 0 ? NO_RESULT : resultShape(query),
  };
};

const statementStart = (tokens: readonly CypherToken[]): number => {
  if (tokens[0]?.upper === 'PROFILE') return 1;
  if (tokens[0]?.upper !== 'EXPLAIN') return 0;
  return tokens[1]?.upper === 'LOGICAL' ? 2 : 1;
};

/** Aggregates that are the same however often a row comes; of the others that is true with DISTINCT. */
const EXTREMES = words('MIN MAX');
const AGGREGATES = words('COUNT COUNT_IF SUM AVG COLLECT STDEV STDEVP PERCENTILECONT PERCENTILEDISC MIN MAX');
/** They make equal rows differ. */
const RANDOM = words('RAND RANDOMUUID GEN_RANDOM_UUID');

/**
 * The clauses where the result may show how often each row comes. It cannot before DISTINCT, UNION, `min(x)`,
 * `count(DISTINCT x)` and their like, unless rows are counted or cut in between.
 */
const countingClauses = (query: ReadingQuery): ReadonlySet<Clause> => {
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

/** Whether a WITH or RETURN depends on how often the rows before it come; `after`: whether the clauses after it do. */
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

const MAX_TEXTS = 500;
/** Of all texts together; their tokens take some 40 bytes per character. */
const MAX_CHARACTERS = 250_000;

/** Calls `make` once for each text, and keeps the results for the texts used last. */
export const createQueryCache = <Q extends object>(make: (text: string) => Q): ((text: string) => Q) => {
  const cache = new LRUCache<string, Q>({
    max: MAX_TEXTS,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (_, text) => text.length + 1,
    memoMethod: make,
  });
  return (text) => cache.memo(text);
};
