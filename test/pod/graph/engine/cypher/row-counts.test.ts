import { parseStatement } from '../../../../../pod/graph/engine/cypher/parse-statement';
import { checkRowCounts } from '../../../../../pod/graph/engine/cypher/row-counts';

const check = (text: string, parameters: Readonly<Record<string, unknown>> = {}) => {
  const { query } = parseStatement(text);
  return () => checkRowCounts(query, parameters);
};

test.each([-1n, 1.5, '2', null, [1n]])('SKIP and LIMIT reject the parameter %p', (p) => {
  expect(check('MATCH (n) RETURN n SKIP $p', { p })).toThrow('SKIP needs an integer of at least 0.');
  expect(check('MATCH (n) WITH n LIMIT $p RETURN n', { p })).toThrow('LIMIT needs an integer of at least 0.');
});

test('SKIP and LIMIT accept integers, and what only the engine can compute', () => {
  expect(check('MATCH (n) RETURN n SKIP 0 LIMIT $p', { p: 2n })).not.toThrow();
  expect(check('MATCH (n) RETURN n LIMIT toInteger(rand())')).not.toThrow();
});
