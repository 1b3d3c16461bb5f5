import { createQueryPreparation } from '../../../../../pod/graph/engine/falkordb/query-preparation';
import { EMPTY_SCHEMA } from '../../../../../pod/graph/engine/graph-schema';
import { right } from '../../support/loaded-engine';

const preparation = createQueryPreparation();
const sent = (text: string): string =>
  right(preparation.prepare({ text, parameters: {} }, EMPTY_SCHEMA))
    .text.replaceAll('`', '')
    .replaceAll('-[]-', '--');

describe('a query rewritten for FalkorDB', () => {
  test.each([
    ['MATCH ()-[:E]->() RETURN count(*)', 'MATCH ()-[_r1:E]->() WHERE _r1 IS NOT NULL RETURN count(*)'],
    [
      'MATCH (a)-->(b)<--()--(c)RETURN 1',
      'MATCH (a)-[_r1]->(b)<-[_r2]-()-[_r3]-(c) WHERE _r1 IS NOT NULL AND _r2 IS NOT NULL AND _r3 IS NOT NULL RETURN 1',
    ],
    ['MATCH (a)-[r {w: 1}]->() RETURN a', 'MATCH (a)-[r]->() WHERE r.w = 1 RETURN a'],
    ['MATCH (a)-[{w: 1}]->() RETURN a', 'MATCH (a)-[_r1]->() WHERE _r1.w = 1 RETURN a'],
    ['MATCH (a)-[`my r`:A|B]->(b) RETURN a', 'MATCH (a)-[my r:A|B]->(b) WHERE my r IS NOT NULL RETURN a'],
    [
      'MATCH (a)-->(b) WHERE a.x = 1 OR (b)-->(a) RETURN a',
      'MATCH (a)-[_r1]->(b) WHERE (a.x = 1 OR (b)-->(a)) AND _r1 IS NOT NULL RETURN a',
    ],
    [
      'MATCH (a)-->() WHERE a.x STARTS WITH "MATCH" RETURN a',
      "MATCH (a)-[_r1]->() WHERE a.x STARTS WITH 'MATCH' AND _r1 IS NOT NULL RETURN a",
    ],
    ['MATCH (a)-->() // WHERE\nRETURN a', 'MATCH (a)-[_r1]->() WHERE _r1 IS NOT NULL RETURN a'],
    ['MATCH (_r1)-->() RETURN "_r"', "MATCH (_r1)-[__r1]->() WHERE __r1 IS NOT NULL RETURN '_r'"],
    [
      'MATCH p = (a)-->(b), (b)-->(c) RETURN a',
      'MATCH p = (a)-[_r1]->(b), (b)-[_r2]->(c) WHERE _r1 IS NOT NULL AND _r2 IS NOT NULL RETURN a',
    ],
    [
      'MATCH (a) OPTIONAL MATCH (a)-->(b) RETURN a',
      'MATCH (a) OPTIONAL MATCH (a)-[_r1]->(b) WHERE _r1 IS NOT NULL RETURN a',
    ],
    [
      'MATCH (a)-[:E]->(b)-[:F*1..9]->(c) RETURN DISTINCT a, c',
      'MATCH (a)-[:E]->(b)-[:F*1..9]->(c) RETURN DISTINCT a, c',
    ],
    [
      'CALL { MATCH (a)-->() RETURN a } RETURN a',
      'CALL { MATCH (a)-[_r1]->() WHERE _r1 IS NOT NULL RETURN a } RETURN a',
    ],
    [
      'MATCH (a)-->() RETURN a UNION ALL MATCH ()-->(a) RETURN a',
      'MATCH (a)-[_r1]->() WHERE _r1 IS NOT NULL RETURN a UNION ALL MATCH ()-[_r2]->(a) WHERE _r2 IS NOT NULL RETURN a',
    ],
    [
      'MATCH (b)-->(a), p = (a) WITH *, 1 AS x RETURN *',
      'MATCH (b)-[_r1]->(a), p = (a) WHERE _r1 IS NOT NULL WITH a, b, p, 1 AS x RETURN a, b, p, x',
    ],
    [
      'MATCH (a)-[r]->() WITH r, a.x AS y CALL db.labels() YIELD label AS l UNWIND [null] AS u MATCH (u) RETURN *',
      'MATCH (a)-[r]->() WITH r, a.x AS y CALL db.labels() YIELD label AS l UNWIND [null] AS u WITH r, y, l, u WHERE u IS NOT NULL RETURN l, r, u, y',
    ],
    [
      'MATCH (a)-->() WITH a SKIP 1 RETURN DISTINCT a',
      'MATCH (a)-[_r1]->() WHERE _r1 IS NOT NULL WITH a SKIP 1 RETURN DISTINCT a',
    ],
    ['MATCH (a)-->() RETURN DISTINCT a, rand()', 'MATCH (a)-[_r1]->() WHERE _r1 IS NOT NULL RETURN DISTINCT a, rand()'],
    [
      'MATCH (a)-->() WITH a, min(a.x) AS x, count(*) AS n RETURN DISTINCT a',
      'MATCH (a)-[_r1]->() WHERE _r1 IS NOT NULL WITH a, min(a.x) AS x, count(*) AS n RETURN DISTINCT a',
    ],
    [
      'MATCH (a)-->() RETURN a UNION MATCH (a)-->() RETURN a LIMIT 1',
      'MATCH (a)-->() RETURN a UNION MATCH (a)-[_r1]->() WHERE _r1 IS NOT NULL RETURN a LIMIT 1',
    ],
  ])('%s', (text, expected) => expect(sent(text)).toBe(expected));

  test.each([
    'MATCH (a)-->() RETURN DISTINCT a ORDER BY a.x LIMIT 3',
    'MATCH (a)-[r]->() RETURN a.x, count(DISTINCT r), min(a.y)',
    'MATCH (a)-->(b) WITH a, b MATCH (b)-->(c) RETURN max(c.x)',
    'MATCH (a)-->() WITH DISTINCT a RETURN count(*)',
    'MATCH (a)-->() RETURN a UNION MATCH ()-->(a) RETURN a',
    'CALL { MATCH (a)-->() RETURN a } RETURN DISTINCT a',
    'MATCH (a) WITH a, shortestPath((a)-[*]->(a)) AS p RETURN a, p',
  ])('%s is sent unchanged', (text) => expect(sent(text)).toBe(text));
});
