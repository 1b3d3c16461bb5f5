import { type QueryEngineError } from '../../domain/ports/query-engine';

/** An error as Trino reports it. */
export interface TrinoError {
  readonly message: string;
  readonly errorName: string;
  /** `USER_ERROR`, `INTERNAL_ERROR`, `INSUFFICIENT_RESOURCES` or `EXTERNAL`. */
  readonly errorType: string;
  readonly errorLocation?: { readonly lineNumber: number; readonly columnNumber: number };
}

/** The server currently does not accept statements; a retry can succeed. */
const UNAVAILABLE: ReadonlySet<string> = new Set(['SERVER_STARTING_UP', 'SERVER_SHUTTING_DOWN', 'NO_NODES_AVAILABLE']);

/** Permanent errors that the query did not cause. */
const PERMANENT: ReadonlySet<string> = new Set([
  'COMPILER_ERROR',
  'EXCEEDED_CPU_LIMIT',
  'EXCEEDED_LOCAL_MEMORY_LIMIT',
  'EXCEEDED_GLOBAL_MEMORY_LIMIT',
  'EXCEEDED_SCAN_LIMIT',
  'EXCEEDED_TIME_LIMIT',
  'EXCEEDED_SPILL_LIMIT',
  'HIVE_BAD_DATA',
  'HIVE_CORRUPTED_COLUMN_STATISTICS',
  'HIVE_INVALID_METADATA',
  'HIVE_UNSUPPORTED_FORMAT',
  'ICEBERG_BAD_DATA',
  'ICEBERG_INVALID_METADATA',
  'FUNCTION_IMPLEMENTATION_ERROR',
  'ADMINISTRATIVELY_KILLED',
  'ADMINISTRATIVELY_PREEMPTED',
]);

/** Temporary errors of type USER_ERROR; the query causes all others of the type. */
const RETRIED_USER_ERRORS: ReadonlySet<string> = new Set(['ABANDONED_QUERY', 'TRANSACTION_CONFLICT']);

/** Errors of type USER_ERROR that the data causes while the query runs. Others are reported before it runs. */
const WHILE_RUNNING: ReadonlySet<string> = new Set([
  'DIVISION_BY_ZERO',
  'INVALID_CAST_ARGUMENT',
  'INVALID_FUNCTION_ARGUMENT',
  'NUMERIC_VALUE_OUT_OF_RANGE',
  'SUBQUERY_MULTIPLE_ROWS',
  'GENERIC_USER_ERROR',
  'CONSTRAINT_VIOLATION',
  'PERMISSION_DENIED',
  'USER_CANCELED',
  'QUERY_REJECTED',
  'MERGE_TARGET_ROW_MULTIPLE_MATCHES',
  ...RETRIED_USER_ERRORS,
]);

/** Converts an error of Trino; its position refers to the sent statement. */
export const engineError = ({ message, errorName, errorType, errorLocation }: TrinoError): QueryEngineError => {
  const text = message.replace(/^line \d+:\d+: /, '');
  if (UNAVAILABLE.has(errorName)) return { kind: 'unavailable', message: `${text} (${errorName})` };
  if (errorType === 'USER_ERROR' && !WHILE_RUNNING.has(errorName)) {
    const position = errorLocation && { line: errorLocation.lineNumber, column: errorLocation.columnNumber };
    return { kind: 'invalid_sql', message: text, position: position ?? null };
  }
  const canRetry = errorType === 'USER_ERROR' ? RETRIED_USER_ERRORS.has(errorName) : !PERMANENT.has(errorName);
  return { kind: 'query_failed', message: `${text} (${errorName})`, canRetry };
};
