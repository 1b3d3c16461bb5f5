import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type GraphSchema } from '../graph-schema';
import { closing } from '../query/clauses';
import { type TextEdit } from '../query/text-edits';
import { type PlacedToken } from '../query/cypher-tokens';
import { readMoment, storedForm, storedText, type StoredForm } from './stored-moment';

/** Why a comparison is rejected, with its place. */
export interface TimeRefusal {
  readonly message: string;
  readonly token: PlacedToken | undefined;
}

type Tokens = readonly PlacedToken[];

/** A call of a function that makes a time or a duration: the tokens `from` to before `to`. */
interface TimeCall {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** What it makes in every row; undefined when that depends on the row, null when it is not a date or time. */
  readonly moment: ReturnType<typeof readMoment> | undefined;
}

const TIME_FUNCTIONS = new Set(['DATE', 'LOCALDATETIME', 'LOCALTIME', 'DURATION']);
const COMPONENT = /^(year|quarter|month|week|dayOfWeek|dayOfQuarter|ordinalDay|day|hour|minute|second|millisecond)s?$/i;
const COMPARING = new Set(['=', '<>', '!=', '<', '<=', '>', '>=']);
const CLAUSES = new Set(['MATCH', 'WHERE', 'WITH', 'RETURN', 'UNWIND', 'CALL', 'YIELD']);

/**
 * The graph stores dates and times as text, and the server finds nothing when it compares text with its own times. So
 * `date('…')` and `localdatetime('…')` with a constant, directly next to a comparison, become text in the form of the
 * property on the other side. Other calls that may meet a comparison are rejected.
 */
export const storedTimes = (
  tokens: Tokens,
  schema: GraphSchema,
  parameters: Readonly<Record<string, unknown>>,
  now: Date,
): Either<TimeRefusal, readonly TextEdit[]> => {
  const calls = timeCallsIn(tokens, parameters, now);
  if (calls.length === 0) return right([]);
  const edits: TextEdit[] = [];
  const callAt = new Map(calls.flatMap((call) => [[call.from, call] as const, [call.to - 1, call] as const]));
  const items = itemsOf(tokens);
  const compares = items.some((item) => item.compares);
  let at = 0;
  for (const call of calls) {
    const operator = [call.from - 1, call.to].find((index) => isOperator(tokens, index));
    if (operator !== undefined) {
      const edit = textEdit(tokens, call, operator, callAt, schema);
      if (isLeft(edit)) return edit;
      edits.push(edit.right);
      continue;
    }
    while ((items[at]?.to ?? Infinity) <= call.from) at++;
    const item = items[at];
    // A value of RETURN meets no comparison but those of its own item; any other may meet all.
    if (item?.clause === 'RETURN' ? item.compares : compares) return refused(tokens[call.from], NOT_CONSTANT);
    if (isAddedToText(tokens, call, schema)) {
      return refused(tokens[call.from], 'A duration added to text is text: write date(…) + duration(…).');
    }
  }
  return right(edits);
};

const timeCallsIn = (tokens: Tokens, parameters: Readonly<Record<string, unknown>>, now: Date): readonly TimeCall[] =>
  tokens.flatMap((token, from): readonly TimeCall[] => {
    const name = token.kind === 'quoted_name' ? token.upper.slice(1, -1) : token.role === 'name' ? token.upper : '';
    if (!TIME_FUNCTIONS.has(name) || tokens[from + 1]?.text !== '(' || tokens[from - 1]?.text === '.') return [];
    const to = closing(tokens, from + 1) + 1;
    // A component is a number, and a call of null is null, as every comparison with it.
    if (tokens[to]?.text === '.' && COMPONENT.test(tokens[to + 1]?.text ?? '')) return [];
    const argument = tokens.slice(from + 2, to - 1);
    const value = constantOf(name, argument, parameters, now);
    return value === null ? [] : [{ name, from, to, moment: momentOf(name, value) }];
  });

