import { type Either, left, right } from 'fp-ts/Either';
import { withChosenFields } from './chosen-fields';
import { itemTitles } from './column-titles';
import { positionAt, type TextPosition } from './cypher-tokens';
import { checkCalls, type QueryVocabulary } from './gate';
import { withKeptNames } from './kept-names';
import { withListedStars } from './listed-stars';
import { withoutOtherFunctions } from './other-functions';
import { withOwnLocalNames } from './own-local-names';
import { parseStatement } from './parse-statement';
import { QueryFault } from './query-fault';
import { type Expression, type Query, type Statement } from './tree';
import { expressionsIn } from './walk';

/** Why a query is rejected. */
export interface Refusal {
  readonly message: string;
  readonly position: TextPosition;
}

/** The analysis of a query's text, without the schema; each `*` is replaced by names, and names of list items
 * differ from all others; maps have only the fields that are read, if that is known. */
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
    checkNumbers(query);
    checkTitles(query, text);
    const names = expressionsIn(query).flatMap((value) => (value.kind === 'parameter' ? [value.name] : []));
    return {
      explain,
      query: withChosenFields(withOwnLocalNames(withListedStars(withKeptNames(withoutOtherFunctions(query))), text)),
      text,
      parameters: [...new Set(names)],
    };
  });

/** Names of columns are those of keys and fields in answers and exports. */
const checkTitles = (query: Query, text: string): void => {
  const titles = itemTitles(text, query);
  const repeated = titles.findIndex((title, at) => title !== null && titles.indexOf(title) < at);
  const last = query.parts[0]?.at(-1);
  if (repeated >= 0 && last?.kind === 'return')
    throw new QueryFault(
      `Two columns are named ${titles[repeated] ?? ''}; change one by AS.`,
      last.items[repeated]?.start ?? last.start,
    );
};

/** Integers have 64 bits, and the smallest one is written with a minus. */
const checkNumbers = (query: Query): void => {
  const negated = new Set<Expression>();
  for (const value of expressionsIn(query)) {
    if (value.kind === 'unary' && value.operator === '-') negated.add(value.of);
    if (value.kind !== 'number') continue;
    const isInteger = /^(\d+|0x.*|0o.*)$/i.test(value.text);
    const isTooLarge = isInteger
      ? BigInt(value.text) > MAX_INTEGER + (negated.has(value) ? 1n : 0n)
      : Number(value.text) === Infinity;
    if (isTooLarge)
      throw new QueryFault(`The number ${value.text} is too large; integers have at most 64 bits.`, value.start);
  }
};

const MAX_INTEGER = 2n ** 63n - 1n;

/** Calls a function and returns the `QueryFault` it throws as a refusal. */
export const refusing = <A>(text: string, make: () => A): Either<Refusal, A> => {
  try {
    return right(make());
  } catch (error) {
    if (!(error instanceof QueryFault)) throw error;
    return left({ message: error.message, position: positionAt(text, error.offset) });
  }
};
