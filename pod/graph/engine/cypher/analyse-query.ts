import { type Either, left, right } from 'fp-ts/Either';
import { positionAt, type TextPosition } from './cypher-tokens';
import { checkCalls, type QueryVocabulary } from './gate';
import { withListedStars } from './listed-stars';
import { parseStatement } from './parse-statement';
import { QueryFault } from './query-fault';
import { type Statement } from './tree';
import { expressionsIn } from './walk';

/** Why a query is rejected. */
export interface Refusal {
  readonly message: string;
  readonly position: TextPosition;
}

/** The analysis of a query's text, without the schema; each `*` is replaced by names. */
export interface AnalysedQuery extends Statement {
  readonly text: string;
  /** Names of its parameters, without duplicates. */
  readonly parameters: readonly string[];
}

/** Analyses a query with the vocabulary of an engine. */
export const analyseQuery = (text: string, vocabulary: QueryVocabulary): Either<Refusal, AnalysedQuery> =>
  refusing(text, () => {
    const { explain, query } = parseStatement(text);
    checkCalls(query, vocabulary);
    const names = [...expressionsIn(query)].flatMap((value) => (value.kind === 'parameter' ? [value.name] : []));
    return { explain, query: withListedStars(query), text, parameters: [...new Set(names)] };
  });

/** Calls a function and returns the `QueryFault` it throws as a refusal. */
export const refusing = <A>(text: string, make: () => A): Either<Refusal, A> => {
  try {
    return right(make());
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
    return left({ message: error.message, position: positionAt(text, error.offset) });
  }
};
