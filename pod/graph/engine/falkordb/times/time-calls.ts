import { closing } from '../../query/clauses';
import { type PlacedToken } from '../../query/word-roles';
import { type Span } from './comparisons';
import { momentOf, readMoment, type Moment } from './moment';

/** A call of a function that makes a date, a time or a duration. */
export interface TimeCall {
  readonly name: string;
  /** From the name to the closing parenthesis. */
  readonly span: Span;
  /** What it makes, when that is the same for every row; `unreadable` when that is no date or time. */
  readonly moment: Moment | 'unreadable' | null;
}

const TIME_FUNCTIONS = new Set(['DATE', 'LOCALDATETIME', 'LOCALTIME', 'DURATION']);

type Tokens = readonly PlacedToken[];

export const timeCallsIn = (
  tokens: Tokens,
  parameters: Readonly<Record<string, unknown>>,
  now: Date,
): readonly TimeCall[] =>
  tokens.flatMap((token, index): readonly TimeCall[] => {
    const open = tokens[index + 1];
    const name = token.kind === 'quoted_name' ? token.upper.slice(1, -1) : token.role === 'name' ? token.upper : '';
    const isCall = TIME_FUNCTIONS.has(name) && open?.text === '(';
    if (!isCall || tokens[index - 1]?.text === '.') return [];
    const close = closing(tokens, index + 1);
    const argument = tokens.slice(index + 2, close);
    if (isNull(argument, parameters)) return [];
    const moment = momentOfCall(name, argument, parameters, now);
    return [{ name, span: { from: index, to: close + 1 }, moment }];
  });

/** Then the call is null, as every comparison with it. */
const isNull = ([only, ...more]: Tokens, parameters: Readonly<Record<string, unknown>>): boolean =>
  more.length === 0 &&
  (only?.upper === 'NULL' || (only?.kind === 'parameter' && parameters[only.text.slice(1)] === null));

const momentOfCall = (
  name: string,
  argument: Tokens,
  parameters: Readonly<Record<string, unknown>>,
  now: Date,
): TimeCall['moment'] => {
  if (name !== 'DATE' && name !== 'LOCALDATETIME') return null;
  const [only, ...more] = argument;
  if (only === undefined)
    return readMoment(now.toISOString().slice(0, name === 'DATE' ? 10 : 19), true) ?? 'unreadable';
  const value = more.length === 0 ? constantOf(only, parameters) : mapOf(argument, parameters);
  if (value === undefined) return null;
  if (typeof value === 'string') return readMoment(value, name === 'LOCALDATETIME') ?? 'unreadable';
  return typeof value === 'object' && value !== null ? (momentOf({ ...value }) ?? 'unreadable') : 'unreadable';
};

/** The value of a literal or a parameter; undefined for anything else. */
const constantOf = ({ kind, text }: PlacedToken, parameters: Readonly<Record<string, unknown>>): unknown => {
  if (kind === 'parameter') return parameters[text.slice(1)];
  if (kind === 'number') return Number(text);
  // Times have no escapes.
  return kind === 'string' ? text.slice(1, -1) : undefined;
};

/** `{year: 1998, month: $month}`. */
const mapOf = (
  argument: Tokens,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> | undefined => {
  const fields: Record<string, unknown> = {};
  if (argument[0]?.text !== '{' || argument.at(-1)?.text !== '}') return undefined;
  for (let at = 1; at < argument.length; at += 4) {
    const [key, colon, token, end] = argument.slice(at, at + 4);
    const value = token === undefined ? undefined : constantOf(token, parameters);
    if (key === undefined || colon?.text !== ':' || value === undefined || end === undefined) return undefined;
    if (end.text !== ',' && end.text !== '}') return undefined;
    fields[key.text] = value;
  }
  return fields;
};
