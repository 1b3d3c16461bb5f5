import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { parseJson } from '../../domain/kernel/codecs';
import { type QueryEngineError } from '../../domain/ports/query-engine';

/** The shape of DuckDB's messages under `errors_as_json`. */
const ErrorReport = t.intersection([
  t.type({ exception_type: t.string, exception_message: t.string }),
  t.partial({ position: t.string }),
]);

/** A failure reported by DuckDB. `byteOffset` counts UTF-8 bytes from the start of the statement. */
export interface DuckdbFailure {
  readonly type: string;
  readonly message: string;
  readonly byteOffset: number | null;
}

/** Parses an exception of the binding. */
export const readFailure = (error: unknown): DuckdbFailure => {
  const text = error instanceof Error ? error.message : String(error);
  const report = ErrorReport.decode(parseJson(text.slice(Math.max(0, text.indexOf('{')))));
  if (isLeft(report)) return { type: 'Unknown', message: text, byteOffset: null };
  const { exception_type: type, exception_message: message, position } = report.right;
  return { type, message, byteOffset: position === undefined ? null : Number(position) };
};

/** Whether DuckDB failed internally, so that the instance is unusable. */
export const isFatalError = ({ type }: DuckdbFailure): boolean => type === 'FATAL' || type === 'INTERNAL';

/** Failures that the query text did not cause. */
const OUTSIDE_THE_TEXT = new Set(['IO', 'Out of Memory', 'INTERNAL', 'FATAL', 'INTERRUPT']);

/**
 * A retry can succeed: memory is shared with other queries, and an IO error may come from the replacement of a file.
 */
export const canRetry = ({ type }: DuckdbFailure): boolean => OUTSIDE_THE_TEXT.has(type) && type !== 'INTERRUPT';

/** A failure while `sql` was prepared, before it ran. */
export const preparationError = (failure: DuckdbFailure, sql: string): QueryEngineError =>
  OUTSIDE_THE_TEXT.has(failure.type)
    ? { kind: 'query_failed', message: failure.message, canRetry: canRetry(failure) }
    : { kind: 'invalid_sql', message: failure.message, position: positionOf(sql, failure.byteOffset) };

const positionOf = (sql: string, byteOffset: number | null): { line: number; column: number } | null => {
  if (byteOffset === null) return null;
  const before = Buffer.from(sql, 'utf8')
    .subarray(0, byteOffset)
    .toString('utf8')
    .split(/\r\n|\r|\n/);
  return { line: before.length, column: Array.from(before.at(-1) ?? '').length + 1 };
};