/** The value of a literal or a parameter, the time of the query where there is none; undefined for anything else. */
const constantOf = (
  name: string,
  [only, ...more]: Tokens,
  parameters: Readonly<Record<string, unknown>>,
  now: Date,
): unknown => {
  if (only === undefined) return now.toISOString().slice(0, name === 'DATE' ? 10 : 19);
  if (more.length > 0) return undefined;
  if (only.kind === 'parameter') return parameters[only.text.slice(1)];
  if (only.upper === 'NULL') return null;
  if (only.kind === 'number') return Number(only.text);
  // Times have no escapes.
  return only.kind === 'string' ? only.text.slice(1, -1) : undefined;
};

const momentOf = (name: string, value: unknown): TimeCall['moment'] => {
  if (value === undefined || (name !== 'DATE' && name !== 'LOCALDATETIME')) return undefined;
  return typeof value === 'string' ? readMoment(value, name === 'LOCALDATETIME') : null;
};

const textEdit = (
  tokens: Tokens,
  call: TimeCall,
  operator: number,
  callAt: ReadonlyMap<number, TimeCall>,
  schema: GraphSchema,
): Either<TimeRefusal, TextEdit> => {
  const isAfter = operator < call.from;
  const operand = operandAt(tokens, operator + (isAfter ? -1 : 1), isAfter ? -1 : 1, callAt);
  const isWhole = isAfter ? endsAt(tokens[call.to]) : beginsAfter(tokens[call.from - 1]);
  if (call.moment === undefined || operand === null || !isWhole) return refused(tokens[call.from], NOT_CONSTANT);
  if (call.moment === null) return refused(tokens[call.from], 'Not a valid date or time.');
  const forms = formsOf(operand, schema);
  const [form = call.name === 'DATE' ? 'DATE' : null, ...others] = [...forms];
  if (form === null || others.length > 0) {
    return refused(tokens[call.from], 'What this is compared with may be a DATE or a TIMESTAMP.');
  }
  const [start, end] = [tokens[call.from]?.start ?? 0, tokens[call.to - 1]?.end ?? 0];
  return right({ start, end, words: `'${storedText(call.moment, form)}'` });
};

type Operand = { readonly kind: 'property'; readonly name: string } | { readonly kind: 'name' | 'constant' };

/** The operand that ends (`step` -1) or begins (1) at a token: `n.name`, a name or another constant time. */
const operandAt = (tokens: Tokens, at: number, step: -1 | 1, callAt: ReadonlyMap<number, TimeCall>): Operand | null => {
  const isWhole = (next: number): boolean => (step < 0 ? beginsAfter(tokens[next]) : endsAt(tokens[next]));
  const call = callAt.get(at);
  if (call !== undefined) {
    const constant = call.moment !== undefined && isWhole(step < 0 ? call.from - 1 : call.to);
    return constant ? { kind: 'constant' } : null;
  }
  if (tokens[at + step]?.text === '.') {
    const property = tokens[step < 0 ? at : at + 2];
    return property !== undefined && isWhole(at + 3 * step) ? { kind: 'property', name: nameOf(property) } : null;
  }
  const token = tokens[at];
  const isName = token?.role === 'name' || token?.kind === 'quoted_name' || token?.kind === 'parameter';
  return isName && isWhole(at + step) ? { kind: 'name' } : null;
};

/** Where an expression begins after a token, and where one ends before it. */
const beginsAfter = (token: PlacedToken | undefined): boolean =>
  token === undefined || token.role === 'keyword' || (token.kind === 'symbol' && '([{,|:'.includes(token.text));
const endsAt = (token: PlacedToken | undefined): boolean =>
  token === undefined || token.role === 'keyword' || (token.kind === 'symbol' && ')]},|;'.includes(token.text));

