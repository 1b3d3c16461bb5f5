import { type Value } from '../../../pod/graph/engine/evaluate/values';
import { type Kind } from '../../pod/graph/support/engine-of-kind';

interface OnceWrong {
  /** The seed of its graph. */
  readonly graph: number;
  readonly text: string;
  readonly parameters: Readonly<Record<string, Value>>;
  /** Whether it may be rejected. */
  readonly refused?: boolean;
}

const ofBoth = (text: string, refused = false): OnceWrong => ({ graph: 1, text, parameters: {}, refused });

const BOTH: readonly OnceWrong[] = [
  {
    graph: 5711,
    text: "MATCH (n1:Movie) RETURN DISTINCT coalesce(n1.added, localdatetime('1969-12-31T23:59:59')) AS c0",
    parameters: {},
  },
  ofBoth(
    'MATCH (n1:Person), (n2:Person) RETURN n1.id AS c0, n2.id AS c1, n1 {.age, .id} = n2 {.age, .id} AS c2, {a: n1.age, b: 2} IN [{a: null, b: 3}] AS c3',
  ),
  ofBoth(
    'MATCH (n1:Person) RETURN n1.id AS c0, properties(n1) = n1 {.*} AS c1, [n1 {.score, .tags}] = [n1 {.score, .tags}] AS c2',
  ),
  ofBoth('MATCH (n1:Person)-[:KNOWS*3]->(n1) RETURN n1.name AS c0, count(*) AS c1'),
  ...['', ' {amount: 1}'].map((map) => ({
    graph: 5,
    text: `MATCH (a)-[:OWNS|PAID${map}]-(b)-[*2]->(b), (d:Account)<-[:OWNS|PAID*1..2]-(d) RETURN count(*) AS c0`,
    parameters: {},
  })),
  ofBoth('MATCH (n1:Person)-[r2:KNOWS]->() CALL (*) { RETURN n1.id + r2.since AS x } RETURN n1.id AS c0, x AS c1'),
  ofBoth(
    'MATCH (n1:Person) CALL (n1) { RETURN n1.id AS a, 1 AS b UNION RETURN 2 AS b, n1.id AS a } RETURN a AS c0, b AS c1',
  ),
  ofBoth('MATCH (n1:Person), (n2:Person) WHERE n1.score = n2.score RETURN n1.id AS c0, n2.id AS c1 ORDER BY c0, c1'),
  ofBoth(
    'MATCH (n1:Person)-[:LIKES]->(n2:Movie) WHERE NOT (n1.score < n2.rating) AND NOT n1.score = n2.rating RETURN n1.id AS c0, n2.id AS c1',
  ),
  ofBoth('MATCH (n1:Movie) RETURN tail([toInteger(n1.title), 2, n1.year]) AS c0, n1.id AS c1 ORDER BY c0 DESC, c1'),
  ofBoth(
    'MATCH (n1:Person) RETURN n1.id AS c0, n1.score AS c1, toInteger(n1.score) AS c2 ORDER BY n1.score DESC, c0 LIMIT 4',
  ),
  ofBoth('MATCH (n1:Person) RETURN n1.active AS c0, max(n1.score) AS c1, min(n1.score) AS c2'),
  ofBoth(
    'MATCH (n1:Person)-[:LIKES]->() RETURN n1.score IN [1.0, 2.25, null] AS c0, 1.0 IN [n1.score, 2.0] AS c1, CASE n1.score WHEN 1.0 THEN 2 END AS c2',
  ),
  ofBoth('MATCH (n1:Person) RETURN percentileDisc(n1.score, 0.5) AS c0', true),
  ofBoth('WITH null AS r1 MATCH (n2:Person)-[r1*1..2]->(n3) RETURN count(*) AS c0', true),
  ofBoth('MATCH (n1:Person) WITH n1.id AS ` where` ORDER BY ` where` LIMIT 3 WHERE ` where` > 0 RETURN ` where` AS c0'),
  ofBoth('MATCH (n1:Person) RETURN percentileDisc(CASE WHEN n1.score = n1.score THEN n1.score END, 0.5) AS c0'),
  ofBoth("MATCH (n1:Person)-[:LIKES]->() WHERE n1.name < date('2000-02-29') RETURN n1.id AS c0", true),
  ofBoth(
    'MATCH (n1:Person) WITH n1 ORDER BY n1.id WITH head(collect(n1)) AS x MATCH (x)-[r2:LIKES]->(n3:Movie) RETURN x.id AS c0, n3.id AS c1',
  ),
  ofBoth(
    'MATCH (`n``1`:Person) WITH `n``1`, `n``1`.id + 1 AS `x``` OPTIONAL MATCH (`n``1`)-[r2*3..2]->(n3) RETURN `x```, r2 IS NULL AS c1, size([(`n``1`)-[*2..1]->(n4) | 1]) AS c2',
    true,
  ),
  ofBoth('RETURN (-1) ^ (1.0 / 0.0) AS c0, 1 ^ (0.0 / 0.0) AS c1, (-1) ^ (0.0 / 0.0) AS c2'),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) WITH n1, CASE WHEN n1.age > 3 THEN n2 END AS x RETURN n1.id AS c0, x.id AS c1',
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) WHERE n2.year > 9999 WITH n1, head(collect(n2)) AS x RETURN n1.id AS c0, x.id AS c1',
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) WITH n1, [n2][0] AS x RETURN n1.id AS c0, x.id AS c1',
  ),
  ofBoth(
    'MATCH (n1:Person) WITH n1, NOT EXISTS { MATCH (n3:Person)-[:KNOWS]->(n1) WHERE n3.city = n1.city } AS x WHERE x RETURN n1.id AS c0',
  ),
  ofBoth(
    'MATCH (n1:Person) WITH n1, NOT EXISTS { MATCH (n3:Person)-[:KNOWS]->(n1) WHERE n3.city = n1.city } AS x RETURN n1.id AS c0, CASE WHEN x THEN 1 ELSE 2 END AS c1 ORDER BY x DESC, c0, c1 LIMIT 4',
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) WITH n1, n2 WHERE NOT size([(n3:Person)-[:LIKES]->(n2) | n3.id]) > 1 RETURN n1.id AS c0, n2.id AS c1',
  ),
  ofBoth('MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) RETURN DISTINCT n2 {.title, .id} AS c0'),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) RETURN n2 {.title, .id} AS c0, count(*) AS c1, count(n2) AS c2',
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) WITH n1, n2 {.title, .id} AS x WHERE x IS NULL RETURN n1.id AS c0',
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) WITH n1, n2 WHERE n2 IS NULL OR EXISTS { (n2)<-[:ACTED_IN]-(:Person) } RETURN n1.id AS c0, n2.id AS c1',
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) WITH n1, n2 AS k WHERE NOT (k)<-[:ACTED_IN]-(:Person) RETURN n1.id AS c0, k.id AS c1',
    true,
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) WITH n1, n2, EXISTS { (n2)<-[:ACTED_IN]-(:Person) } AS x WHERE n2 IS NULL OR x RETURN n1.id AS c0, n2.id AS c1',
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) WITH n1, n2, COUNT { (n2)<-[:ACTED_IN]-(:Person) } AS x ORDER BY x, n1.id, n2.id LIMIT 4 RETURN n1.id AS c0, n2.id AS c1',
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) RETURN n1.id AS c0, n2.id AS c1 ORDER BY EXISTS { (n2)<-[:ACTED_IN]-(:Person) } DESC, c0, c1 LIMIT 5',
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) OPTIONAL MATCH (n1)-[:KNOWS]->(n3:Person) WHERE NOT EXISTS { (n2)<-[:ACTED_IN]-(:Person) } RETURN n1.id AS c0, n2.id AS c1, n3.id AS c2',
    true,
  ),
  ofBoth(
    'MATCH (n1:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n2:Movie) MATCH (n3:Person) WHERE COUNT { (n2)<-[:ACTED_IN]-(:Person) } = 0 RETURN n1.id AS c0, n2.id AS c1, n3.id AS c2',
    true,
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WHERE NOT EXISTS { MATCH (n1)-[:LIKES]->(n3:Movie)<-[:LIKES]-(n4:Person) WHERE n4 = n2 } RETURN n1.id AS c0, n2.id AS c1',
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) RETURN n1.id AS c0, n2.id AS c1, COUNT { MATCH (n1)-[:LIKES]->(n3:Movie)<-[:LIKES]-(n4:Person) WHERE n4 = n2 } AS c2',
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) OPTIONAL MATCH (n1)-[:LIKES]->(n3:Movie)<-[:LIKES]-(n4:Person) WHERE n4 = n2 RETURN n1.id AS c0, n2.id AS c1, n4.id AS c2',
  ),
  ofBoth('MATCH (n1:Person) WITH [n1.id, n1.age] AS l RETURN 3 IN [x IN l | x + 1] AS c0'),
  ofBoth('MATCH (n1:Person) WITH [n1.id, n1.age] AS l WITH l AS k RETURN 300 IN k AS c0'),
  ofBoth(
    'MATCH (n1:Person) CALL (n1) { MATCH (n1)-[:KNOWS]->(n2:Person) RETURN count(n2) AS c } RETURN n1.id AS c0, c AS c1, [1, null] = [1, 2] AS c2',
  ),
  ofBoth(
    'MATCH (n1:Person) WITH n1, [true] + (n1.active IS NULL) AS l MATCH (n1)-[:KNOWS]->(n2:Person) RETURN n2.id AS c0, l AS c1, [1, null] = [1, 2] AS c2',
  ),
  ofBoth(
    'MATCH (n1:Person) WITH n1.id AS i, [6] AS l WITH i + 1 AS x, l WHERE any(i IN l WHERE i + 1 = 7) RETURN x AS c0',
  ),
  ofBoth(
    "MATCH (n1:Person) WITH n1, n1.name AS x OPTIONAL MATCH (n1)-[:KNOWS]->(n2:Person) WHERE any(x IN n2.tags WHERE x = 'a') RETURN n1.id AS c0, n2.id AS c1",
  ),
  ofBoth('MATCH (n1:Person) WITH n1.id AS x, n1 RETURN x AS c0, [x IN [1] | n1 {.id, x}] AS c1'),
  ofBoth(
    'MATCH p = (n1:Person)-[:KNOWS]->(:Person) RETURN n1.id AS c0, [x IN nodes(p) | size([(x)-[:LIKES]->(:Movie) | 1])] AS c1',
    true,
  ),
  ofBoth(
    'MATCH p = (n1:Person)-[:KNOWS]->(:Person) RETURN n1.id AS c0, [x IN nodes(p) | [(x)-[:LIKES]->(n2:Movie) | n2.id]] AS c1',
    true,
  ),
  ofBoth(
    'MATCH p = (n1:Person)-[:KNOWS]->(:Person) RETURN n1.id AS c0, [x IN nodes(p) WHERE EXISTS { (x)-[:LIKES]->(:Movie) } | x.id] AS c1',
    true,
  ),
  ofBoth(
    'MATCH (n1:Person) RETURN n1.id AS c0, EXISTS { MATCH (n1)-[:KNOWS]->(n2:Person) WHERE 3 IN [(n2)-[:LIKES]->(n3:Movie) | n3.id] } AS c1',
    true,
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WITH n2 AS n1, [1, null] = [1, 2] AS x WHERE EXISTS { MATCH (n1)-[:LIKES]->(:Movie) } RETURN n1.id AS c0, x AS c1',
    true,
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WITH n2 AS k, [1, null] = [1, 2] AS x WHERE EXISTS { (k)-[:LIKES]->(:Movie) } RETURN k.id AS c0, x AS c1',
    true,
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WITH n2 WHERE EXISTS { MATCH (n1)-[:LIKES]->(n3:Movie) WHERE n3.id > 1 } RETURN n2.id AS c0',
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WITH n2 WHERE COUNT { (n1)-[:LIKES]->(:Movie) } > 0 RETURN n2.id AS c0',
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WITH n2 WHERE COUNT { (n1)-[:LIKES]->(:Movie) } > 0 MATCH (n1:Place) RETURN n2.id AS c0, n1.code AS c1',
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WITH n2 AS k WHERE EXISTS { (k)-[:LIKES]->(:Movie) } RETURN k.id AS c0',
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WITH n2 AS n1 ORDER BY COUNT { (n1)-[:LIKES]->(:Movie) } DESC, n1.id LIMIT 4 RETURN n1.id AS c0',
    true,
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) RETURN n2 AS c0 ORDER BY COUNT { (c0)-[:LIKES]->(:Movie) } DESC, c0.id LIMIT 3',
    true,
  ),
  ofBoth(
    'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WITH n2 AS n1, n1.id AS k WHERE n1.id = 2 RETURN n1.id AS c0, k AS c1',
  ),
  ofBoth(
    "MATCH (n1:Person) WITH n1.tags AS l RETURN l AS c0, any(x IN l WHERE x = 'a') AS c1, all(x IN l WHERE x = 'a') AS c2, none(x IN l WHERE x = 'a') AS c3",
  ),
  ofBoth('MATCH (n1:Person) WITH n1.city AS c0, collect(n1.age) AS l WHERE any(x IN l WHERE x > 1) RETURN c0'),
];

