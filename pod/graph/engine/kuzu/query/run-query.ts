import { type Either, isLeft, left } from 'fp-ts/Either';
import { explainError } from '../../cypher/explain-error';
import { type GraphQuery, type QueryFailure } from '../../graph-engine';
import { type StatementFailure } from '../binding/binding';
import { mergePlans, type ExactColumns } from '../binding/exact-plan';
import { KUZU_ERRORS } from './error-lines';
import {
  type KuzuQuery,
  NOTHING_EXACT,
  roundedMessage,
  type SentQuery,
  type Sending,
  type WantedRows,
} from './sent-query';

type Inexact = Extract<StatementFailure, { readonly kind: 'inexact' }>;
type Answer<A> = Either<StatementFailure | QueryFailure, A>;
type ExactAnswer<A> = Either<Exclude<StatementFailure, Inexact> | QueryFailure, A>;

/** Calls the engine's process. */
type Ask<A> = (sent: SentQuery) => Promise<Answer<A>>;

const MAX_ATTEMPTS = 4;

/**
 * Runs a query in the way that succeeded the last time. Parameters are bound if possible: then the engine parses a text
 * only once. Other parameters may change the types of the columns.
 */
export const runQuery = async <A>(
  query: KuzuQuery,
  asked: GraphQuery,
  rows: WantedRows,
  ask: Ask<A>,
): Promise<Either<QueryFailure, A>> => {
  let offsetOf: Sending['offsetOf'] = () => 0;
  const attempt = async (exact: ExactColumns, writeAll: boolean): Promise<Answer<A>> => {
    const sending = query.sending(asked, rows, exact, writeAll);
    if (isLeft(sending)) return sending;
    ({ offsetOf } = sending.right);
    return ask(sending.right.sent);
  };
  const { needsLiterals } = query;
  let answer = await exactAnswer(query, (exact) => attempt(exact, needsLiterals));
  if (isLeft(answer) && answer.left.kind === 'not_compiled' && query.hasParameters && !needsLiterals) {
    answer = await exactAnswer(query, (exact) => attempt(exact, true));
    if (!isLeft(answer)) query.needsLiterals = true;
  }
  return isLeft(answer) ? left(queryFailure(answer.left, query, offsetOf, asked.timeoutMs)) : answer;
};

type Attempt<A> = (exact: ExactColumns) => Promise<Answer<A>>;

const exactAnswer = async <A>(query: KuzuQuery, attempt: Attempt<A>): Promise<ExactAnswer<A>> => {
  const known = query.exact;
  const answer = await completed(query, known, attempt);
  const mayBeOutdated = isLeft(answer) && known !== NOTHING_EXACT && MAY_BE_OUTDATED.has(answer.left.kind);
  return mayBeOutdated ? completed(query, NOTHING_EXACT, attempt) : answer;
};

const MAY_BE_OUTDATED: ReadonlySet<string> = new Set(['not_compiled', 'failed', 'rejected']);

/**
 * If the binding may have rounded a value, the query runs again with additional columns that contain it exactly; this
 * is remembered, so the next time needs one run.
 */
const completed = async <A>(query: KuzuQuery, known: ExactColumns, attempt: Attempt<A>): Promise<ExactAnswer<A>> => {
  let exact = known;
  for (let count = 0; count < MAX_ATTEMPTS; count++) {
    const answer = await attempt(exact);
    if (!isLeft(answer)) {
      query.exact = exact;
      return answer;
    }
    if (answer.left.kind !== 'inexact') return left(answer.left);
    exact = { plan: mergePlans(exact.plan, answer.left.needs), columns: answer.left.columns };
  }
  return left({ kind: 'rejected', message: roundedMessage(exact), position: null });
};

/** Converts the engine's message: parser messages contain the position, a timeout is `Interrupted.` */
const queryFailure = (
  failure: Exclude<StatementFailure, Inexact> | QueryFailure,
  { asked }: KuzuQuery,
  offsetOf: Sending['offsetOf'],
  timeoutMs: number,
): QueryFailure => {
  if (failure.kind !== 'not_compiled' && failure.kind !== 'failed') return failure;
  const { message: text } = failure;
  if (/^Interrupted\.?$/.test(text.trim())) return { kind: 'timeout', timeoutMs };
  if (text.startsWith('Buffer manager exception: Unable to allocate memory')) return { kind: 'memory' };
  const [, message = text, line, column] = /^(.*?) ?\(line: (\d+), offset: (\d+)\)/s.exec(text) ?? [];
  const offset = line === undefined ? null : offsetOf(Number(line), Number(column));
  return explainError(message.replace(/^[\w ]+ exception: /, ''), KUZU_ERRORS, asked, offset);
};
