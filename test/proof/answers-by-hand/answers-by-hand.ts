type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A query with its rows in any order; those of queries that end with ORDER BY in this order. */
export interface AnswerByHand {
  readonly text: string;
  readonly parameters?: Readonly<Record<string, Json>>;
  readonly rows: readonly (readonly Json[])[];
  /** The kind that rejects the query instead. */
  readonly rejectedBy?: 'graphdb_a' | 'graphdb_b';
  /** A part of its message. */
  readonly advice?: string;
}

/** By what they ask for. */
export const ANSWERS_BY_HAND: Readonly<Record<string, readonly AnswerByHand[]>> = {
  'names that a subquery does not import': [
    { text: 'MATCH (n:Person) CALL { MATCH (n:Movie) RETURN count(n) AS c } RETURN DISTINCT c', rows: [[2]] },
    {
      text: 'MATCH (p:Person), (m:Movie) CALL { WITH p MATCH (p)-[:KNOWS]->(m) RETURN count(m) AS c } RETURN sum(c)',
      rows: [[10]],
    },
  ],
  'a first WITH of a subquery that does more than import': [
    { text: 'MATCH (p:Person) CALL { WITH p WHERE p.id > 2 RETURN p.id AS x } RETURN x', rows: [[3], [4]] },
    {
      text: 'MATCH (p:Person) CALL { MATCH (m:Movie) RETURN m.id AS x UNION WITH p.id AS i, p ORDER BY i LIMIT 1 WHERE COUNT { (p)-[:LIKES]->() } = i RETURN i * 10 AS x } RETURN p.id, x',
      rows: [
        [1, 1],
        [1, 2],
        [1, 10],
        [2, 1],
        [2, 2],
        [2, 20],
        [3, 1],
        [3, 2],
        [4, 1],
        [4, 2],
      ],
    },
  ],
  'names of list items within the list': [
    {
      text: 'MATCH (m:Movie {id: 1}) RETURN reduce(s = 0, v IN COLLECT { MATCH (s:Person) WITH s.id AS s RETURN s } | s + v) AS x, size([p IN [(p:Person)-[:LIKES]->() | p.id] | p]) AS y',
      rows: [[10, 3]],
    },
  ],
  'subqueries without a pattern, and parts of a UNION without RETURN': [
    {
      text: 'MATCH (p:Person) WHERE EXISTS { MATCH (p)-[:LIKES]->() UNION MATCH (p)-[:KNOWS]->(p) } RETURN p.id',
      rows: [[1], [2], [3]],
    },
    {
      text: 'MATCH (p:Person) RETURN p.id, COUNT { MATCH (p)-[:LIKES]->() UNION ALL MATCH (p)-[:KNOWS]->(p) }',
      rows: [
        [1, 1],
        [2, 2],
        [3, 1],
        [4, 0],
      ],
    },
    {
      text: 'MATCH (p:Movie) CALL { WITH 1 AS k RETURN k + 1 AS c } RETURN p.id, c, EXISTS { RETURN 1 AS x }, COUNT { RETURN 1 AS x }, COLLECT { RETURN 1 AS x }',
      rows: [
        [1, 2, true, 1, [1]],
        [2, 2, true, 1, [1]],
      ],
    },
  ],
  'lists of values from outside of a subquery or source of rows': [
    {
      text: 'MATCH (p:Person) CALL (p) { UNWIND [x IN [1, 2, 3] WHERE x < p.id] AS i RETURN sum(i) AS s } RETURN p.id, s',
      rows: [
        [1, 0],
        [2, 1],
        [3, 3],
        [4, 6],
      ],
    },
    {
      text: 'MATCH (p:Person) OPTIONAL MATCH (p)-[:LIKES]->(m) UNWIND [x IN [1, 2] WHERE x = p.id OR x = m.id] AS i MATCH (p)-[:KNOWS]->(q) RETURN i, p.id, q.id, count(*)',
      rows: [
        [1, 1, 2, 2],
        [1, 2, 1, 1],
        [1, 2, 3, 1],
        [2, 2, 1, 2],
        [2, 2, 3, 2],
      ],
    },
    {
      text: 'MATCH (p:Person) RETURN p.id, p.id * 1.0 IN [(p)-[:KNOWS]->(q) | q.id]',
      rows: [1, 2, 3, 4].map((id) => [id, id === 3]),
    },
    {
      text: 'MATCH (p:Person) CALL (p) { MATCH (p)-[:LIKES]->(m) WHERE CASE WHEN p.active THEN p.name ELSE p.id END < (m.id = 1) RETURN count(*) AS c } RETURN p.id, c',
      rows: [1, 2, 3, 4].map((id) => [id, 0]),
    },
  ],
  'the order of rows with equal keys': [
    {
      text: 'MATCH (p:Person) WITH p ORDER BY p.id DESC WITH p ORDER BY p.age RETURN collect(p.id)',
      rows: [[[4, 1, 2, 3]]],
    },
    {
      text: 'MATCH (m:Movie) UNWIND [3, 1, 2] AS x WITH m, x ORDER BY m.id DESC RETURN m.id, collect(x)',
      rows: [
        [1, [3, 1, 2]],
        [2, [3, 1, 2]],
      ],
    },
  ],
  'the order of different values': [
    { text: 'MATCH (p:Person) WITH p ORDER BY p.id DESC RETURN DISTINCT p.age LIMIT 2', rows: [[30], [null]] },
    {
      text: 'MATCH (m:Movie) CALL (m) { MATCH (m)<-[:LIKES]-(p) WITH p ORDER BY p.id DESC WITH DISTINCT p.age AS a LIMIT 1 RETURN a } RETURN m.id, a',
      rows: [
        [1, 40],
        [2, 40],
      ],
    },
    { text: 'UNWIND [3, 1, 2, 3, 1] AS x WITH DISTINCT x LIMIT 2 RETURN collect(x)', rows: [[[3, 1]]] },
    { text: 'UNWIND [1.5, 3, 3.0] AS x RETURN toString(collect(DISTINCT x)[1])', rows: [['3']] },
    {
      text: 'MATCH (p:Person)-[k:KNOWS]->(q) WITH q, k ORDER BY k.since DESC RETURN collect(DISTINCT q.name)',
      rows: [[['Cid-3', 'Bob-2', 'Ann-1']]],
    },
    {
      text: 'MATCH (m:Movie) CALL (m) { MATCH (m)<-[:LIKES]-(p) WITH p ORDER BY p.id DESC RETURN collect(DISTINCT [p.age, p.active]) AS l } RETURN m.id, l',
      rows: [
        [
          1,
          [
            [40, false],
            [30, true],
          ],
        ],
        [2, [[40, false]]],
      ],
    },
  ],
  'a subject of CASE in brackets': [
    {
      text: "MATCH (p:Person) RETURN p.id, CASE (p.age) WHEN 30 THEN 'x' END, CASE (p.age = 40) WHEN true THEN 1 ELSE 2 END",
      rows: [
        [1, 'x', 2],
        [2, null, 1],
        [3, null, 2],
        [4, 'x', 2],
      ],
    },
  ],
  'a MATCH some clauses behind an OPTIONAL MATCH': [
    {
      text: 'MATCH (p:Person) OPTIONAL MATCH (p)-[:LIKES]->(m) UNWIND [5] AS i MATCH (p)-[r:KNOWS {since: i}]->(q) RETURN p.id, m.id, q.id',
      rows: [[3, null, 3]],
    },
  ],
  'texts that become longer than 512 bytes': [
    {
      text: "UNWIND range(510, 513) AS n UNWIND range(1, n) AS i WITH n, collect('a') AS l WITH n, reduce(s = '', x IN l | s + x) AS t RETURN n, size(t), size(t + 'bc'), right(t + 'bc', 3), size('' + n + t), size(t + 1), size(t + null) ORDER BY n",
      rows: [510, 511, 512, 513].map((n) => [n, n, n + 2, 'abc', n + 3, n + 1, null]),
    },
    {
      text: "UNWIND ['a', 1, null, [1]] AS x UNWIND ['b', 2] AS y RETURN x + y",
      rows: [['ab'], ['a2'], ['1b'], [3], [null], [null], [[1, 'b']], [[1, 2]]],
    },
    {
      text: "MATCH (m:Movie) RETURN 'a' + m.id + 'b' + m.id + 'c' + m.id + 'd' + m.id + 'e' + m.id + 'f' + m.id + 'g' + ('h' + ('i' + m.id)) + 1.5",
      rows: [['a1b1c1d1e1f1ghi11.5'], ['a2b2c2d2e2f2ghi21.5']],
    },
    { text: "MATCH (m:Movie) RETURN m.id + 'x' + m.id", rows: [['1x1'], ['2x2']] },
  ],
  'a LIMIT behind an ORDER BY of another clause': [
    {
      text: 'MATCH (p:Person) WITH p ORDER BY p.id WITH p, p.id > 2 AS x WITH p WHERE x RETURN p.id LIMIT 2',
      rows: [[3], [4]],
    },
    {
      text: 'MATCH (p:Person) WITH p ORDER BY p.id DESC RETURN DISTINCT p.id / 2 AS x SKIP 1 LIMIT 2',
      rows: [[1], [0]],
    },
    {
      text: 'MATCH (p:Person) CALL (p) { WITH p ORDER BY p.id WITH p WHERE p.id > 2 RETURN p.id AS x } RETURN x LIMIT 2',
      rows: [[3], [4]],
    },
    {
      text: 'MATCH (m:Movie) CALL () { MATCH (p:Person) RETURN p ORDER BY p.id } WITH m, p WHERE p.id > 3 RETURN m.id, p.id LIMIT 3',
      rows: [
        [1, 4],
        [2, 4],
      ],
    },
    { text: 'MATCH (p:Person) WITH * ORDER BY p.id WITH p WHERE p.id > 3 RETURN p.id LIMIT 1', rows: [[4]] },
    { text: 'MATCH (p:Person) WITH p ORDER BY p.id SKIP 1 WITH p WHERE p.id > 3 RETURN p.id LIMIT 1', rows: [[4]] },
    {
      text: 'RETURN COUNT { MATCH (p:Person) WITH p.id / 2 AS v ORDER BY v WITH DISTINCT v LIMIT 3 RETURN v } AS c',
      rows: [[3]],
    },
  ],
  'several values of a WHEN': [
    {
      text: "MATCH (p:Person) RETURN p.id, CASE p.id WHEN 1, 2 THEN 'few' WHEN 4 THEN 'four' END",
      rows: [
        [1, 'few'],
        [2, 'few'],
        [3, null],
        [4, 'four'],
      ],
    },
  ],
  'variables with the names of functions': [
    { text: 'MATCH (count:Movie) RETURN count {.id} AS m', rows: [[{ id: 1 }], [{ id: 2 }]] },
    { text: 'MATCH (exists:Movie) RETURN exists {.id, x: 1} AS m', rows: [[{ id: 1, x: 1 }], [{ id: 2, x: 1 }]] },
    { text: 'MATCH (collect:Movie) WITH collect {.id} AS m RETURN collect(m.id) AS l', rows: [[[1, 2]]] },
  ],
  'sums and averages of great integers': [
    {
      text: 'UNWIND [9223372036854775807, 9223372036854775807, -9223372036854775807] AS x RETURN sum(x) = 9223372036854775807, abs(avg(x) - 3074457345618258602.0) < 1000.0',
      rows: [[true, true]],
    },
    { text: 'UNWIND [9007199254740993, 9007199254740993] AS x RETURN avg(x) = 9007199254740992.0', rows: [[true]] },
  ],
  'an OPTIONAL MATCH behind a condition with OR on an aggregate': [
    {
      text: 'MATCH (n:Movie) UNWIND [] AS v WITH max(n.id) AS m WHERE m IS NULL OR m IS NULL OPTIONAL MATCH (p:Person) RETURN m, count(*)',
      rows: [[null, 4]],
    },
  ],
  'a MATCH behind a UNION in a subquery': [
    {
      text: 'MATCH (p:Person) CALL (p) { MATCH (p)-[:KNOWS]->(q) RETURN q UNION MATCH (p)-[:LIKES]->(q) RETURN q } OPTIONAL MATCH (q)-[:KNOWS]->(r) WHERE p.id = q.id RETURN p.id, labels(q)[0], q.id, count(r)',
      rows: [
        [1, 'Movie', 1, 0],
        [1, 'Person', 2, 0],
        [2, 'Movie', 1, 0],
        [2, 'Movie', 2, 0],
        [2, 'Person', 1, 0],
        [2, 'Person', 3, 0],
        [3, 'Person', 3, 1],
      ],
    },
    {
      text: 'CALL { MATCH (p:Movie) RETURN p.id AS i UNION RETURN 3 AS i } UNWIND [1, 2] AS k MATCH (q:Person {id: i}) WHERE $no RETURN count(*)',
      parameters: { no: false },
      rows: [[0]],
    },
    {
      text: 'CALL { MATCH (p:Movie) RETURN p.id AS i UNION RETURN 3 AS i } MATCH (q:Person {id: i}) RETURN q.name',
      rows: [['Ann-1'], ['Bob-2'], ['Cid-3']],
    },
  ],
  'a MATCH of nodes that are bound': [
    {
      text: 'MATCH (p:Person)-[:LIKES]->(m) OPTIONAL MATCH (m)<-[:KNOWS]-(q) WITH p, m, q MATCH (m:Movie), (p) WHERE p.id = m.id OPTIONAL MATCH (m), (q) WHERE false RETURN p.id, m.id, q.id',
      rows: [
        [1, 1, null],
        [2, 2, null],
      ],
    },
    {
      text: 'MATCH (p:Person) OPTIONAL MATCH path = (p) WHERE p.active RETURN p.id, length(path)',
      rows: [
        [1, 0],
        [2, null],
        [3, null],
        [4, 0],
      ],
    },
    {
      text: 'MATCH (m:Movie) CALL () { OPTIONAL MATCH () WHERE NOT EXISTS { (q:Person) WHERE q.id = 9 } OPTIONAL MATCH (q:Person {id: 4}) RETURN count(q) AS c } RETURN m.id, c',
      rows: [
        [1, 6],
        [2, 6],
      ],
    },
  ],
  'a pattern with properties in the condition of a WITH': [
    {
      text: 'MATCH (p:Person) UNWIND [1, 2] AS i MATCH (p) WHERE (p)-[:KNOWS {since: 1}]->(:Person) RETURN p.id, i',
      rows: [
        [1, 1],
        [1, 2],
      ],
    },
    {
      text: 'MATCH (p:Person) WITH p, p.id AS i WHERE NOT (p)-[:KNOWS {since: 1}]->() MATCH (p)-[:LIKES]->(m) RETURN i, m.id',
      rows: [
        [2, 1],
        [2, 2],
      ],
    },
  ],
  'parts of a text whose bounds may be null': [
    {
      text: "MATCH (p:Person) WHERE p.id > 2 CALL (p) { RETURN substring('abc', p.age - 29) AS x UNION ALL RETURN substring('abc', 1, p.age - 29) AS x UNION ALL RETURN left('abc', p.age) AS x UNION ALL RETURN right('abc', p.age - 29) AS x UNION ALL RETURN substring(p.code, p.age, 1) AS x } RETURN p.id, x",
      rows: [
        [3, null],
        [3, null],
        [3, null],
        [3, null],
        [3, null],
        [4, 'bc'],
        [4, 'b'],
        [4, 'abc'],
        [4, 'c'],
        [4, null],
      ],
    },
  ],
  'a pattern whose properties are computed, as a condition': [
    {
      text: 'MATCH (p:Person)-[:LIKES]->(m) WHERE (m)<-[:LIKES]-({id: toInteger(3.0 - p.id)}) MATCH (m) RETURN p.id, m.id',
      rows: [
        [1, 1],
        [2, 1],
      ],
    },
  ],
  'replace of a text that may be empty': [
    {
      text: "MATCH (p:Person) CALL (p) { RETURN replace('ab', p.code, p.name + null) AS x UNION ALL RETURN replace('ab', '', p.code) AS x } RETURN p.id, x",
      rows: [
        [1, null],
        [1, 'xaxbx'],
        [2, null],
        [2, 'yayby'],
        [3, null],
        [3, null],
        [4, null],
        [4, null],
      ],
    },
  ],
  'NaN of a power': [
    { text: 'MATCH (p:Person) RETURN (2 - p.id) ^ 0.5 AS x ORDER BY x', rows: [[0], [1], ['NaN'], ['NaN']] },
  ],
  'the order of maps': [
    {
      text: 'MATCH (p:Person) RETURN [{a: p.age}] AS x ORDER BY x',
      rows: [[[{ a: 30 }]], [[{ a: 30 }]], [[{ a: 40 }]], [[{ a: null }]]],
    },
    {
      text: 'UNWIND [{a: 0, b: 0}, {b: 1}, {}, {a: 2}] AS x RETURN x ORDER BY x',
      rows: [[{}], [{ a: 2 }], [{ b: 1 }], [{ a: 0, b: 0 }]],
    },
  ],
  'CASE of a value in brackets': [
    { text: 'MATCH (m:Movie) RETURN CASE (m.id - 1) WHEN 0 THEN m.title END AS x', rows: [['Heat'], [null]] },
  ],
  'an OPTIONAL MATCH at the beginning': [
    { text: 'OPTIONAL MATCH (n:Movie) WHERE n.id > 9 WITH n WHERE n.title IS NOT NULL RETURN n.id', rows: [] },
    { text: 'CALL { OPTIONAL MATCH (n:Movie {id: 9}) WITH n WHERE n IS NOT NULL RETURN n } RETURN n.id', rows: [] },
  ],
  'several lengths in a subquery that has no rows at first': [
    {
      text: 'MATCH (p:Person) CALL (p) { MATCH (p)-[:KNOWS]->(q) WHERE q.id = 3 MATCH (q)-[:KNOWS*1..2]->(r) RETURN r.id AS x } RETURN p.id, x',
      rows: [
        [2, 3],
        [3, 3],
      ],
    },
    {
      text: 'MATCH (p:Person) RETURN p.id, COUNT { MATCH (p)-[:LIKES]->(m) WHERE m.id = 2 MATCH (p)-[:KNOWS*1..2]->(r) RETURN r }',
      rows: [
        [1, 0],
        [2, 5],
        [3, 0],
        [4, 0],
      ],
    },
    {
      text: 'MATCH (p:Person) CALL (p) { WITH p WHERE p.age > 30 CALL (p) { RETURN 1 AS v UNION ALL RETURN p.id AS v } RETURN v } RETURN p.id, v',
      rows: [
        [2, 1],
        [2, 2],
      ],
    },
  ],
  'aggregates of no rows in a subquery': [
    {
      text: 'MATCH (p:Person) CALL (p) { MATCH (p)-[:LIKES]->(m) RETURN max(m.id) AS x UNION ALL RETURN p.id AS x } RETURN p.id, x',
      rows: [
        [1, 1],
        [1, 1],
        [2, 2],
        [2, 2],
        [3, null],
        [3, 3],
        [4, null],
        [4, 4],
      ],
    },
    ...['RETURN DISTINCT max(m.id) AS x', 'RETURN max(m.id) AS x ORDER BY x', 'WITH max(m.id) AS x RETURN x'].map(
      (rest) => ({
        text: `MATCH (p:Person) CALL (p) { MATCH (p)-[:LIKES]->(m) ${rest} } RETURN p.id, x`,
        rows: [
          [1, 1],
          [2, 2],
          [3, null],
          [4, null],
        ],
      }),
    ),
    {
      text: 'MATCH (p:Person) RETURN p.id, COLLECT { MATCH (p)-[:LIKES]->(m) RETURN min(m.id) AS x ORDER BY x }',
      rows: [
        [1, [1]],
        [2, [1]],
        [3, [null]],
        [4, [null]],
      ],
    },
  ],
  'UNION in a subquery behind clauses that find no rows first': [
    {
      text: 'MATCH (p:Person) WITH p ORDER BY p.id DESC CALL (p) { MATCH (p)-[:KNOWS]->(q) CALL (q) { RETURN q.id AS x UNION RETURN 2 AS x } RETURN sum(x) AS s } RETURN p.id, s',
      rows: [
        [1, 4],
        [2, 8],
        [3, 5],
        [4, 0],
      ],
    },
    {
      text: 'MATCH (p:Person) WITH p ORDER BY p.id DESC RETURN p.id, COUNT { MATCH (p)-[:KNOWS]->(q) MATCH (q)-[:KNOWS*1..2]->(r) }',
      rows: [
        [1, 10],
        [2, 7],
        [3, 1],
        [4, 0],
      ],
    },
  ],
  'labels of a node from which several steps lead to itself': [
    { text: 'MATCH (a:Person)-[:KNOWS*0..1]->(a:Movie) RETURN a.id', rows: [] },
    { text: 'MATCH (b:Movie)-[:KNOWS*0..1]->(a:Person)-[:LIKES*0..1]->(a) RETURN a.id, b.id', rows: [] },
    { text: 'MATCH (a:Person) OPTIONAL MATCH (a:Movie)-[:KNOWS*1..2]->(a) RETURN count(a)', rows: [[4]] },
    { text: 'MATCH (a:Person)-[:KNOWS*1..2]->(a:Person) RETURN DISTINCT a.id', rows: [[1], [2], [3]] },
  ],
  'shortest paths that do not meet a condition': ['shortestPath', 'allShortestPaths'].flatMap((search) =>
    ['->', '-'].map((arrow) => ({
      text: `MATCH (a:Person {id: 1}), (b:Person) WHERE b <> a OPTIONAL MATCH p = ${search}((a)-[r:KNOWS*..3]${arrow}(b)) WHERE b.id > 2 RETURN DISTINCT b.id, length(p), size(r)`,
      rows: [
        [2, null, null],
        [3, 2, 2],
        [4, null, null],
      ],
    })),
  ),
  'names from outside of a subquery, behind a WITH': [
    {
      text: 'MATCH (p:Person) CALL (p) { MATCH (p)-[:LIKES]->(m) WITH m MATCH (p)-[:KNOWS]->(q) RETURN m.id AS m, q.id AS q } RETURN p.id, m, q',
      rows: [
        [1, 1, 2],
        [1, 1, 2],
        [2, 1, 1],
        [2, 1, 3],
        [2, 2, 1],
        [2, 2, 3],
      ],
    },
    {
      text: 'MATCH (p:Person) CALL (p) { MATCH (p)-[:LIKES]->(m) WITH count(*) AS c RETURN c + p.id AS x } RETURN p.id, x',
      rows: [
        [1, 2],
        [2, 4],
        [3, 3],
        [4, 4],
      ],
    },
    {
      text: 'MATCH (p:Person) RETURN p.id, COUNT { MATCH (m:Movie) WITH m MATCH (p)-[:LIKES]->(m) RETURN m }',
      rows: [
        [1, 1],
        [2, 2],
        [3, 0],
        [4, 0],
      ],
    },
    {
      text: 'MATCH (p:Person) WHERE EXISTS { MATCH (m:Movie) WITH count(*) AS c WHERE c = p.id RETURN c } RETURN p.id',
      rows: [[2]],
    },
    {
      text: 'MATCH (p:Person) RETURN [i IN [1, 2] | COUNT { MATCH (m:Movie) WITH m WHERE m.id = i MATCH (p)-[:LIKES]->(m) RETURN m }]',
      rows: [[[1, 0]], [[1, 1]], [[0, 0]], [[0, 0]]],
      rejectedBy: 'graphdb_b',
      advice: 'write UNWIND list AS x and OPTIONAL MATCH',
    },
  ],
  'properties by a computed name': [
    {
      text: 'MATCH (a:Person) RETURN a.id, sum(a[$name]), COUNT { MATCH (a)-[:KNOWS]->(b) WHERE b[$name] > 30 } ORDER BY a.id',
      parameters: { name: 'age' },
      rows: [
        [1, 30, 2],
        [2, 40, 0],
        [3, 0, 0],
        [4, 30, 0],
      ],
    },
    ...['id', 'age'].map((name) => ({
      text: 'MATCH (a:Person {id: 1}) RETURN a[$name]',
      parameters: { name },
      rows: [[name === 'id' ? 1 : 30]],
    })),
    {
      text: "MATCH (n) UNWIND keys(n) AS key WITH n, key WHERE EXISTS { MATCH (n)<-[r]-() WHERE n[key] IN ['y', 7, 'Up'] } RETURN labels(n)[0], n.id, key, n[key]",
      rows: [
        ['Person', 2, 'code', 'y'],
        ['Movie', 1, 'code', 7],
        ['Movie', 2, 'title', 'Up'],
      ],
    },
    {
      text: "MATCH (a:Person) UNWIND ['x', 'y', 'z'] AS key WITH a, {x: a.id, y: a.name} AS map, key WHERE EXISTS { MATCH (a)-[:LIKES]->(:Movie {code: 8}) WHERE map[key] IS NOT NULL } RETURN key, map[key]",
      rows: [
        ['x', 2],
        ['y', 'Bob-2'],
      ],
    },
  ],
  'maps with different keys': [
    {
      text: 'MATCH (n:Person) WHERE n.id < 3 RETURN {a: n.id, b: 1} AS m UNION MATCH (n:Movie) RETURN {b: 1, a: n.id} AS m UNION MATCH (n:Movie) RETURN {b: 1} AS m',
      rows: [[{ a: 1, b: 1 }], [{ a: 2, b: 1 }], [{ b: 1 }]],
    },
    {
      text: 'CALL { MATCH (n:Person) RETURN {age: n.age} AS m UNION ALL MATCH (n:Movie) RETURN {code: {text: n.code}} AS m } RETURN m, keys(m), count(*), m.code.text',
      rows: [
        [{ age: 30 }, ['age'], 2, null],
        [{ age: 40 }, ['age'], 1, null],
        [{ age: null }, ['age'], 1, null],
        [{ code: { text: 7 } }, ['code'], 1, 7],
        [{ code: { text: 8 } }, ['code'], 1, 8],
      ],
    },
    {
      text: 'UNWIND $maps AS map MATCH (n:Person) WHERE n.id = map.id AND EXISTS { MATCH (n)-[r]->() WHERE r.stars > 4 OR map.x = 2 } RETURN map, map["x"]',
      parameters: { maps: [{ id: 1 }, { x: 2, id: 2 }, { id: 4, y: null }] },
      rows: [
        [{ id: 1 }, null],
        [{ id: 2, x: 2 }, 2],
      ],
    },
    {
      text: 'MATCH (n:Person) WITH n, [{a: n.id}, {}, {b: null}] AS maps WHERE EXISTS { MATCH (n)-[:LIKES]->(m) WHERE maps[0].a = 1 OR m.id = maps[1].c } RETURN maps',
      rows: [[[{ a: 1 }, {}, { b: null }]]],
    },
  ],
  'orders of values of two types': [
    {
      text: "MATCH (n:Person) WITH n, [n.name, 'a'] AS l RETURN n.id, all(x IN l WHERE x > 0), any(x IN l WHERE NOT x > 0), none(x IN l WHERE 0 < x < n.id), single(x IN l WHERE x < true)",
      rows: [1, 2, 3, 4].map((id) => [id, null, null, null, null]),
    },
    {
      text: "MATCH (n:Person) RETURN n.id, [x IN [n.age, 'a', null] WHERE NOT x > 35] AS y",
      rows: [
        [1, [30]],
        [2, []],
        [3, []],
        [4, [30]],
      ],
    },
    { text: 'MATCH (n:Person) WHERE n.id < 100 XOR n.age <= n.name RETURN n.id', rows: [] },
    { text: 'MATCH (n:Person) WHERE NOT (n.id > 100 XOR n.name > n.id) RETURN n.id', rows: [] },
  ],
  'times with zones in rows': [
    {
      text: "MATCH (n:Person {id: 1}) UNWIND [datetime('2024-01-01T10:00Z'), datetime('2024-01-01T11:00+01:00')] AS x RETURN toString(x), x.hour, x = datetime('2024-01-01T10:00Z'), x > datetime('2024-01-01T10:00Z'), toString(x + duration({days: n.id}))",
      rows: [
        ['2024-01-01T10:00Z', 10, true, false, '2024-01-02T10:00Z'],
        ['2024-01-01T11:00+01:00', 11, false, true, '2024-01-02T11:00+01:00'],
      ],
    },
    ...['count(DISTINCT x)', 'size(collect(DISTINCT x))'].map((count) => ({
      text: `MATCH (n:Person {id: 1}) UNWIND [datetime('2024-01-01T10:00Z'), datetime('2024-01-01T11:00+01:00')] AS x RETURN ${count}`,
      rows: [[2]],
    })),
    {
      text: "MATCH (n:Person {id: 1}) UNWIND [datetime('2024-01-01T10:00Z'), datetime('2024-01-01T11:00+01:00')] AS x WITH x, n, count(*) AS c ORDER BY x DESC LIMIT 1 RETURN x.timezone, c",
      rows: [['+01:00', 1]],
    },
    {
      text: "MATCH (n:Person) RETURN n.id, toString(CASE WHEN n.id > 2 THEN datetime('2024-01-01T11:00+01:00') ELSE datetime('2024-01-01T10:00Z') END) AS x ORDER BY n.id LIMIT 3",
      rows: [
        [1, '2024-01-01T10:00Z'],
        [2, '2024-01-01T10:00Z'],
        [3, '2024-01-01T11:00+01:00'],
      ],
    },
  ],
  'positions beyond 32 bits': [
    {
      text: 'MATCH (n:Person) WITH n, n.id * 4294967296 AS p RETURN n.id, [1, 2][p], [1, 2][..p], [1, 2][p..], [1, 2][-p..-p], [[1, 2][n.id % 2 - 2]][p - p], toBoolean(p)',
      rows: [1, 2, 3, 4].map((id) => [id, null, [1, 2], [], [], 2 - (id % 2 === 0 ? 1 : 0), true]),
    },
    { text: 'MATCH (n:Person) RETURN n.id ORDER BY n.id SKIP 1 LIMIT 4294967296', rows: [[2], [3], [4]] },
    { text: 'MATCH (n:Person) WITH n SKIP $most RETURN n.id', parameters: { most: 4294967296 }, rows: [] },
  ],
  'letters beyond ASCII': [
    { text: String.raw`MATCH (n:Person) WHERE n.name + 'é' =~ '.*\\w' RETURN n.id`, rows: [] },
    {
      text: 'MATCH (n:Person) WHERE n.name + $text =~ $pattern RETURN count(*)',
      parameters: { text: 'é٣', pattern: String.raw`\w+-\d\W[^\d]` },
      rows: [[4]],
    },
    {
      text: "MATCH (n:Movie {id: 1}) RETURN toUpper(n.title + 'ß'), replace('é', '', n.title)",
      rows: [['HEATSS', 'HeatéHeat']],
    },
    {
      text: "MATCH (n:Movie {id: 2}) RETURN toLower(n.title + 'ΟΔΟΣ'), toLower(n.title + 'ΣΑΣ, ΣΑΣ') = toLower('UpΣΑΣ, ΣΑΣ'), toLower(n.title + 'İ'), toLower(n.title + '.:Σ.')",
      rows: [['upοδος', true, 'upi̇', 'up.:ς.']],
    },
  ],
  'types and labels beside parameters': [
    {
      text: 'MATCH (:Person)-[r]->() WHERE type(r) = $type RETURN r.stars',
      parameters: { type: 'LIKES' },
      rows: [[5], [3], [4]],
    },
    {
      text: 'MATCH (:Person)-[r]->() WHERE type(r) IN $types RETURN type(r), count(*)',
      parameters: { types: ['LIKES', 'MISSING'] },
      rows: [['LIKES', 3]],
    },
    {
      text: 'MATCH (:Person)-[r]->() WHERE $all OR type(r) = $type RETURN count(*)',
      parameters: { all: false, type: 'KNOWS' },
      rows: [[5]],
    },
    {
      text: 'MATCH (:Person)-[r:LIKES]->() WHERE type(r) = $type RETURN count(*)',
      parameters: { type: 'KNOWS' },
      rows: [[0]],
    },
    {
      text: 'MATCH (n) WHERE $label IN labels(n) RETURN labels(n), n.id',
      parameters: { label: 'Movie' },
      rows: [
        [['Movie'], 1],
        [['Movie'], 2],
      ],
    },
    {
      text: 'MATCH (n:Person) WHERE $label IN labels(n) RETURN count(*)',
      parameters: { label: 'Movie' },
      rows: [[0]],
    },
    {
      text: 'MATCH (n) WHERE labels(n)[0] = $label AND n.id > 2 RETURN n.id',
      parameters: { label: 'Person' },
      rows: [[3], [4]],
    },
    {
      text: 'MATCH (n) WHERE labels(n) = $labels RETURN count(*)',
      parameters: { labels: ['Person'] },
      rows: [[4]],
    },
  ],
  'lists that are the same in all rows': [
    ...[
      { ages: [30, 50], rows: [[true], [false], [null], [true]] },
      { ages: [30, null], rows: [[true], [null], [null], [true]] },
      { ages: [], rows: [[false], [false], [false], [false]] },
      { ages: null, rows: [[null], [null], [null], [null]] },
    ].map(({ ages, rows }) => ({
      text: 'MATCH (n:Person) RETURN n.age IN $ages AS x ORDER BY n.id',
      parameters: { ages },
      rows,
    })),
    {
      text: 'MATCH (n:Person) WHERE NOT n.id IN $ids OR n.name IN $names RETURN n.id ORDER BY n.id',
      parameters: { ids: [1, 2], names: ['Bob-2'] },
      rows: [[2], [3], [4]],
    },
    {
      text: 'MATCH (n:Person) RETURN n.id, COUNT { MATCH (n)-[:KNOWS]->(m) WHERE NOT m.id IN $ids OR n.id IN $ids }',
      parameters: { ids: [2, 3] },
      rows: [
        [1, 0],
        [2, 2],
        [3, 1],
        [4, 0],
      ],
    },
    {
      text: 'MATCH (n:Person)-[:LIKES]->() WITH collect(n.id) AS ids MATCH (m:Person) RETURN m.id, m.id IN ids, size(ids) ORDER BY m.id',
      rows: [
        [1, true, 3],
        [2, true, 3],
        [3, false, 3],
        [4, false, 3],
      ],
    },
    {
      text: 'MATCH (n:Person)-[:LIKES]->() WITH collect(n) AS all SKIP 0 MATCH (m:Person) WHERE NOT m IN all RETURN m.id ORDER BY m.id',
      rows: [[3], [4]],
    },
    {
      text: 'MATCH (n:Movie {id: 7}) WITH collect(n.id) AS ids OPTIONAL MATCH (m:Movie) WHERE m.id IN ids RETURN m.id, ids',
      rows: [[null, []]],
    },
    {
      text: 'MATCH (n:Person) WITH collect(n.id) AS ids CALL (ids) { MATCH (m:Movie) WHERE m.id IN ids RETURN m.id AS id } RETURN id, EXISTS { MATCH (m:Movie) WHERE NOT m.id IN ids }',
      rows: [
        [1, false],
        [2, false],
      ],
    },
  ],
  'constants beside values': [
    {
      text: "MATCH (n:Movie {id: 1}) RETURN replace('é😀', $empty, n.title) AS x, replace('', $empty, n.title + '\\\\1') AS y",
      parameters: { empty: '' },
      rows: [['HeatéHeat😀Heat', 'Heat\\1']],
    },
    {
      text: 'MATCH (n:Movie {id: 1}) UNWIND [9007199254740993] AS i RETURN i = 9007199254740992.0, i > n.id * 9007199254740992.0',
      rows: [[false, true]],
    },
    {
      text: 'MATCH (n:Movie {id: 1}) UNWIND range(1, 20000) AS i WITH i WHERE rand() < 0.1 WITH count(*) AS c RETURN 1500 < c AND c < 2500',
      rows: [[true]],
    },
  ],
  'lists beside their items': [
    {
      text: 'MATCH (n:Person) WITH n ORDER BY n.id WITH collect(n.name) AS names, count(*) AS c UNWIND range(0, size(names) - 2) AS i RETURN names[i], names[i + 1], i, c ORDER BY i',
      rows: [
        ['Ann-1', 'Bob-2', 0, 4],
        ['Bob-2', 'Cid-3', 1, 4],
        ['Cid-3', 'Dan-4', 2, 4],
      ],
    },
    {
      text: 'MATCH (m:Movie) WITH collect(m.id) AS ids UNWIND ids AS a UNWIND ids AS ids2 WITH a, ids2 AS b, ids WHERE a < b RETURN a, b, [x IN ids WHERE x IN [a, b]] AS c',
      rows: [[1, 2, [1, 2]]],
    },
  ],
  'comparisons of values with subqueries': [
    {
      text: 'MATCH (n:Person) RETURN n.age / 10.0 > COUNT { (n)-[:KNOWS]->() } AS x, n.age / 20.0 < COUNT { (n)-->() } + 0.5 AS y ORDER BY n.id',
      rows: [
        [true, true],
        [true, true],
        [null, null],
        [true, false],
      ],
    },
  ],
  'outer nodes in conditions of OPTIONAL MATCH': [
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[:LIKES]->(m:Movie) WHERE a.active RETURN a.id, m.title',
      rows: [
        [1, 'Heat'],
        [2, null],
        [3, null],
        [4, null],
      ],
    },
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[:KNOWS]->(b:Person) WHERE coalesce(a.active, true) RETURN a.id, b.id',
      rows: [
        [1, 2],
        [1, 2],
        [2, null],
        [3, 3],
        [4, null],
      ],
    },
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[:LIKES]->(m:Movie) OPTIONAL MATCH (a)-[:KNOWS]->(b:Person) WHERE m IS NULL RETURN a.id, m.id, b.id',
      rows: [
        [1, 1, null],
        [2, 1, null],
        [2, 2, null],
        [3, null, 3],
        [4, null, null],
      ],
    },
    {
      text: 'MATCH (n) OPTIONAL MATCH (n)-[:KNOWS]->(b:Person) WHERE n:Person AND coalesce(n.active, true) RETURN labels(n)[0], n.id, b.id',
      rows: [
        ['Person', 1, 2],
        ['Person', 1, 2],
        ['Person', 2, null],
        ['Person', 3, 3],
        ['Person', 4, null],
        ['Movie', 1, null],
        ['Movie', 2, null],
      ],
    },
  ],
  'outer nodes in conditions of subqueries': [
    {
      text: 'MATCH (a:Person) RETURN a.id, COUNT { MATCH (a)-[:KNOWS]->(b) WHERE coalesce(a.active, true) }',
      rows: [
        [1, 2],
        [2, 0],
        [3, 1],
        [4, 0],
      ],
    },
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[:LIKES]->(m:Movie) RETURN a.id, m.id, COUNT { MATCH (a)-[:KNOWS]->(:Person) WHERE m IS NULL }',
      rows: [
        [1, 1, 0],
        [2, 1, 0],
        [2, 2, 0],
        [3, null, 1],
        [4, null, 0],
      ],
    },
    {
      text: 'MATCH (n) WHERE EXISTS { MATCH (n)-->(x) WHERE n:Person AND coalesce(n.active, true) } RETURN labels(n)[0], n.id',
      rows: [
        ['Person', 1],
        ['Person', 3],
      ],
    },
    {
      text: 'MATCH (a:Person) RETURN a.id, [(a)-[:KNOWS]->(b) WHERE a.active IS NULL | b.id]',
      rows: [
        [1, []],
        [2, []],
        [3, [3]],
        [4, []],
      ],
    },
    {
      text: 'MATCH (a:Person) RETURN a.id, size([(a)-[:KNOWS]->(b) WHERE coalesce(a.active, true) | b.id])',
      rows: [
        [1, 2],
        [2, 0],
        [3, 1],
        [4, 0],
      ],
    },
  ],
  'values of outer rows in subqueries': [
    {
      text: 'MATCH (a:Person) RETURN a.id, EXISTS { MATCH (b:Person) WHERE b.age <> a.age }',
      rows: [
        [1, true],
        [2, true],
        [3, false],
        [4, true],
      ],
    },
    {
      text: 'MATCH (a:Person) RETURN a.id, [(a)-[:LIKES]->(m) | a.name]',
      rows: [
        [1, ['Ann-1']],
        [2, ['Bob-2', 'Bob-2']],
        [3, []],
        [4, []],
      ],
    },
    {
      text: 'MATCH (a:Person) CALL (a) { OPTIONAL MATCH (a)-[:LIKES]->(m) RETURN sum(a.id) AS x } RETURN a.id, x',
      rows: [
        [1, 1],
        [2, 4],
        [3, 3],
        [4, 4],
      ],
    },
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[:LIKES]->(m:Movie) WHERE single(x IN [7, 8] WHERE x = m.code + a.id - 1) RETURN a.id, m.title',
      rows: [
        [1, 'Heat'],
        [2, 'Heat'],
        [3, null],
        [4, null],
      ],
    },
  ],
  'several list functions in one expression': [
    {
      text: 'MATCH (a:Person) RETURN a.id, [x IN [1, 2, 3] WHERE x > a.id] + [y IN [a.id] | y * 10]',
      rows: [
        [1, [2, 3, 10]],
        [2, [3, 20]],
        [3, [30]],
        [4, [40]],
      ],
    },
    {
      text: 'MATCH (a:Person) RETURN a.id, any(x IN [1, 2] WHERE x = a.id) AND all(y IN [a.id] WHERE y < 2)',
      rows: [
        [1, true],
        [2, false],
        [3, false],
        [4, false],
      ],
    },
    {
      text: 'MATCH (a:Person) RETURN a.id, size([x IN range(1, a.id) WHERE x > 1]) * 10 + size([x IN range(1, a.id) WHERE x > 2])',
      rows: [
        [1, 0],
        [2, 10],
        [3, 21],
        [4, 32],
      ],
    },
    {
      text: "MATCH (a:Person) WHERE a.id < 3 RETURN reduce(s = {n: 0, t: ''}, x IN range(1, a.id) | {n: s.n + a.id, t: s.t + 'x'})",
      rows: [[{ n: 1, t: 'x' }], [{ n: 4, t: 'xx' }]],
    },
    {
      text: 'MATCH (a:Person) RETURN a.id, reduce(s = 0, x IN range(1, a.id) | s + x * a.id)',
      rows: [
        [1, 1],
        [2, 6],
        [3, 18],
        [4, 40],
      ],
    },
    {
      text: 'MATCH (a:Person) RETURN a.id, reduce(s = [], x IN range(2, a.id) | s + [x, a.id])',
      rows: [
        [1, []],
        [2, [2, 2]],
        [3, [2, 3, 3, 3]],
        [4, [2, 4, 3, 4, 4, 4]],
      ],
    },
    {
      text: "MATCH (a:Person) RETURN split(split(a.name, '-')[0], 'n')",
      rows: [[['A', '', '']], [['Bob']], [['Cid']], [['Da', '']]],
    },
    {
      text: "MATCH (a:Person) WHERE toInteger(split(a.name, '-')[1]) > 2 RETURN split(a.name, '-')",
      rows: [[['Cid', '3']], [['Dan', '4']]],
    },
    {
      text: "MATCH (a:Person) RETURN a.id, [x IN [1, 2, 3] | CASE WHEN x IN [a.id, 3] THEN 'a' ELSE 'b' END]",
      rows: [
        [1, ['a', 'b', 'a']],
        [2, ['b', 'a', 'a']],
        [3, ['b', 'b', 'a']],
        [4, ['b', 'b', 'a']],
      ],
    },
  ],
  'the ends of relationships': [
    {
      text: 'MATCH (a:Person)-[r:KNOWS]-(b:Person) WHERE startNode(r) = a RETURN a.id, b.id, r.since',
      rows: [
        [1, 2, 1],
        [2, 1, 2],
        [1, 2, 3],
        [2, 3, 4],
        [3, 3, 5],
      ],
    },
    {
      text: 'MATCH (a:Person {id: 1})-[r:KNOWS]-() RETURN r.since, startNode(r) = a, endNode(r).id',
      rows: [
        [1, true, 2],
        [2, false, 1],
        [3, true, 2],
      ],
    },
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[r:LIKES]->() RETURN a.id, startNode(r) = a, endNode(r).title',
      rows: [
        [1, true, 'Heat'],
        [2, true, 'Heat'],
        [2, true, 'Up'],
        [3, null, null],
        [4, null, null],
      ],
    },
  ],
  'steps of several lengths': [
    {
      text: 'MATCH (:Person {id: 1})-[:KNOWS*0..2]->(b) RETURN b.id',
      rows: [[1], [2], [2], [1], [3], [1], [3]],
    },
    {
      text: 'MATCH (:Person {id: 3})-[:KNOWS*0..2]-(b) RETURN b.id, count(*)',
      rows: [
        [1, 3],
        [2, 2],
        [3, 2],
      ],
    },
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[r:KNOWS*2]->() RETURN a.id, size(r), count(*)',
      rows: [
        [1, 2, 4],
        [2, 2, 3],
        [3, null, 1],
        [4, null, 1],
      ],
    },
    {
      text: 'MATCH (a:Person)-[r:KNOWS*0..1]->() RETURN a.id, [x IN r | x.since]',
      rows: [
        [1, []],
        [1, [1]],
        [1, [3]],
        [2, []],
        [2, [2]],
        [2, [4]],
        [3, []],
        [3, [5]],
        [4, []],
      ],
    },
    {
      text: 'MATCH (a:Person {id: 1}), (b:Person) WHERE b.id > 1 MATCH p = shortestPath((a)-[:KNOWS*]->(b)) RETURN b.id, length(p)',
      rows: [
        [2, 1],
        [3, 2],
      ],
    },
    {
      text: 'MATCH (a:Person {id: 1}), (b:Person {id: 3}) MATCH p = allShortestPaths((a)-[:KNOWS*]->(b)) RETURN [r IN relationships(p) | r.since]',
      rows: [[[1, 4]], [[3, 4]]],
    },
    {
      text: 'MATCH (:Person {id: 1})-[:KNOWS*1..2 {since: 2 - 1}]->(b) RETURN b.id',
      rows: [[2]],
    },
    {
      text: 'MATCH (:Person {id: 1})-[:KNOWS*1..2 {since: $n + 1}]->(b) RETURN b.id',
      parameters: { n: 2 },
      rows: [[2]],
    },
    {
      text: 'MATCH (a:Person) MATCH (a)-[r:KNOWS*1..2 {since: a.id}]->(b) RETURN a.id, b.id, size(r)',
      rows: [
        [1, 2, 1],
        [2, 1, 1],
      ],
    },
  ],
  'boolean items and constant conditions of lists': [
    {
      text: 'RETURN [x IN [true, false, null] WHERE x], [x IN [true, false] WHERE NOT x | x], any(x IN [false, true] WHERE x)',
      rows: [[[true], [false], true]],
    },
    {
      text: 'MATCH (a:Person) RETURN a.id, all(x IN [a.active, true] WHERE x), [x IN [a.active, true] WHERE x]',
      rows: [
        [1, true, [true, true]],
        [2, false, [true]],
        [3, null, [true]],
        [4, true, [true, true]],
      ],
    },
    {
      text: 'RETURN any(x IN [1, 2] WHERE true), all(x IN [1, 2] WHERE false), none(x IN [1] WHERE false), single(x IN [1] WHERE true), single(x IN [1, 2] WHERE true)',
      rows: [[true, false, true, true, false]],
    },
    {
      text: 'MATCH (a:Person) WHERE any(x IN [a.age] WHERE true) AND NOT any(x IN [] WHERE true) RETURN count(*)',
      rows: [[4]],
    },
  ],
  'one name of properties of two types': [
    {
      text: 'MATCH (n) RETURN labels(n)[0], n.id, n.code',
      rows: [
        ['Person', 1, 'x'],
        ['Person', 2, 'y'],
        ['Person', 3, null],
        ['Person', 4, null],
        ['Movie', 1, 7],
        ['Movie', 2, 8],
      ],
    },
    { text: 'MATCH (n) WHERE n.code = 7 RETURN n.title', rows: [['Heat']] },
    { text: "MATCH (n) WHERE n.code = '7' RETURN n.title", rows: [] },
    { text: "MATCH (n) WHERE n.code IN ['x', 8] RETURN n.id", rows: [[1], [2]] },
    { text: 'MATCH (n) WHERE n.code > 7 RETURN n.id', rows: [[2]] },
    { text: "MATCH (n) WHERE n.code STARTS WITH 'y' RETURN n.id", rows: [[2]] },
    { text: 'MATCH (n) RETURN n.code AS c ORDER BY c', rows: [['x'], ['y'], [7], [8], [null], [null]] },
    { text: 'MATCH (n) RETURN count(n.code), count(DISTINCT n.code), count(DISTINCT n.id)', rows: [[4, 4, 4]] },
  ],
  'integers beside floats': [
    { text: 'MATCH (n:Person {id: 2.0}) RETURN n.name', rows: [['Bob-2']] },
    {
      text: 'UNWIND [1.0, 1.5, 1e300, -1e300, 0.0 / 0] AS x MATCH (n:Person {id: x}) RETURN n.name',
      rows: [['Ann-1']],
    },
    { text: 'UNWIND [9007199254740993, 9007199254740991] AS i WITH i WHERE i = 9007199254740992.0 RETURN i', rows: [] },
  ],
  'shortest paths': [
    {
      text: 'MATCH (a:Person {id: 1}), (b:Person) WHERE b.id > 1 RETURN b.id, length(shortestPath((a)-[:KNOWS*]->(b)))',
      rows: [
        [2, 1],
        [3, 2],
        [4, null],
      ],
    },
    {
      text: 'MATCH (a:Person {id: 1}), (b:Person {id: 3}) MATCH p = shortestPath((a)-[:KNOWS*]->(b)) RETURN [n IN nodes(p) | n.id]',
      rows: [[[1, 2, 3]]],
    },
    {
      text: 'MATCH (a:Person {id: 1}), (b:Person {id: 3}) MATCH p = shortestPath((a)-[:KNOWS*..1]->(b)) RETURN length(p)',
      rows: [],
    },
    {
      text: 'MATCH (a:Person {id: 1}), (b:Person {id: 3}) MATCH p = shortestPath((a)-[:KNOWS*..2]->(b)) RETURN length(p)',
      rows: [[2]],
    },
    {
      text: 'MATCH (a:Person {id: 1}), (b:Person {id: 3}) MATCH p = shortestPath((b)-[:KNOWS*]->(a)) RETURN length(p)',
      rows: [],
    },
    {
      text: 'MATCH (a:Person {id: 1}), (b:Person {id: 3}) MATCH p = shortestPath((b)-[:KNOWS*]-(a)) RETURN [n IN nodes(p) | n.id]',
      rows: [[[3, 2, 1]]],
    },
    {
      text: 'MATCH (a:Person {id: 1}), (b:Person {id: 3}) MATCH p = allShortestPaths((a)-[:KNOWS*]->(b)) RETURN [r IN relationships(p) | r.since]',
      rows: [[[1, 4]], [[3, 4]]],
    },
    {
      text: 'MATCH p = allShortestPaths((a:Person)-[:KNOWS*]->(b:Person)) RETURN a.id, b.id, length(p)',
      rows: [
        [1, 2, 1],
        [1, 2, 1],
        [1, 3, 2],
        [1, 3, 2],
        [2, 1, 1],
        [2, 3, 1],
      ],
    },
    { text: 'MATCH (a:Person) MATCH p = shortestPath((a)-[:KNOWS*]-(a)) RETURN length(p)', rows: [] },
    {
      text: 'MATCH (a:Person {id: 1}) OPTIONAL MATCH p = shortestPath((a)<-[:KNOWS*]-(a)) RETURN length(p)',
      rows: [[null]],
    },
    {
      text: 'MATCH (a:Person {id: 1}) OPTIONAL MATCH p = allShortestPaths((a)-[:KNOWS*]->(a)) RETURN length(p)',
      rows: [[null]],
    },
    {
      text: 'MATCH (a:Person {id: 3}) MATCH p = shortestPath((a)-[:KNOWS*0..]-(a)) RETURN length(p)',
      rows: [[0]],
      rejectedBy: 'graphdb_b',
    },
  ],
  'maps of all properties of which some are read': [
    {
      text: 'MATCH (n:Person) CALL (n) { RETURN n {.*, age: 7} AS m } RETURN m.name, m.age, m.active',
      rows: [
        ['Ann-1', 7, true],
        ['Bob-2', 7, false],
        ['Cid-3', 7, null],
        ['Dan-4', 7, true],
      ],
    },
    {
      text: 'MATCH (n:Movie) CALL (n) { WITH properties(n) AS m RETURN m } CALL (m) { RETURN m.code + 1 AS c } RETURN c',
      rows: [[8], [9]],
    },
    {
      text: 'MATCH (n:Person) OPTIONAL MATCH (n)-[:LIKES]->(x:Movie {id: 2}) RETURN (x {.*, k: 1}).k, properties(x).title',
      rows: [
        [null, null],
        [1, 'Up'],
        [null, null],
        [null, null],
      ],
    },
    {
      text: 'MATCH (n:Person) WITH DISTINCT n {.*, id: 0, name: 0} AS m RETURN m.age',
      rows: [[30], [40], [null], [30]],
    },
    {
      text: 'MATCH (n:Movie) WITH n {.*} AS m WITH m, m.id AS i RETURN i, size(keys(m))',
      rows: [
        [1, 3],
        [2, 3],
      ],
    },
  ],
  'times that no property has': [
    {
      text: "MATCH (n:Movie) RETURN localtime('10:00') AS t, localdatetime('2024-01-01T00:00:00.000000001') AS d, n.id",
      rows: [
        ['10:00', '2024-01-01T00:00:00.000000001', 1],
        ['10:00', '2024-01-01T00:00:00.000000001', 2],
      ],
    },
    { text: "MATCH (n:Movie) RETURN {t: time('10:00Z')} AS m, count(*) AS c", rows: [[{ t: '10:00Z' }, 2]] },
  ],
  'numbers that are not numbers': [
    {
      text: 'MATCH (n:Person) WITH n, 0.0 / (n.id - 1) AS x RETURN isNaN(x), isNaN(n.age)',
      rows: [
        [true, false],
        [false, false],
        [false, null],
        [false, false],
      ],
    },
    { text: 'MATCH (n:Person) WITH n, 0.0 / (n.id - 1) AS x WHERE NOT isNaN(x) RETURN n.id', rows: [[2], [3], [4]] },
    {
      text: 'MATCH (n:Person) WITH n.id > 2 AS k, n.id / (n.id - 1.0) AS x RETURN k, stDev(x), stDevP(x), stDev(DISTINCT x) ORDER BY k',
      rows: [
        [false, 'NaN', 'NaN', 'NaN'],
        [true, 0.11785113019775795, 0.08333333333333337, 0.11785113019775795],
      ],
    },
  ],
  'nodes that are null': [
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[:LIKES]->(m:Movie) MATCH (m) RETURN a.id, m.id',
      rows: [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
    },
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[:LIKES]->(m:Movie) MATCH (m), (b:Person {id: 4}) RETURN a.id, b.id',
      rows: [
        [1, 4],
        [2, 4],
        [2, 4],
      ],
    },
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[:LIKES]->(m:Movie) OPTIONAL MATCH (m)<-[:LIKES]-(b:Person) RETURN a.id, m.id, b.id',
      rows: [
        [1, 1, 1],
        [1, 1, 2],
        [2, 1, 1],
        [2, 1, 2],
        [2, 2, 2],
        [3, null, null],
        [4, null, null],
      ],
    },
    {
      text: 'MATCH (a:Person) OPTIONAL MATCH (a)-[:LIKES]->(m:Movie) RETURN a.id, EXISTS { MATCH (m) }, COUNT { MATCH (m)<-[:LIKES]-() }, size([(m)<-[:LIKES]-(b) | b.id]), labels(m), m:Movie, m.title',
      rows: [
        [1, true, 2, 2, ['Movie'], true, 'Heat'],
        [2, true, 2, 2, ['Movie'], true, 'Heat'],
        [2, true, 1, 1, ['Movie'], true, 'Up'],
        [3, false, 0, 0, null, null, null],
        [4, false, 0, 0, null, null, null],
      ],
    },
    {
      text: 'OPTIONAL MATCH p = (:Person {id: 4})-[:KNOWS]->() RETURN p, length(p), nodes(p), relationships(p)',
      rows: [[null, null, null, null]],
    },
  ],
  'patterns as values': [
    {
      text: 'MATCH (a:Person) RETURN a.id, size([(a)-[:KNOWS]-(b)-[:KNOWS]-(c) | c.id])',
      rows: [
        [1, 9],
        [2, 7],
        [3, 4],
        [4, 0],
      ],
    },
    {
      text: 'MATCH (a:Person), (b:Person) WHERE (a)--(b) RETURN a.id, b.id',
      rows: [
        [1, 2],
        [2, 1],
        [2, 3],
        [3, 2],
        [3, 3],
      ],
    },
    {
      text: 'MATCH (a:Person), (b:Person) WHERE NOT (a)--(b) AND a.id < b.id RETURN a.id, b.id',
      rows: [
        [1, 3],
        [1, 4],
        [2, 4],
        [3, 4],
      ],
    },
  ],
  'values before a MATCH': [
    {
      text: 'MATCH (a:Person) WITH percentileCont(a.age, $p) AS x MATCH (b:Person) WHERE b.age > x RETURN x, b.id',
      parameters: { p: 0.5 },
      rows: [[30, 2]],
    },
    { text: 'MATCH (p:Person {id: toInteger($id)}) RETURN p.name', parameters: { id: '2' }, rows: [['Bob-2']] },
    {
      text: 'MATCH (p:Person) WHERE p.id = toInteger($id) + 1 RETURN p.name',
      parameters: { id: '2' },
      rows: [['Cid-3']],
    },
    {
      text: 'MATCH (p:Person)-[:LIKES]->(m:Movie {id: toInteger($id)}) RETURN p.name, m.title',
      parameters: { id: '1' },
      rows: [
        ['Ann-1', 'Heat'],
        ['Bob-2', 'Heat'],
      ],
    },
    {
      text: 'UNWIND [rand(), rand()] AS x WITH x, rand() AS r WITH r, r AS s, x, x AS y WHERE r <> s OR x <> y RETURN count(*)',
      rows: [[0]],
    },
    {
      text: 'UNWIND range(1, 20000) AS i WITH i WHERE rand() < 0.1 WITH count(*) AS c RETURN 1500 < c AND c < 2500',
      rows: [[true]],
    },
    { text: 'UNWIND range(1, 1000) AS i WITH rand() AS r RETURN count(DISTINCT r) > 990', rows: [[true]] },
    ...['rand() < 0.5', 'rand() * i < 0.5 * i'].map((condition) => ({
      text: `MATCH (m:Movie {id: 1}) UNWIND range(1, 200) AS i UNWIND [1, 2, 3] AS j WITH i, j WHERE ${condition} WITH i, count(*) AS c RETURN count(DISTINCT c)`,
      rows: [[3]],
    })),
    {
      text: 'UNWIND range(1, 200) AS i CALL (i) { MATCH (m:Movie) WHERE rand() < 0.5 RETURN count(*) AS c } RETURN count(DISTINCT c)',
      rows: [[3]],
    },
    {
      text: 'UNWIND range(1, 200) AS i CALL { MATCH (m:Movie) RETURN rand() AS r LIMIT 1 } RETURN count(DISTINCT r)',
      rows: [[200]],
    },
    {
      text: 'UNWIND range(1, 200) AS i OPTIONAL MATCH (m:Movie) WHERE rand() < 0.5 WITH i, count(m) AS n RETURN count(DISTINCT n)',
      rows: [[3]],
    },
    {
      text: 'UNWIND range(1, 200) AS i WITH i WHERE EXISTS { MATCH (m:Movie) WHERE rand() < 0.5 } RETURN 20 < count(*) AND count(*) < 190',
      rows: [[true]],
      rejectedBy: 'graphdb_a',
      advice: 'Write CALL (n) { … } instead of this subquery',
    },
    {
      text: 'MATCH (n:Person) WITH n ORDER BY 2 DESC, n.id LIMIT 2 RETURN n.id',
      rows: [[1], [2]],
    },
    {
      text: 'MATCH (n:Person) WITH collect(n) AS l UNWIND l AS n MATCH (n)-[:LIKES]->(m:Movie) RETURN n.id, m.id',
      rows: [
        [1, 1],
        [2, 1],
        [2, 2],
      ],
    },
    {
      text: 'MATCH (n:Person) CALL { WITH n MATCH (n)-[r:KNOWS]->(b) RETURN b ORDER BY r.since DESC LIMIT 1 } RETURN n.id, b.id',
      rows: [
        [1, 2],
        [2, 3],
        [3, 3],
      ],
    },
    {
      text: 'MATCH (n:Person) CALL { WITH n MATCH (n)-[:KNOWS]->(b) RETURN b.id AS x UNION WITH n MATCH (n)-[:LIKES]->(m) RETURN m.id AS x } RETURN n.id, x',
      rows: [
        [1, 2],
        [1, 1],
        [2, 1],
        [2, 3],
        [2, 2],
        [3, 3],
      ],
    },
  ],
};

