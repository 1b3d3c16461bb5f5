import { type Graph, GraphNode, GraphRelationship, type Value } from '../../../pod/graph/engine/evaluate/values';
import { evaluateQuery } from './evaluate-query';

const person = (id: number, properties: Record<string, Value>): GraphNode =>
  new GraphNode(id, ['Person'], new Map(Object.entries(properties)));
const ANN = person(0, { id: 1n, name: 'Ann', age: 30n });
const BEN = person(1, { id: 2n, name: 'Ben' });
const CID = person(2, { id: 3n, age: 30n });
const knows = (id: number, start: GraphNode, end: GraphNode): GraphRelationship =>
  new GraphRelationship(id, 'KNOWS', start, end, new Map([['since', BigInt(2000 + id)]]));
/** Ann knows Ben twice, Ben knows Cid, Cid knows herself. */
const GRAPH: Graph = {
  nodes: [ANN, BEN, CID],
  relationships: [knows(0, ANN, BEN), knows(1, ANN, BEN), knows(2, BEN, CID), knows(3, CID, CID)],
};

/** Rows as JSON; an integer is a text such as `1n`. */
const answerTo = (query: string, walks = false): unknown => {
  const result = evaluateQuery(query, GRAPH, new Map<string, Value>([['x', 5n]]), undefined, walks);
  if (result.kind === 'fault') return result.fault;
  return JSON.parse(
    JSON.stringify(result.rows, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
  );
};

describe('the reference evaluator', () => {
  test('returns walks when they are requested', () => {
    expect(answerTo('MATCH (a)-->(b)<--(c) RETURN count(*)', true)).toEqual([['8n']]);
    expect(answerTo('MATCH ({id: 2})-[r*1..3]->() RETURN size(r), count(*) ORDER BY size(r)', true)).toEqual([
      ['1n', '1n'],
      ['2n', '1n'],
      ['3n', '1n'],
    ]);
  });

  test.each([
    ['round(2.5), round(-1.5), round(-2.5), round(0.49999999999999994)', [3, -1, -2, 0]],
    ['round(-1.5, 0), round(1.25, 1), round(-1.25, 1), round(1.005, 2), round(7, 2)', [-1, 1.3, -1.3, 1.01, 7]],
    ["round(-1.25, 1, 'UP'), round(-1.25, 1, 'DOWN'), round(-1.5, 0, 'HALF_UP')", [-1.3, -1.2, -2]],
    ["round(-1.21, 1, 'CEILING'), round(-1.21, 1, 'FLOOR'), round(1.21, 1, 'CEILING')", [-1.2, -1.3, 1.3]],
    ["round(-1.25, 1, 'HALF_DOWN'), round(1.35, 1, 'HALF_EVEN'), round(1.25, 1, 'HALF_EVEN')", [-1.2, 1.4, 1.2]],
    ['round(null, 1), round(1.5, null), round(1e300, 2), round(1e-300, 2)', [null, null, 1e300, 0]],
  ])('rounds as Neo4j: %s', (values, expected) => expect(answerTo(`RETURN ${values}`)).toEqual([expected]));

  test.each(['round(1.5, -1)', "round(1.5, 1, 'NEAREST')", 'round(1.5, 1.5)'])('%s is an error', (value) =>
    expect(answerTo(`RETURN ${value}`)).toBe('error'),
  );

  test.each([
    [
      'a relationship matches once in a MATCH',
      'MATCH (a)-->(b)<--(c) RETURN a.id, c.id, count(*)',
      [
        ['1n', '1n', '2n'],
        ['2n', '3n', '1n'],
        ['3n', '2n', '1n'],
      ],
    ],
    ['and again in the next one', 'MATCH (a {id: 1})-->(b) MATCH (b)<--(c) RETURN count(*)', [['4n']]],
    ['a loop is one relationship', 'MATCH (a {id: 3})--(b) RETURN b.id ORDER BY b.id', [['2n'], ['3n']]],
    [
      'variable lengths are trails',
      'MATCH ({id: 1})-[r*]->() RETURN size(r), count(*) ORDER BY size(r)',
      [
        ['1n', '2n'],
        ['2n', '2n'],
        ['3n', '2n'],
      ],
    ],
    ['no length at all', 'MATCH p = (a {id: 1})-[*0..0]-(b) RETURN b.id, length(p)', [['1n', '0n']]],
    ['the shortest path', 'MATCH p = shortestPath((a {id: 1})-[*]-(b {id: 3})) RETURN length(p)', [['2n']]],
    [
      'OPTIONAL MATCH',
      'MATCH (a) OPTIONAL MATCH (a)-->(b) WHERE b.age > 1 RETURN a.id, b.id',
      [
        ['1n', null],
        ['2n', '3n'],
        ['3n', '3n'],
      ],
    ],
    ['unknown conditions', 'MATCH (a) WHERE NOT a.age = 30 RETURN a.id', []],
    ['null in a list', 'RETURN 1 IN [null], 1 IN [1, null], null IN []', [[null, true, false]]],
    ['null in quantifiers', 'RETURN any(x IN [null] WHERE x = 1), none(x IN [null, 1] WHERE x = 1)', [[null, false]]],
    [
      'groups',
      'MATCH (a) RETURN a.age, count(*), collect(a.name) ORDER BY a.age',
      [
        ['30n', '2n', ['Ann']],
        [null, '1n', ['Ben']],
      ],
    ],
    [
      'nothing to aggregate',
      'MATCH (a:Person {id: 9}) RETURN count(a), sum(a.id), avg(a.id), min(a.id)',
      [['0n', '0n', null, null]],
    ],
    ['a condition on parameters', 'MATCH (a) WHERE $x = 5 RETURN count(*)', [['3n']]],
    ['DISTINCT takes 1 and 1.0 as one', 'UNWIND [1, 1.0, null, null] AS x RETURN DISTINCT x', [['1n'], [null]]],
    [
      'ORDER BY all types',
      "UNWIND [null, 1, true, 'a', [1], {a: 1}] AS x WITH x ORDER BY x RETURN collect(x), count(*)",
      [[[{}, ['1n'], 'a', true, '1n'], '6n']],
    ],
    ['a name that shadows', 'UNWIND [1, 2] AS x WITH 0 - x AS x ORDER BY x RETURN x', [['-2n'], ['-1n']]],
    ['patterns as conditions', 'MATCH (a) WHERE (a)-->({id: 3}) RETURN a.id', [['2n'], ['3n']]],
    [
      'subqueries',
      'MATCH (a) RETURN a.id, COUNT { (a)-->() }, EXISTS { MATCH (a)-->(b) WHERE b.id > a.id }',
      [
        ['1n', '2n', true],
        ['2n', '1n', true],
        ['3n', '1n', false],
      ],
    ],
    [
      'integers of 64 bits',
      'RETURN 9223372036854775807 - 1, -9223372036854775808, 7 / 2, -7 / 2, 2 ^ 2',
      [['9223372036854775806n', '-9223372036854775808n', '3n', '-3n', 4]],
    ],
    ['an integer too large', 'RETURN 9223372036854775807 + 1', 'error'],
    ['percentiles', 'UNWIND [1, 2, 4] AS x RETURN percentileCont(x, 0.25), percentileDisc(x, 0.5)', [[1.5, '2n']]],
    [
      'dates',
      "RETURN date('2020-01-31').day, date('2020-01-31') < date('2020-02-01'), date('2020-01-31') = '2020-01-31'",
      [['31n', true, false]],
    ],
    ['an unknown function', "RETURN levenshtein('a', 'b')", 'unsupported'],
    ['too much work', 'UNWIND range(1, 1000) AS x UNWIND range(1, 1000) AS y RETURN count(x + y)', 'too much'],
  ])('%s', (_what, query, expected) => expect(answerTo(query)).toEqual(expected));
});
