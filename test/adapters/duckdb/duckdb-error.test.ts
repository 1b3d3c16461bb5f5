import { readFailure } from '../../../adapters/duckdb/duckdb-error';

test('a line that DuckDB cannot read in parallel is an error about the file, not about settings', () => {
  const exception_message =
    'The Parallel CSV Reader currently does not support a full read on this file.\nTo correctly parse this file, please run with the single threaded error (i.e., parallel = false)\n';
  const { message } = readFailure(new Error(JSON.stringify({ exception_type: 'Not implemented', exception_message })));
  expect(message).toMatch(/has a line that is too long; shorten it, and refresh/);
});
