import { isLeft } from 'fp-ts/Either';
import { readingQuery, type Clause, type ReadingQuery } from './clauses';
import { countingClauses } from './multiplicity';
import { findOffence, type QueryVocabulary } from './read-only-gate';
import { cypherTokens, positionAt, type CypherToken, type TextPosition } from './cypher-tokens';
import { findExcess } from './text-limits';
import { resultShape, type ResultShape } from './result-shape';
import { placeTokens, type PlacedToken } from './word-roles';

/** Why a query is not let through. */
export interface Refusal {
  readonly message: string;
  readonly position: TextPosition;
}

/** What the words of a query tell before any engine has seen it. */
export interface AnalysedQuery {
  /** Without the semicolon at its end and what follows it. */
  readonly text: string;
  /** What the read-only gate says; null when it lets the query through. */
  readonly refusal: Refusal | null;
  /** Empty when the text cannot be split into tokens. */
  readonly tokens: readonly PlacedToken[];
  /** Index of the first token after EXPLAIN, EXPLAIN LOGICAL or PROFILE. */
  readonly start: number;
  /** Names of the parameters it uses, each once. */
  readonly parameters: readonly string[];
  /** Its clauses; none when it is not let through. */
  readonly query: ReadingQuery;
  /** The clauses where the result may show how often a row comes. */
  readonly counting: ReadonlySet<Clause>;
  /** The columns it answers; none when it is explained. */
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

/** Reads a query with the words an engine knows. */
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
  const offence = findExcess(placed.tokens, vocabulary.nesting) ?? findOffence(placed, start, vocabulary);
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
