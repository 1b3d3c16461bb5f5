import { type Either, left, right } from 'fp-ts/Either';
import { analyseQuery, type Refusal } from '../../../../pod/graph/engine/query/analyse-query';
import { type QueryVocabulary } from '../../../../pod/graph/engine/query/read-only-gate';

/** The statement the gate lets through, or why it does not. */
export const admitQuery = (text: string, vocabulary: QueryVocabulary): Either<Refusal, string> => {
  const analysed = analyseQuery(text, vocabulary);
  return analysed.refusal === null ? right(analysed.text) : left(analysed.refusal);
};
