import { type Connection } from 'kuzu';
import { type Either, isLeft, left } from 'fp-ts/Either';
import { type GraphAnswer, type GraphQuery, type QueryFailure } from '../graph-engine';
import { createRecent } from '../recent';
import { withRowToFilter } from './constant-filter';
import { withParameters } from './cypher-literal';
import { engineParameters, parameterNames } from './engine-parameters';
import { isParserError, queryFailure, thrownFailure, type StatementFailure } from './kuzu-error';
import { createPlanMemory } from './plan-memory';
import { type ReadSession } from './read-session';
import { NO_PLAN, runQuery, type QueryGraph, type QueryText } from './run-query';

/** Answers queries and keeps what it learned about their texts. `graphOf`: what is needed to encode answers. */
export const createQueryAnswers = (graphOf: (connection: Connection) => Promise<QueryGraph>) => {
  const plans = createPlanMemory();
  /** Texts whose parameters the engine takes only as literals. */
  const literalTexts = createRecent<true>();

  const answer = async (session: ReadSession, query: QueryText): Promise<Either<StatementFailure, GraphAnswer>> => {
    const graph = await graphOf(session.connection);
    const known = plans.get(query.original);
    let result = await session.readOnly(() => runQuery(session, query, graph, known));
    // Other parameters may give the columns other types than the remembered ones.
    if (isLeft(result) && known.plan.size > 0) {
      result = await session.readOnly(() => runQuery(session, query, graph, NO_PLAN));
    }
    if (isLeft(result)) return result;
    plans.set(query.original, result.right.plan);
    return { ...result, right: result.right.answer };
  };

  /** With the parameters beside the text where the binding can carry them: then the engine parses a text once. */
  const answerWithParameters = async (
    session: ReadSession,
    { text: original, parameters }: GraphQuery,
  ): Promise<Either<StatementFailure, GraphAnswer>> => {
    const text = withRowToFilter(original);
    const names = parameterNames(text);
    const carried = literalTexts.get(text) === undefined ? engineParameters(names, parameters) : null;
    if (carried !== null) {
      const answered = await answer(session, { original, text, parameters: carried });
      if (names.length === 0 || !isLeft(answered) || answered.left.kind !== 'not_compiled') return answered;
    }
    const written = withParameters(text, parameters);
    if (isLeft(written)) return left({ kind: 'refused', message: written.left });
    const answered = await answer(session, { original, text: written.right, parameters: {} });
    if (carried !== null && !isLeft(answered)) literalTexts.set(text, true);
    return answered;
  };

  return async (session: ReadSession, query: GraphQuery): Promise<Either<QueryFailure, GraphAnswer>> => {
    session.connection.setQueryTimeout(query.timeoutMs);
    const answered = await answerWithParameters(session, query).catch((error: unknown) => left(thrownFailure(error)));
    if (!isLeft(answered)) return answered;
    return left(queryFailure(await asWritten(session.connection, query.text, answered.left), query.timeoutMs));
  };
};

/** The failure of the text as the user wrote it, whose positions fit. */
const asWritten = async (
  connection: Connection,
  text: string,
  failure: StatementFailure,
): Promise<StatementFailure> => {
  if (!isParserError(failure)) return failure;
  const statement = await connection.prepare(text);
  return statement.isSuccess() ? failure : { ...failure, message: statement.getErrorMessage() };
};
