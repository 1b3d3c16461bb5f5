import { engineError } from '../../../adapters/trino/trino-error';

const INVALID = 'invalid_sql';
const RETRIED = 'retried';
const FINAL = 'final';
const AWAY = 'unavailable';

it.each([
  ['SERVER_STARTING_UP', 'INTERNAL_ERROR', AWAY],
  ['SERVER_SHUTTING_DOWN', 'INTERNAL_ERROR', AWAY],
  ['NO_NODES_AVAILABLE', 'INSUFFICIENT_RESOURCES', AWAY],
  ['SYNTAX_ERROR', 'USER_ERROR', INVALID],
  ['TABLE_NOT_FOUND', 'USER_ERROR', INVALID],
  ['COLUMN_NOT_FOUND', 'USER_ERROR', INVALID],
  ['FUNCTION_NOT_FOUND', 'USER_ERROR', INVALID],
  ['DIVISION_BY_ZERO', 'USER_ERROR', FINAL],
  ['INVALID_CAST_ARGUMENT', 'USER_ERROR', FINAL],
  ['PERMISSION_DENIED', 'USER_ERROR', FINAL],
  ['USER_CANCELED', 'USER_ERROR', FINAL],
  ['ABANDONED_QUERY', 'USER_ERROR', RETRIED],
  ['TRANSACTION_CONFLICT', 'USER_ERROR', RETRIED],
  ['GENERIC_INTERNAL_ERROR', 'INTERNAL_ERROR', RETRIED],
  ['REMOTE_TASK_ERROR', 'INTERNAL_ERROR', RETRIED],
  ['REMOTE_HOST_GONE', 'INTERNAL_ERROR', RETRIED],
  ['COMPILER_ERROR', 'INTERNAL_ERROR', FINAL],
  ['CLUSTER_OUT_OF_MEMORY', 'INSUFFICIENT_RESOURCES', RETRIED],
  ['EXCEEDED_LOCAL_MEMORY_LIMIT', 'INSUFFICIENT_RESOURCES', FINAL],
  ['EXCEEDED_TIME_LIMIT', 'INSUFFICIENT_RESOURCES', FINAL],
  ['ADMINISTRATIVELY_KILLED', 'INSUFFICIENT_RESOURCES', FINAL],
  ['HIVE_PATH_ALREADY_EXISTS', 'EXTERNAL', RETRIED],
  ['HIVE_WRITER_CLOSE_ERROR', 'EXTERNAL', RETRIED],
  ['HIVE_BAD_DATA', 'EXTERNAL', FINAL],
])('classifies %s of type %s as %s', (errorName, errorType, expected) => {
  const error = engineError({ message: 'line 2:3: it failed', errorName, errorType });
  const canRetry = error.kind === 'query_failed' && error.canRetry ? RETRIED : FINAL;
  expect(error.kind === 'query_failed' ? canRetry : error.kind).toBe(expected);
  expect(error.message).toMatch(/^it failed/);
});