/** Answers about the graph `MANY_BY_HAND`. */
export const ANSWERS_OF_MANY_BY_HAND: readonly AnswerByHand[] = [
  {
    text: 'MATCH (n:Person) WITH n ORDER BY n.id DESC RETURN collect(DISTINCT n.age)[..5]',
    rows: [[[49, 48, 47, 45, 44]]],
  },
  {
    text: 'MATCH (n:Person) WITH n ORDER BY n.age DESC, n.id LIMIT 3000 RETURN count(n.age), count(*)',
    rows: [[2000, 3000]],
  },
  {
    text: 'MATCH (n:Person) WITH n ORDER BY n.age, n.id LIMIT 3001 RETURN count(n.age), max(n.id)',
    rows: [[3000, 3999]],
  },
  {
    text: 'MATCH (n:Person) WITH n ORDER BY n.age DESC, n.id DESC LIMIT 1002 RETURN collect(n.id)[1000..]',
    rows: [[[3999, 3949]]],
  },
  { text: 'MATCH (n:Person) WHERE rand() < 0.1 WITH count(*) AS c RETURN 250 < c AND c < 550', rows: [[true]] },
];

export const ANSWERS_WITHOUT_PROPERTIES: readonly AnswerByHand[] = [
  {
    text: 'MATCH ()-[r:MET]->() RETURN r {.*} AS all, properties(r) AS values, keys(r) AS names',
    rows: [[{}, {}, []]],
  },
  { text: 'MATCH ()-[r:MET]->() RETURN r {.*, since: null} AS all', rows: [[{ since: null }]] },
];

