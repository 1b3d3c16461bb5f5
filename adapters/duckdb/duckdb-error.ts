import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { parseJson } from '../../domain/kernel/codecs';
import { counted } from '../../domain/kernel/counted';
import { type QueryEngineError } from '../../domain/ports/query-engine';
import { REFRESH } from './csv/csv-layout';

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
  return {
    type,
    message: csvErrorText(longIntegerText(memoryErrorText(message))),
    byteOffset: position === undefined ? null : Number(position),
  };
};

/** DuckDB advises settings, which users cannot change. */
const memoryErrorText = (message: string): string => {
  const limit = /^(?:failed to|could not) allocate .*\/(.+) used\)/.exec(message)?.[1];
  if (limit === undefined) return message;
  return `it needs more memory than the query engine has (${limit}); use fewer rows or columns at once, such as those of several files or queries`;
};

/** DuckDB says what does not fit a decimal, and not what to write. */
const longIntegerText = (message: string): string =>
  /^Could not cast value \d+ to DECIMAL\(38,0\)/.test(message)
    ? `${message}; integers of more than 38 digits can be exported as text only: CAST(… AS VARCHAR)`
    : message;

/** What to do about text of another encoding. */
export const SAVE_AS_UTF8 =
  'save the file as UTF-8 (iconv -f WINDOWS-1252 -t UTF-8; or -f UTF-16, if the program `file` says so)';
export const DESCRIBE = 'correct it, or describe the file (rowgraph catalog describe)';

/** A part of DuckDB's message, what it means, and what to do. */
const CSV_REASONS: readonly (readonly [RegExp, (match: RegExpExecArray) => string, string])[] = [
  [
    /Expected Number of Columns: (\d+) Found: (\d+)/,
    ([, expected, actual]) => `has ${counted(Number(actual), 'value')} instead of ${expected}`,
    DESCRIBE,
  ],
  [/unterminated quote/, () => 'has a quote at a wrong place', DESCRIBE],
  [/Invalid unicode/, () => 'is not UTF-8 text', SAVE_AS_UTF8],
  [/Maximum line size/, () => 'is too long', 'shorten it'],
  [/Parallel CSV Reader/, () => 'has a line that is too long', 'shorten it'],
];

/** DuckDB's message about a CSV file contains its options and their values; the user has a file, and its lines. */
const csvErrorText = (message: string): string => {
  if (!/^CSV Error|CSV Parser|CSV File|CSV Reader/.test(message)) return message;
  const path = /^ *file = (.*)$/m.exec(message)?.[1] ?? 'CSV';
  const line = /CSV Error on Line: (\d+)/.exec(message)?.[1];
  const reasons = CSV_REASONS.flatMap(([pattern, reason, advice]) => {
    const match = pattern.exec(message);
    return match === null ? [] : [{ reason: reason(match), advice }];
  });
  const [
    { reason, advice } = {
      reason: 'has line ends or quotes of several kinds, such as a line end within a name',
      advice: DESCRIBE,
    },
  ] = reasons;
  const where = line === undefined ? `the file ${path}` : `line ${line} of the file ${path}`;
  return `${where} ${reason}; ${advice}, and ${REFRESH}`;
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
