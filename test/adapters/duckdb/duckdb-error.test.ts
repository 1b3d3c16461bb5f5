import { readFailure } from '../../../adapters/duckdb/duckdb-error';

test('a line that DuckDB cannot read in parallel is an error about the file, not about settings', () => {
  const exception_message =
    'The Parallel CSV Reader currently does not support a full read on this file.\nTo correctly parse this file, please run with the single threaded error (i.e., parallel = false)\n';
  const { message } = readFailure(new Error(JSON.stringify({ exception_type: 'Not implemented', exception_message })));
  expect(message).toMatch(/has a line that is too long; shorten it, and refresh/);
});

test('an integer that no decimal holds is an error that says what to write', () => {
  const exception_message = 'Could not cast value 170141183460469231731687303715884105727 to DECIMAL(38,0)';
  const { message } = readFailure(new Error(JSON.stringify({ exception_type: 'Conversion', exception_message })));
  expect(message).toBe(
    `${exception_message}; integers of more than 38 digits can be exported as text only: CAST(… AS VARCHAR)`,
  );
});
