import { type Either } from 'fp-ts/Either';
import { type Refusal, refusing } from '../../../../pod/graph/engine/cypher/analyse-query';
import { checkCalls, type QueryVocabulary } from '../../../../pod/graph/engine/cypher/gate';
import { parseStatement } from '../../../../pod/graph/engine/cypher/parse-statement';
import { type Statement } from '../../../../pod/graph/engine/cypher/tree';

/** The statement that the gate passes on, or the reason of its rejection. */
export const admitQuery = (text: string, vocabulary: QueryVocabulary): Either<Refusal, Statement> =>
  refusing(text, () => {
    const statement = parseStatement(text);
    checkCalls(statement.query, vocabulary);
    return statement;
  });
