import { isLeft } from 'fp-ts/Either';
import { analyseQuery } from '../../../../pod/graph/engine/cypher/analyse-query';
import { VOCABULARY } from '../../../../pod/graph/engine/duckdb/compile/functions';
import { createQueryCache } from '../../../../pod/graph/engine/evaluate/query-texts';
import { left, right } from '../support/loaded-engine';

describe('the analysis of a query', () => {
  test('returns its parameters and whether it can be explained', () => {
    const text = 'EXPLAIN MATCH (n {id: $id}) WHERE n.age > $id RETURN n.age AS return; // end';
    const { explain, parameters, query } = right(analyseQuery(text, VOCABULARY));
    expect([explain, parameters]).toEqual(['EXPLAIN', ['id']]);
    expect(query.parts.map((clauses) => clauses.map(({ kind }) => kind))).toEqual([['match', 'return']]);
  });

  test('reads the name of a parameter in backticks', () => {
    const text = 'MATCH (n)-[*1..$`most`]->() RETURN $`two words` + $`two words`';
    expect(right(analyseQuery(text, VOCABULARY)).parameters).toEqual(['most', 'two words']);
    expect(isLeft(analyseQuery('RETURN $`a``b`', VOCABULARY))).toBe(true);
  });

  test('an unknown name is rejected with the names that are known, without columns that have none', () => {
    const refused = left(analyseQuery('MATCH (n) WITH n AS m RETURN m.a + 1 ORDER BY n.a', VOCABULARY));
    expect(refused.message).toBe('Unknown name n; known here: m.');
  });

  test('rejects unknown names with their place', () => {
    const refused = left(analyseQuery('MATCH (n)\nRETURN m', VOCABULARY));
    expect(refused).toEqual({
      message: expect.stringContaining('Unknown name m') as string,
      position: { line: 2, column: 8 },
    });
    expect(isLeft(analyseQuery('CALL db.labels() YIELD label RETURN label', VOCABULARY))).toBe(false);
  });

  test.each([
    ['RETURN -9223372036854775809', 'The number 9223372036854775809 is too large', 9],
    ['RETURN 0x8000000000000000', 'The number 0x8000000000000000 is too large', 8],
    ['RETURN 1e999', 'The number 1e999 is too large', 8],
    ['MATCH (n) RETURN n.age, n.name, n.age', 'Two columns are named n.age; change one by AS', 33],
    ['RETURN 1 AS `count(*)`, count(*)', 'Two columns are named count(*)', 25],
    ['MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m, n } AS x', 'RETURN with one value', 18],
    ['MATCH (n)-->(m) RETURN m {.name, c: count(n)}', 'm is combined with an aggregate', 24],
    ['MATCH (n) WITH n, 1 AS x RETURN n, n {x, c: count(*)}', 'x is combined with an aggregate', 36],
    ['MATCH (n) RETURN n AS m, COUNT { (n)-->() } + count(*)', 'name its value by WITH before', 26],
    ['MATCH (n) RETURN n, size([(n)-->(m) | m]) + count(*)', 'name its value by WITH before', 26],
    ['RETURN valueType(1)', 'GET /schema, or rowgraph schema, lists the types', 8],
    ['SELECT * FROM Person', 'Write MATCH (n:Label) RETURN n.name instead of SELECT.', 1],
    ["MATCH (n) WHERE n.name LIKE 'A%' RETURN n", 'Write STARTS WITH, ENDS WITH', 24],
    ['MATCH (n) WHERE n.age BETWEEN 1 AND 9 RETURN n', 'Write 1 <= x <= 9 instead of BETWEEN', 23],
    ['MATCH (n) RETURN n.name, count(*) GROUP BY n.name', 'which are the groups, instead of GROUP', 35],
    ["MATCH (n) WHERE n.name == 'A' RETURN n", 'Write = instead of ==', 25],
    ['MATCH (n) WHERE n.age > 1 && n.age < 9 RETURN n', 'Write AND instead of &&', 27],
    ['MATCH (n) WHERE n.age IN (1, 2) RETURN n', 'Write [1, 2] instead of (1, 2)', 28],
    ['MATCH (a)-[:KNOWS]->{1,3}(b) RETURN a', 'Write -[:TYPE*1..3]-> instead of {1,3}', 21],
    ['MATCH SHORTEST 1 (a)-[:KNOWS]->+(b) RETURN a', 'Write shortestPath((a)-[*]->(b)) instead of', 7],
    ["RETURN trim('a', 'b')", 'trim expects 1 argument; got 2', 8],
    ['RETURN count(rand())', 'rand inside count', 14],
    ['MATCH (n) RETURN DISTINCT n.name ORDER BY n.age', 'ORDER BY and WHERE can use columns only', 43],
    ['MATCH (n) RETURN n.name, count(*) ORDER BY max(n.age)', 'ORDER BY and WHERE can use columns only', 44],
    ['MATCH (n) WITH DISTINCT n.name AS x WHERE n.age > 1 RETURN x', 'WHERE can use columns only', 43],
    ['MATCH (n) RETURN DISTINCT n.name ORDER BY COUNT { (n)-->() }', 'WHERE can use columns only', 43],
    ["MATCH p = (n)-[*]->() WHERE p.name = 'apa' RETURN n", 'The path p has no properties', 29],
    ['MATCH p = (n)-->() WITH p RETURN size(p)', 'size has no value for a path', 39],
    ['MATCH (n) OPTIONAL CALL (n) { RETURN 1 AS x } RETURN x', 'write CALL (a) { OPTIONAL MATCH', 11],
    ['MATCH (n) RETURN size(n)', 'size has no value for a node', 23],
    ['UNWIND [1] AS u MATCH (u) RETURN u', 'u is a value and cannot be a node here', 24],
    ['WITH 1 + 1 AS x MATCH (x)-->() RETURN x', 'x is a value and cannot be a node here', 24],
  ])('rejects %s', (text, message, column) => {
    expect(left(analyseQuery(text, VOCABULARY))).toEqual({
      message: expect.stringContaining(message) as string,
      position: { line: 1, column },
    });
  });

  test.each([
    'RETURN -9223372036854775808, 9223372036854775807, 0x7fffffffffffffff, 1e308',
    'MATCH (n) RETURN DISTINCT n.name ORDER BY toUpper(n.name)',
    'MATCH (n) WITH DISTINCT n ORDER BY n.age RETURN DISTINCT * ORDER BY n.name',
    'MATCH (n) RETURN n.name AS name, count(*) ORDER BY count(*) + 1, name, n.name',
    'MATCH (n) RETURN DISTINCT n.name AS one, n.name AS two ORDER BY one, two',
  ])('accepts %s', (text) => {
    expect(analyseQuery(text, VOCABULARY)).toMatchObject({ _tag: 'Right' });
  });

  test('runs once for each text, even the longest', () => {
    const analyse = createQueryCache((text) => analyseQuery(text, VOCABULARY));
    for (const text of ['RETURN 1', `RETURN '${'x'.repeat(99_990)}'`]) expect(analyse(text)).toBe(analyse(text));
  });
});