/** Random queries that an engine once answered incorrectly. */
export const ONCE_WRONG: Readonly<Record<Kind, readonly OnceWrong[]>> = {
  graphdb_a: [
    ...BOTH,
    // Wrong in four of ten runs.
    ...Array.from({ length: 20 }, () => ({
      graph: 3300001,
      text: 'MATCH (n1:Account) WITH n1 ORDER BY n1.owner, n1.number SKIP 2 LIMIT 100 MATCH (n1)<-[:PAID]-(:Account) RETURN count(*) AS c0',
      parameters: {},
    })),
    {
      graph: 1214001,
      text: "MATCH (n1:Person) OPTIONAL MATCH (n1)-[:ACTED_IN]->(:Movie) WHERE (n1.active OR n1.age < n1.age) WITH * WHERE NOT EXISTS { (n1)-[:LIKES]->(n2:Movie) WHERE n1.city IS NULL OR 1 < n1.age <= 1 } RETURN date('2000-02-29') AS c0 ORDER BY c0 LIMIT 5",
      parameters: {},
    },
    {
      graph: 978001,
      text: "MATCH (n1:Person)-[:LIVES_IN]->(n2:Place) RETURN CASE n1.id WHEN 1 THEN substring(n1.name, 1) WHEN 2 THEN 'été' + $text3 ELSE [] END AS c0, sum(CASE WHEN n1.active THEN 0 ELSE n1.score END) AS c1",
      parameters: { text3: ' a' },
    },
    {
      graph: 961001,
      text: 'MATCH (n1:Person)-[:KNOWS*0..1]-(n2:Person), (n2)-[:KNOWS]->(n3:Person) RETURN DISTINCT n3.big AS c0, n3.name AS c1',
      parameters: {},
    },
    {
      graph: 3001,
      text: 'MATCH p = (n1:Person)-[:KNOWS*2..3]-(n2:Person) WHERE all(x IN nodes(p) WHERE x.active) RETURN length(p) AS c0, [x IN nodes(p) | x.id] AS c1',
      parameters: {},
    },
    {
      graph: 900001,
      text: "MATCH (n1:Movie)-[r2:ACTED_IN]-(n3:Person) RETURN n1.id AS a, n1.title AS b UNION MATCH (n4:Person)-[:LIVES_IN]-(n5:Place) RETURN (n4.id - n5.size * 2) AS a, 'a' AS b",
      parameters: {},
    },
    {
      graph: 902001,
      text: 'MATCH (n1:Person)-[:LIVES_IN]->(:Place) RETURN n1.id AS a, n1.name AS b UNION MATCH (n2:Place)<-[r3:LIVES_IN]-(n4:Person) RETURN (n2.size - 3 * 2) AS a, n4.name AS b',
      parameters: {},
    },
    {
      graph: 903001,
      text: 'MATCH (n1:Person)-[r2:OWNS]->(n3:Account)<-[:PAID]-(n4:Account) RETURN r2, count(*) AS c0',
      parameters: {},
    },
    {
      graph: 903001,
      text: "MATCH (n1:Place)<-[:LIVES_IN]-(n2:Person) WHERE none(x IN [0, n1.size, 0] WHERE x = n2.age) OR all(x IN [1, $int3, 0] WHERE x <> n1.size) RETURN DISTINCT n2.big AS c0, n2.big AS c1, date('2024-01-01') AS c2",
      parameters: { int3: -1n },
    },
    {
      graph: 904001,
      text: 'MATCH (n1:Person) RETURN COUNT { MATCH (n1)-[:LIKES]->(n2:Movie) WHERE n2.id <> n1.age } AS c0, n1.age AS c1 ORDER BY c0, c1 SKIP 0 LIMIT 3',
      parameters: {},
    },
    {
      graph: 910001,
      text: "MATCH (n1:Place) OPTIONAL MATCH (n1)<-[:LIVES_IN]-(:Person) WHERE 4 < n1.size <= 0 OPTIONAL MATCH (n1)-[:LIVES_IN]-(n2:Person) WHERE n1.size = n1.size RETURN split(n2.city, 'a')[0] AS c0, CASE 3 WHEN 1 THEN n2.age WHEN n2.id THEN 5 END IS NOT NULL AS c1, n2.big AS c2",
      parameters: {},
    },
    {
      graph: 911001,
      text: "MATCH (n1:Place) OPTIONAL MATCH (n1)<-[:LIVES_IN]-(:Person) WHERE n1.code =~ '[ab]+' OPTIONAL MATCH (n2:Account)<-[r3:OWNS]-(:Person) WHERE n1.name <= n2.owner RETURN r3.since AS c0, split(n2.owner, 'a')[0] AS c1 ORDER BY c0 DESC, c1 DESC",
      parameters: {},
    },
    {
      graph: 913001,
      text: 'MATCH (n1:Place)<-[:LIVES_IN]-(n2:Person) WITH DISTINCT 0 AS x, toString(-1) AS y RETURN x AS c0, count(toLower(y)) AS c1',
      parameters: {},
    },
    {
      graph: 922001,
      text: String.raw`MATCH (n1:Person)-[r2:LIVES_IN]->(n3:Place) RETURN CASE WHEN n1.big = 9007199254740993 THEN toInteger('it\'s') ELSE abs(r2.since) END AS c0, n1.active AS c1 ORDER BY c0 DESC, c1 DESC`,
      parameters: {},
    },
    {
      graph: 929001,
      text: "MATCH (n1:Person) RETURN CASE WHEN n1.active THEN left('a', 1) ELSE toUpper(n1.name) END AS c0, n1.city IN n1.tags AS c1 ORDER BY c0, c1 LIMIT 5",
      parameters: {},
    },
    {
      graph: 934001,
      text: 'MATCH (n1:Person)-[:KNOWS]->(n2:Person) WHERE none(x IN [0, $int3, -1] WHERE x < n1.age) OR (n2.active XOR n2.city IN n2.tags) RETURN DISTINCT n1.score AS c0, toFloat(-n2.id) AS c1, toFloat(n2.id) AS c2',
      parameters: { int3: 1n },
    },
    {
      graph: 1,
      text: 'MATCH (n1:Person) RETURN n1.id AS c0, toInteger(toString(n1.missing)) AS c1 ORDER BY c0',
      parameters: {},
    },
  ],
  graphdb_b: [
    ...BOTH,
    {
      graph: 2302001,
      text: "MATCH (n1:Movie) OPTIONAL MATCH (n1)<-[:LIKES]-(n3:Person) RETURN n1.id AS c0, n3.id AS c1, size([(n1)<-[q:LIKES]-(x:Person) WHERE EXISTS { MATCH (n3)--(x) } OR n1.name = 'a' | 1]) AS c2",
      parameters: {},
    },
    {
      graph: 2302001,
      text: "MATCH (n1:Person) OPTIONAL MATCH (n1)-[:ACTED_IN]->(n2:Movie) WITH * WHERE NOT EXISTS { MATCH (n1)-[q:LIVES_IN]->(x:Place) WHERE EXISTS { MATCH (n2)--(x) } OR n1.name = 'a' } RETURN n1.id AS c0, n2.id AS c1",
      parameters: {},
    },
    {
      graph: 2302001,
      text: "MATCH (n1:Movie) OPTIONAL MATCH (n1)<-[:LIKES]-(n3:Person) WITH * WHERE COUNT { MATCH (n1)<-[q:LIKES]-(x:Person) WHERE EXISTS { MATCH (n3)--(x) } OR n1.name = 'a' } = 1 RETURN n1.id AS c0, n3.id AS c1",
      parameters: {},
    },
    {
      graph: 2302001,
      text: 'MATCH (n1:Account) RETURN n1.number AS c0, COLLECT { MATCH (n1)-[r:PAID]->(m:Account) RETURN DISTINCT m.name AS x ORDER BY x } AS c1',
      parameters: {},
    },
    {
      graph: 2400001,
      text: 'MATCH (n:Person) RETURN n.big = (9007199254740992.0) AS c0, n.big IN [9007199254740992.0] AS c1, n.big > 1.5 AS c2, n.id AS c3',
      parameters: {},
    },
    {
      graph: 2302001,
      text: 'UNWIND $p1 AS x RETURN x AS c0 ORDER BY c0 DESC',
      parameters: { p1: [new Map<string, Value>([['a', 1n], ['b', 'x']]), new Map([['a', null]])] }, // prettier-ignore
    },
    {
      graph: 2501001,
      text: 'MATCH (n1:Person)-[r2:ACTED_IN]->(n3:Movie) WITH 1 AS b, 2 AS a WHERE a <> b OR r2.fee > 1 RETURN count(*) AS c0',
      parameters: {},
    },
    {
      graph: 2501001,
      text: 'MATCH (n:Person) RETURN n.id AS c0, n.big / (-1) AS c1, n.big / 3 AS c2',
      parameters: {},
    },
    {
      graph: 2302001,
      text: 'OPTIONAL MATCH (n1:Movie {id: true}) RETURN n1.id AS c0',
      parameters: {},
    },
    {
      graph: 2302001,
      text: 'UNWIND [true, 1, 1.0, [1]] AS x OPTIONAL MATCH (n:Movie) WHERE n.id = x OR n.id IN [x, false] RETURN n.id AS c0, x AS c1',
      parameters: {},
    },
    {
      graph: 1,
      text: "MATCH (n1:Movie) WITH n1.year AS x WHERE toInteger('b') IS NOT NULL RETURN count(x) AS c0",
      parameters: {},
    },
    {
      graph: 701001,
      text: "MATCH (n1:Account)--(n2:Account)--(n3:Account) RETURN n2.number AS c0, date('1969-12-31') AS c1 ORDER BY c0 DESC, c1",
      parameters: {},
    },
    {
      graph: 701001,
      text: 'MATCH (n1:Account) RETURN n1.limit = 1 XOR n1.limit = 2 AS c0, $int2 + 1 IN [1, 2, 3] AS c1, n1.number AS c2 ORDER BY c0 DESC, c1 DESC, c2 DESC SKIP 2',
      parameters: { int2: 2n },
    },
    {
      graph: 703001,
      text: "MATCH (n1:Movie) RETURN reduce(s = '', x IN [n1.year, -1, $int2 % 3][0..2] | s + toString(x)) AS c0, range(1, 3) = reverse([n1.year, 1, toInteger(n1.title)]) AS c1",
      parameters: { int2: 1n },
    },
    {
      graph: 704001,
      text: 'MATCH (n1:Account)-[r2:PAID]->(n3:Account) RETURN DISTINCT ([(n1.limit - n1.limit * 2), 3, n1.limit] + [n3.limit]) = ([CASE 4 WHEN 1 THEN r2.amount WHEN r2.amount THEN 5 END, 0, (n3.limit + n1.limit)] + [n1.limit]) AS c0, [x IN [abs(r2.amount), 2, head([n3.limit, -1, n1.limit])] | [x, n1.limit]] AS c1',
      parameters: {},
    },
    {
      graph: 912001,
      text: 'MATCH (n1:Place) OPTIONAL MATCH (n1)<-[r2:LIVES_IN]-(:Person) WHERE n1.size IS NULL RETURN DISTINCT -r2.since AS c0, r2.since AS c1, size([x IN [n1.size % 3, 3, 1] WHERE x > r2.since | x + 1]) AS c2',
      parameters: {},
    },
    {
      graph: 913001,
      text: "MATCH (n1:Person)-[:LIKES]->(n2:Movie) WITH n1.age AS x, replace('été', 'a', '-') AS y ORDER BY x, y RETURN date('2024-01-01') AS c0, substring(y, 1) AS c1, $bool3 AS c2",
      parameters: { bool3: true },
    },
    {
      graph: 914001,
      text: 'MATCH (n1:Account)<-[r2:OWNS]-(n3:Person) RETURN CASE WHEN n1.owner STARTS WITH n1.owner THEN size(n1.owner) ELSE reduce(s = 0, x IN [n1.limit, 3, n3.age] | s + x) END AS c0, CASE WHEN n3.big >= n1.number THEN n1.limit / 2 ELSE coalesce(n1.limit, n3.age, 9) END AS c1',
      parameters: {},
    },
    {
      graph: 914001,
      text: 'MATCH (n1:Person)-[r2:ACTED_IN]->(:Movie) OPTIONAL MATCH (n3:Person)-[:OWNS]->(n4:Account) WHERE n4.number >= n1.big RETURN coalesce(head([3, 1, n1.age]), n3.id, 9) AS c0, head(([$int5 % 3, 3, 2] + [n3.id])) AS c1',
      parameters: { int5: 2n },
    },
  ],
};
