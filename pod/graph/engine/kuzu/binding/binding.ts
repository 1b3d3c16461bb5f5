import { setImmediate as nextTurn } from 'node:timers/promises';
import { type QueryResult } from 'kuzu';
import { AnswerFault, reasonOf } from '../../engine-failure';
import { type QueryFailure } from '../../graph-engine';
import { type ExactPlan, type ResultColumn } from './exact-plan';

/** The only place that names the engine's package. Changes needed for another package: docs/adr/0032. */
export { Connection, Database, type KuzuValue, type PreparedStatement, type QueryResult } from 'kuzu';

/** Number of rows after which other queries can run. */
export const ROWS_PER_TURN = 2_000;

/** A row as returned by the engine's package. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads all rows in order and closes the result. */
export const readRows = async (result: QueryResult, take: (row: Row) => unknown): Promise<void> => {
  try {
    await forEachRow(result, take);
  } finally {
    result.close();
  }
};

/**
 * The same, without closing it. Synchronous reads are forty times faster than the binding's `getAll`; regular yields
 * let other queries run.
 */
export const forEachRow = async (result: QueryResult, take: (row: Row) => unknown, limit = Infinity): Promise<void> => {
  for (let count = 0; count < limit && result.hasNext(); count++) {
    const row = result.getNextSync();
    if (row === null) return;
    take(row);
    if (count % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
  }
};

/** Null after the last row. */
export const nextRow = (result: QueryResult): Row | null => (result.hasNext() ? result.getNextSync() : null);

/** The result of a text with one statement. */
export const singleResult = (result: QueryResult | QueryResult[]): QueryResult => {
  const [first, ...others] = Array.isArray(result) ? result : [result];
  if (first === undefined || others.length > 0) throw new Error('Expected the result of exactly one statement.');
  return first;
};

/** Why a statement failed. */
export type StatementFailure =
  /** The statement did not run. The message is the engine's. */
  | { readonly kind: 'not_compiled'; readonly message: string }
  /** The message is the engine's. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The binding may have rounded values: the values to fetch exactly, and the columns of the query. */
  | { readonly kind: 'inexact'; readonly needs: ExactPlan; readonly columns: readonly ResultColumn[] }
  /** The engine would return a wrong answer; the message is for the user. */
  | Extract<QueryFailure, { readonly kind: 'rejected' }>;

/** The engine does not support parameters within lambdas and within patterns that are conditions. */
const NOT_COMPILED = /^Binder exception|^Parameter \S+ not found|^Assertion failed.*parsed_parameter_expression/;

/** Converts an exception of the engine's binding. */
export const thrownFailure = (error: unknown): StatementFailure => {
  const message = reasonOf(error);
  if (error instanceof AnswerFault) return { kind: 'rejected', message, position: null };
  return { kind: NOT_COMPILED.test(message) ? 'not_compiled' : 'failed', message };
};
