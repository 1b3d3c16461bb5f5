import { explain } from '../../../adapters/cli/failure';

const rejected = (details: Readonly<Record<string, unknown>>) =>
  ({
    kind: 'refused',
    status: 400,
    code: 'GRAPHDB_A_ERROR',
    message: 'Unexpected RETRN.',
    details,
    requestId: null,
  }) as const;

test('an error with a position shows line, column and the line with a caret', () => {
  const query = 'MATCH (n)\n\tRETRN n';
  expect(explain(rejected({ position: { line: 2, column: 2 } }), query).lines).toEqual([
    'Line 2, column 2: Unexpected RETRN. (GRAPHDB_A_ERROR)',
    '   RETRN n',
    '   ^',
  ]);
});

test('a long line is cut to the part around the position', () => {
  const query = `RETURN ${'1 + '.repeat(100)}x`;
  const [, line = '', caret = ''] = explain(rejected({ position: { line: 1, column: 408 } }), query).lines;
  expect(line.length).toBeLessThan(80);
  expect(line[caret.indexOf('^')]).toBe('x');
});

test('a position that is null or after the end of the query is omitted', () => {
  expect(explain(rejected({ position: null }), 'RETRN 1').lines).toEqual(['Unexpected RETRN. (GRAPHDB_A_ERROR)']);
  expect(explain(rejected({ position: { line: 7, column: 1 } }), 'RETRN 1').lines).toHaveLength(1);
});
