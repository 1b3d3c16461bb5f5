import { type Either, isLeft, left } from 'fp-ts/Either';
import { type ErrorLine, explainError } from '../../cypher/explain-error';
import { type GraphQuery, type QueryFailure } from '../../graph-engine';
import { type StatementFailure } from '../binding/binding';
import { mergePlans, type ExactColumns } from '../binding/exact-plan';
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
  request: GraphQuery,
  rows: WantedRows,
  ask: Ask<A>,
): Promise<Either<QueryFailure, A>> => {
  let offsetOf: Sending['offsetOf'] = () => 0;
  const attempt = async (exact: ExactColumns, writeAll: boolean): Promise<Answer<A>> => {
    const sending = query.sending(request, rows, exact, writeAll);
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
  return isLeft(answer) ? left(queryFailure(answer.left, query, offsetOf, request.timeoutMs)) : answer;
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
  { analysed }: KuzuQuery,
  offsetOf: Sending['offsetOf'],
  timeoutMs: number,
): QueryFailure => {
  if (failure.kind !== 'not_compiled' && failure.kind !== 'failed') return failure;
  const { message: text } = failure;
  if (/^Interrupted\.?$/.test(text.trim())) return { kind: 'timeout', timeoutMs };
  if (text.startsWith('Buffer manager exception: Unable to allocate memory')) return { kind: 'memory' };
  const [, message = text, line, column] = /^(.*?) ?\(line: (\d+), offset: (\d+)\)/s.exec(text) ?? [];
  const offset = line === undefined ? null : offsetOf(Number(line), Number(column));
  return explainError(message.replace(/^[\w ]+ exception: /, ''), KUZU_ERRORS, analysed, offset);
};

const CONVERT = 'convert it by CAST(x AS STRING), CAST(x AS INT64) or CAST(x AS DOUBLE)';

/** Kuzu's errors for wrong queries, without `Binder exception:` and similar prefixes, and the messages for users. */
export const KUZU_ERRORS: readonly ErrorLine[] = [
  // Names
  [/^function (.+) does not exist/i, 'Unknown function $1; docs/guides/kinds.md lists the functions of each kind.'],
  [/^Variable (.+) is not in scope/, 'Unknown name $1; bind it by MATCH, UNWIND or WITH before.'],
  [/^Variable (.+) already exists/, 'The name $1 is in use; choose another one.'],
  [/^Cannot find property (.+) for (.+)\./, '$2 has no property $1; GET /schema lists the properties.'],
  [/^Cannot bind property for expression (.+) with type (.+)\./, '$1 has the type $2, which has no properties; write a node, a relationship or a map.'],
  [/^(?:Invalid struct field name: |Cannot find field )(.+?)(?: in STRUCT)?\.$/, 'The map has no field $1; write a field that it has.'],
  [/^(?:Table )?(.+) does not exist(?: in catalog)?\.?!?$/, 'The graph has no label or edge type $1; GET /schema lists them.'],
  [/^Cannot bind (.+) as a (node|relationship) pattern label/, '$1 is not the name of a $2; labels belong into ( ), edge types into [ ]. GET /schema lists both.'],
  [/^Cannot bind (.+) (?:as|to) a? ?node/, '$1 is not a node; write another name in the pattern.'],
  [/^Query node (.+) violates schema\. Expected labels are (.+)\./, 'The edge types beside $1 only join nodes of other labels: $2.'],
  [/^Cannot find a label for relationship (.+) that connects/, 'No edge type joins the nodes on both sides of $1; GET /schema shows which labels each type joins.'],
  [/^Bind relationship (.+) to relationship with same name/, 'The relationship $1 is in two patterns; name the second one other and write WHERE id(other) = id($1).'],
  [/^Lambda paramName (.+) cannot found/, 'A condition on the items of a list cannot use $1 here; unwind the list and write the condition in WHERE.'],
  [/^(.+) is a .+\. Scalar function, aggregate function or macro was expected/, '$1 is a procedure; write CALL $1(…) RETURN *.'],
  [/^(.+) does not support lambda input/, '$1 has no place for x -> …; write list_transform or list_filter.'],
  // Types
  [/^Function (.+) did not receive correct arguments:\s*Actual:\s*\((.*?)\)\s*Expected:\s*(.*?)\s*$/s, '$1 does not accept ($2) but $3; convert the values by CAST(x AS TYPE).'],
  [/^(.+) has data type (.+) but \(NODE,REL,STRUCT,ANY\) was/, '$1 has the type $2, which has no properties; write a node, a relationship or a map.'],
  [/^Cannot match a built-in function for given function (.+?)\((.*?)\)\. Supported inputs are/s, `$1 cannot be computed of $2; ${CONVERT}.`],
  [/^Cannot bind (.+) with parameter type (.+) and (.+)\./, `$1 cannot be computed of $2 and $3; ${CONVERT}.`],
  [/^Type Mismatch: Cannot compare types (.+) and (.+)/i, `Values of $1 and $2 cannot be compared; ${CONVERT}.`],
  [/^Expression (.+) has data type (.+) but expected (.+)\. Implicit cast/, '$1 has the type $2 where $3 is needed; write CAST(x AS $3).'],
  [/^(.+) has (?:data )?type (.+) but (.+) was expected/, '$1 has the type $2 where $3 is needed; write CAST(x AS $3).'],
  [/^Unsupported casting function from (.+) to (.+)\./, 'Values of $1 cannot be converted to $2; return them as they are, or their parts.'],
  [/^(.+) is neither an internal type nor/, 'Unknown type $1; write INT64, DOUBLE, BOOL, STRING, DATE or TIMESTAMP.'],
  [/^Non-binary comparison/, 'A comparison of three values needs AND: write a < b AND b < c.'],
  // Clauses
  [/^In WITH clause, ORDER BY must be followed by/, 'ORDER BY after WITH needs LIMIT here; add LIMIT, or order after RETURN.', 'ORDER'],
  [/^Expression in WITH must be aliased/, 'Each value after WITH needs a name: WITH count(*) AS total.'],
  [/^Expression (.+) contains nested aggregation/, 'An aggregate is inside of another one; compute the inner one by WITH before.'],
  [/^Multiple result column with the same name (.+) are/, 'Two columns have the name $1; rename one by AS.'],
  [/^RETURN or WITH \* is not allowed/, 'RETURN * needs names; bind some before, or write the values.'],
  [/^Cannot order by (.+)\. Order by (.+) is not/, 'Rows cannot be ordered by values of $2; order by a property, a number, a text or a time.'],
  [/^The number of rows to skip\/limit/, 'SKIP and LIMIT need an integer of at least 0, or such a parameter.', 'SKIP', 'LIMIT'],
  [/^Cannot evaluate (.+) as a valid (.+) number/, '$2 needs an integer of at least 0, not $1.'],
  [/^Upper bound of rel .*exceeds maximum: (\d+)/, 'A path can have $1 steps at most; write a smaller upper bound.', '*'],
  [/^Lower bound of rel/, 'The lower bound of a length is above the upper one; write *1..3.', '*'],
  [/^Lower bound of shortest/, 'The length of a shortest path begins at 1; write * SHORTEST 1..5.', '*', 'SHORTEST'],
  [/^The number of columns to union/, 'The parts of a UNION have different numbers of columns; return the same ones from each.'],
  [/^Union and union all/, 'UNION and UNION ALL are in one query; write one of them throughout.', 'ALL'],
  [/(?:Cannot find .+ in|hint join|Join) (?:join )?hint|Cannot resolve join condition/i, 'The HINT does not fit the pattern; name each node and relationship of it once, or leave it out.'],
  // Values
  [/^(?:Divide|Modulo) by zero/, 'A division by zero; exclude such rows, for example by WHERE x <> 0.', '/', '%'],
  [/^(?:Value|Cannot take the absolute value of) (.+?) (?:is not )?within (\w+) range/, 'Overflow: $1 is beyond the range of $2; compute with CAST(x AS DOUBLE).'],
  [/out of range[^:]*$|Overflow encountered|precision of decimal/i, 'A value is out of range; check it before, for example by WHERE or by size(…) of a list.'],
  [/^(?:Date|Time field value) out of range: (.+)\.$/, '$1 is not a day or time there is.'],
  [/^Cast failed\. Could not convert "(.*)" to (.+)\.$/is, 'The text "$1" is not a value of $2; exclude such rows, or convert another property.'],
  [/^(?:To |Decimal )*Cast failed[.:] (?:input )?(.+) is not (?:in|within)(?: range of)? (\w+)/i, '$1 is beyond the range of $2; write CAST(x AS DOUBLE) or CAST(x AS STRING).'],
  [/^Value (.+) is not a valid boolean/, 'The text $1 is not a boolean; it must be true or false.'],
  [/^Error occurred during parsing (\w+)\. Given: "(.*)"\. Expected format: \((.+)\)$/s, '"$2" is not a $1; write it as $3.'],
  [/interval/i, 'This is not an interval; write interval("3 days 2 hours").', 'interval', 'duration'],
  [/^Step of range/, 'The step of range must not be 0.', 'range'],
  [/^Invalid UUID: (.+)/, '$1 is not a UUID; write 32 hexadecimal digits in groups of 8-4-4-4-12.'],
  [/^The maximum length of strings is (\d+)/, 'A text is longer than $1 bytes; return a part of it by substring.'],
  [/^Cannot change parameter expression data type from (.+) to (.+)\./, 'A parameter has the type $1 where $2 is needed; send another value, or write CAST($name AS $2).'],
  [/expected rule|mismatched input|extraneous input|no viable alternative/, 'This kind of instance cannot read $0; docs/guides/kinds.md lists what it reads.'],
]; // prettier-ignore