const INTEGERS_OR_FLOATS: readonly AnswerByHand[] = [
  { text: 'MATCH (n) WHERE n.size > 1 RETURN n.size / 2', rows: [[0.75], [1]] },
  { text: 'MATCH (n) WHERE n.size > 1 RETURN n.size * 2', rows: [[3], [6]] },
  { text: 'MATCH (n) WHERE n.size > 1 RETURN abs(n.size)', rows: [[1.5], [3]] },
  { text: 'MATCH (n) WHERE n.size > 1 RETURN sum(n.size)', rows: [[4.5]] },
];

export const ANSWERS_OF_SEVERAL_TYPES: readonly AnswerByHand[] = [
  {
    text: 'MATCH (n) RETURN n.mark AS c ORDER BY c',
    rows: [[['a']], [['b', 'a']], ['a'], [7], [10]],
  },
  {
    text: 'MATCH (n) RETURN n.born AS c ORDER BY c LIMIT 3',
    rows: [['2000-01-01'], ['May'], [null]],
    rejectedBy: 'graphdb_b',
  },
  { text: 'MATCH (n) RETURN min(n.mark), max(n.mark), count(DISTINCT n.mark)', rows: [[['a'], 10, 5]] },
  {
    text: 'MATCH (n) RETURN n.born, count(*)',
    rows: [
      ['2000-01-01', 1],
      ['May', 1],
      [null, 3],
    ],
    rejectedBy: 'graphdb_b',
  },
  {
    text: "MATCH (n) WHERE n.mark = 'a' OR n.mark = ['a'] RETURN labels(n)[0], n.id",
    rows: [
      ['Person', 2],
      ['Place', 1],
    ],
  },
  { text: "MATCH (n) WHERE n.mark IN [7, 'a'] RETURN labels(n)[0]", rows: [['Movie'], ['Place']] },
  ...INTEGERS_OR_FLOATS.map((answer) => ({ ...answer, rejectedBy: 'graphdb_a', advice: 'Write toFloat(' }) as const),
  { text: 'MATCH (n:Movie {id: 2}) RETURN n {mark: 0, .*} AS m', rows: [[{ id: 2, mark: 0 }]] },
  { text: 'MATCH (n:Movie) RETURN n.size / 2', rows: [[1], [null]] },
  { text: 'MATCH (n) WHERE n.size > 1 RETURN n.size / 2.0', rows: [[0.75], [1.5]] },
  {
    text: 'MATCH (n) WHERE n.size > 1 RETURN toFloat(n.size) / 2, ceil(n.size)',
    rows: [
      [0.75, 2],
      [1.5, 3],
    ],
  },
  {
    text: "MATCH (n) RETURN CASE n.mark WHEN 7 THEN 'seven' WHEN ['a'] THEN 'list' WHEN 'a' THEN 'text' END AS c, count(*)",
    rows: [
      ['list', 1],
      ['seven', 1],
      ['text', 1],
      [null, 2],
    ],
  },
  {
    text: "MATCH (n) WITH n.born AS x WHERE x < date('2000-01-02') OR x ENDS WITH 'y' RETURN x",
    rows: [['2000-01-01'], ['May']],
    rejectedBy: 'graphdb_b',
  },
];
