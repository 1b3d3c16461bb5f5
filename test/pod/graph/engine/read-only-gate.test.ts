import fc from 'fast-check';
import { VOCABULARY } from '../../../../pod/graph/engine/duckdb/compile/functions';
import { admitQuery } from '../support/admit-query';
import { left, right } from '../support/loaded-engine';

describe('the read-only gate', () => {
  test('drops a trailing semicolon and everything after it', () => {
    expect(right(admitQuery('RETURN 1 ; // end', VOCABULARY))).toEqual(right(admitQuery('RETURN 1', VOCABULARY)));
  });

  test('accepts a keyword as a name where a name is expected, without hiding a clause', () => {
    right(admitQuery('WITH 1 AS set RETURN set', VOCABULARY));
    const hidden = left(admitQuery('MATCH (n) WITH n, true AS limit WHERE limit SET n.age = 1', VOCABULARY));
    expect(hidden.message).toContain('SET writes');
    expect(hidden.position).toEqual({ line: 1, column: 45 });
  });

  test.each([
    ['RETURN size(', 'Unexpected end of the query'],
    ['RETURN 1 ORDER BY', 'Unexpected end of the query; expected an operand'],
    ['RETURN (1]', 'Unexpected ]; expected )'],
    ['RETURN 1 1', 'Unexpected 1'],
    ['MATCH (n) FLUSHALL', 'Unexpected FLUSHALL; expected a clause'],
    ['RETURN to_text(1)', 'Unknown function to_text; '],
    ['RETURN todate(1)', 'Unknown function todate; did you mean date?'],
    ['MATCH (n) LOAD FROM "x" RETURN *', 'LOAD reads files'],
  ])('rejects %j with the reason', (text, reason) => {
    expect(left(admitQuery(text, VOCABULARY)).message).toContain(reason);
  });

  test.each([
    ['RETURN reduce(x -> x + 1)', 'Unexpected >; expected an operand'],
    ['RETURN CAST(1 AS STRING)', 'Write toInteger(x), toFloat(x), toBoolean(x) or toString(x) instead of CAST'],
    ['MATCH (n) RETURN n.*', 'Write properties(n) instead of n.*'],
    ["MATCH (n) RETURN trim(BOTH 'x' FROM n.name)", 'Write btrim(text, characters), ltrim(…) or rtrim(…)'],
    ['MATCH (n) RETURN sum(*)', 'Write count(*), or a value instead of * in sum.'],
    ['MATCH (n) RETURN count(DISTINCT *)', 'Write count(*), or a value instead of * in count.'],
    ['MATCH (n) RETURN count(*, n)', 'count expects 1 argument; got 2.'],
    ['MATCH (n) RETURN collect(n.id, n.name)', 'collect expects 1 argument; got 2.'],
    ['RETURN id()', 'id expects 1 argument; got 0.'],
    ['RETURN abs(1, 2)', 'abs expects 1 argument; got 2.'],
    ["RETURN substring('abc')", 'substring expects 2 to 3 arguments; got 1.'],
    ['RETURN coalesce()', 'coalesce expects at least 1 argument; got 0.'],
    ['RETURN date.truncate()', 'date.truncate expects 1 to 3 arguments; got 0.'],
    ["RETURN date.realtime('Z', 1)", 'date.realtime expects 0 to 1 arguments; got 2.'],
    ['RETURN [1, 2][1:2]', 'Unexpected :; expected ]'],
    ['RETURN point(x := 1)', 'Unexpected :; expected )'],
    ['MATCH (a)-[* SHORTEST 1..3]->(b) RETURN a', 'Write shortestPath((a)-[*]->(b)) instead of SHORTEST.'],
    ['MATCH (a)-[*1..3 (r, n | WHERE r.a > 1)]->(b) RETURN a', 'Unexpected (; expected'],
    ['MATCH (a) HINT a RETURN a', 'Unexpected HINT'],
    ['RETURN 5!', 'Unexpected !'],
    ['RETURN 6 & 3', 'Unexpected &'],
  ])('names the openCypher form of %s', (text, advice) => {
    expect(left(admitQuery(text, VOCABULARY)).message).toContain(advice);
  });

  test('rejects a writing clause after a complete pattern, in any spacing and spelling', () => {
    const space = fc.constantFrom(' ', '\n', '\t', '/**/', '/* SET */', '\u00a0', '\u2003', ' // x\n');
    const clause = fc.constantFrom('SET n.a = 1', 'DELETE n', 'DETACH DELETE n', 'CREATE (m)', 'MERGE (m)');
    fc.assert(
      fc.property(space, clause, space, fc.boolean(), (before, words, after, upper) => {
        const text = `MATCH (n)${before}${upper ? words : words.toLowerCase()}${after}RETURN 1`;
        expect(admitQuery(text, VOCABULARY)._tag).toBe('Left');
      }),
    );
  });

  test('ignores the content of a string, a quoted name or a comment', () => {
    const inside = fc.string().map((text) => text.replace(/[\\'"`*/\r\n\0\ud800-\udfff]/g, ''));
    fc.assert(
      fc.property(inside, (text) => {
        const query = `/*${text}*/ MATCH (n) RETURN '${text}', "${text}", 1 AS \`x${text}\` //${text}`;
        right(admitQuery(query, VOCABULARY));
      }),
    );
  });
});