/** The forms of a property, or of all properties for a name that may stand for any. */
const formsOf = (operand: Operand, { nodeTables, edgeTables }: GraphSchema): ReadonlySet<StoredForm> => {
  if (operand.kind === 'constant') return new Set(['MICROSECONDS']);
  const properties = [
    ...nodeTables.flatMap((table) => [table.primaryKey, ...table.properties]),
    ...edgeTables.flatMap((table) => table.properties),
  ].filter(({ name }) => operand.kind !== 'property' || operand.name === name);
  return new Set(properties.map(storedForm).filter((form) => form !== null));
};

/** What stands between commas and keywords outside of brackets. */
interface Item {
  readonly from: number;
  readonly to: number;
  readonly clause: string;
  readonly compares: boolean;
}

const itemsOf = (tokens: Tokens): readonly Item[] => {
  const items: Item[] = [];
  let clause = '';
  let from = 0;
  let compares = false;
  for (const [index, { depth, role, text, upper }] of tokens.entries()) {
    const isClause = depth === 0 && role === 'keyword' && (CLAUSES.has(upper) || upper === 'BY');
    if (isClause || (depth === 0 && text === ',')) {
      items.push({ from, to: index, clause, compares });
      [from, compares] = [index, false];
    }
    if (isClause && upper !== 'BY') clause = upper;
    compares ||= isComparison(tokens, index);
  }
  return [...items, { from, to: tokens.length, clause, compares }];
};

/** An operator, IN, CASE … WHEN, or the properties of a pattern. */
const isComparison = (tokens: Tokens, index: number): boolean => {
  const [token, before, first] = [tokens[index], tokens[index - 1], tokens[index - 2]];
  if (token?.kind === 'symbol') return token.text === '{' ? isPattern(before, first) : isOperator(tokens, index);
  // `[x IN list | …]` compares nothing.
  return token?.role === 'keyword' && (token.upper === 'WHEN' || (token.upper === 'IN' && first?.text !== '['));
};

/** Whether braces after these tokens are in a pattern, as in `(n {…}`, `(n:A {…}` and `({…}`. */
const isPattern = (before: PlacedToken | undefined, first: PlacedToken | undefined): boolean =>
  before?.text === '(' ? first?.role !== 'name' : before?.role === 'name' || before?.kind === 'quoted_name';

const isOperator = (tokens: Tokens, index: number): boolean => {
  const [before, token, after] = [tokens[index - 1], tokens[index], tokens[index + 1]];
  if (token?.kind !== 'symbol' || !COMPARING.has(token.text)) return false;
  const isArrow =
    token.text === '>'
      ? before?.text === '-' && before.end === token.start
      : token.text === '<' && after?.text === '-' && after.start === token.end;
  return !isArrow && tokens[index - 3]?.upper !== 'REDUCE';
};

/** `n.born + duration('P1D')`, which would be the one text after the other. */
const isAddedToText = (tokens: Tokens, { name, from, to }: TimeCall, schema: GraphSchema): boolean => {
  const isStored = (property: PlacedToken | undefined, dot: PlacedToken | undefined): boolean =>
    property !== undefined &&
    dot?.text === '.' &&
    formsOf({ kind: 'property', name: nameOf(property) }, schema).size > 0;
  if (name !== 'DURATION') return false;
  const before = ['+', '-'].includes(tokens[from - 1]?.text ?? '') && isStored(tokens[from - 2], tokens[from - 3]);
  return before || (tokens[to]?.text === '+' && isStored(tokens[to + 3], tokens[to + 2]));
};

const nameOf = ({ kind, text }: PlacedToken): string => (kind === 'quoted_name' ? text.slice(1, -1) : text);

const refused = (token: PlacedToken | undefined, reason: string): Either<TimeRefusal, never> =>
  left({ message: `${reason} ${FORMS}`, token });

const NOT_CONSTANT =
  "Only date('…') and localdatetime('…') with a constant, directly next to a comparison, can be compared with text.";

const FORMS =
  "FalkorDB instances keep dates and times as text: compare with '1998-01-31' for a DATE, and with " +
  "'1998-01-31T10:00:00.000Z' for a TIMESTAMP, or six digits where the column has them.";
