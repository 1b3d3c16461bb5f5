import { type Temporal } from 'temporal-polyfill';
import {
  type Expression,
  type MatchClause,
  type PatternComprehension,
  type PatternExpression,
  type Query,
} from '../cypher/tree';
import { EvaluationFault } from './evaluation-fault';
import { type Truth, type Value, type ValueMap } from './values';

/** The values of the names in scope. */
export type Row = ReadonlyMap<string, Value>;

/** The rows of a query, by the names of its columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** The state of an evaluation, and rules that are mutually recursive across files. */
export interface Context {
  readonly text: string;
  readonly parameters: ValueMap;
  /** The present moment, the same in the whole query. */
  readonly now: Temporal.Instant;
  /** Counts steps of work; throws a fault above the limit. */
  readonly step: (count?: number) => void;
  /** `group`: the rows of aggregates; null where aggregates are not allowed. */
  readonly evaluate: (expression: Expression, row: Row, context: Context, group: readonly Row[] | null) => Value;
  /** The rows of a MATCH, which the pod does not compute. */
  readonly match: (clause: MatchClause, row: Row, context: Context) => readonly Row[];
  /** The value of a pattern, which the pod does not compute. */
  readonly pattern: (value: PatternExpression | PatternComprehension, row: Row, context: Context) => Value;
  readonly query: (query: Query, row: Row, context: Context) => Table;
}

export const stepCounter = (most: number): Context['step'] => {
  let steps = 0;
  return (count = 1) => {
    steps += count;
    if (steps > most) throw new EvaluationFault('too much', `more than ${most} steps`);
  };
};

/** The value of an expression where aggregates are not allowed. */
export const valueOf = (expression: Expression, row: Row, context: Context): Value =>
  context.evaluate(expression, row, context, null);

/** The value of a condition; a fault if it is not a boolean. */
export const truthOf = (expression: Expression, row: Row, context: Context): Truth =>
  asTruth(valueOf(expression, row, context));

export const asTruth = (value: Value): Truth => {
  if (value === null || typeof value === 'boolean') return value;
  throw new EvaluationFault('error', 'a condition that is not a boolean');
};
