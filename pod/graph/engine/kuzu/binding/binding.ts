import { setImmediate as nextTurn } from 'node:timers/promises';
import { type QueryResult } from 'kuzu';
import { AnswerFault, reasonOf } from '../../engine-failure';
import { type QueryFailure } from '../../graph-engine';
import { type ExactPlan, type ResultColumn } from './exact-plan';

/** The one place that names the engine's package. What another one would change: docs/adr/0032. */
export { Connection, Database, type KuzuValue, type PreparedStatement, type QueryResult } from 'kuzu';

/** After so many rows other queries get a turn. */
export const ROWS_PER_TURN = 2_000;

/** As the engine's package returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** Reads rows in order to the last one, and closes the result. */
export const readRows = async (result: QueryResult, take: (row: Row) => unknown): Promise<void> => {
  try {
    await forEachRow(result, take);
  } finally {
    result.close();
  }
};

/**
 * The same, without closing it. Reading synchronously is forty times faster than the binding's `getAll`; yielding now
 * and then lets other queries run.
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

/** Why a statement was not answered. */
export type StatementFailure =
  /** Nothing ran. The message is the engine's. */
  | { readonly kind: 'not_compiled'; readonly message: string }
  /** The message is the engine's. */
  | { readonly kind: 'failed'; readonly message: string }
  /** The binding may have rounded values: what must be fetched exactly, and the columns of the query. */
  | { readonly kind: 'inexact'; readonly needs: ExactPlan; readonly columns: readonly ResultColumn[] }
  /** The engine would answer wrongly; the message is for the user. */
  | Extract<QueryFailure, { readonly kind: 'rejected' }>;

/** The engine does not know parameters inside of lambdas and of patterns that are conditions. */
const NOT_COMPILED = /^Binder exception|^Parameter \S+ not found|^Assertion failed.*parsed_parameter_expression/;

/** What the engine's binding threw. */
export const thrownFailure = (error: unknown): StatementFailure => {
  const message = reasonOf(error);
  if (error instanceof AnswerFault) return { kind: 'rejected', message, position: null };
  return { kind: NOT_COMPILED.test(message) ? 'not_compiled' : 'failed', message };
};
