import { type Expression, type PathPattern, type Query } from '../cypher/tree';
import { EvaluationFault } from './evaluation-fault';
import { type Truth, type Value, type ValueMap } from './values';

/** The values of the names in scope. */
export type Row = ReadonlyMap<string, Value>;

/** The rows of a query, by the names of its columns. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** What a query is evaluated with, and the rules that need each other, across files. */
export interface Context {
  readonly text: string;
  readonly parameters: ValueMap;
  /** Counts steps of work; a fault when there are too many. */
  readonly step: (count?: number) => void;
  /** `group`: the rows that aggregates are made of; null where none are possible. */
  readonly evaluate: (expression: Expression, row: Row, context: Context, group: readonly Row[] | null) => Value;
  readonly match: (paths: readonly PathPattern[], row: Row, context: Context) => readonly Row[];
  readonly query: (query: Query, row: Row, context: Context) => Table;
}

export const stepCounter = (most: number): Context['step'] => {
  let steps = 0;
  return (count = 1) => {
    steps += count;
    if (steps > most) throw new EvaluationFault('too much', `more than ${most} steps`);
  };
};

/** The value of an expression where no aggregate is possible. */
export const valueOf = (expression: Expression, row: Row, context: Context): Value =>
  context.evaluate(expression, row, context, null);

/** A condition; a fault when it is not a boolean. */
export const truthOf = (expression: Expression, row: Row, context: Context): Truth =>
  asTruth(valueOf(expression, row, context));

export const asTruth = (value: Value): Truth => {
  if (value === null || typeof value === 'boolean') return value;
  throw new EvaluationFault('error', 'a condition that is not a boolean');
};
