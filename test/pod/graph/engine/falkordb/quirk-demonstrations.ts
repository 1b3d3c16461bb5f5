/** An example of a quirk on the engine without its cure. */
interface Demonstration {
  /** The nodes and edges of a small graph, as an openCypher `CREATE`; omitted: none. */
  readonly graph?: string;
  readonly query: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The rows according to openCypher. */
  readonly right: readonly (readonly unknown[])[];
  /** The rows that the engine returns, or its kind of failure. */
  readonly wrong: readonly (readonly unknown[])[] | 'error';
}

/** By the ids of the quirks. */
export const DEMONSTRATIONS: Readonly<Record<string, Demonstration>> = {
  'falkordb-bound-relationships': {
    graph: 'CREATE (a:N {id: 1})-[:E {w: 1}]->(b:N {id: 2}), (a)-[:E {w: 2}]->(b)',
    query: 'MATCH (a:N)-[r:E]->(:N) WITH a, r MATCH (a)-[r]->(b) RETURN r.w, b.id ORDER BY r.w',
    right: [
      [1, 2],
      [2, 2],
    ],
    wrong: [
      [1, 2],
      [1, 2],
      [2, 2],
      [2, 2],
    ],
  },
  'falkordb-columns-of-unions': {
    query: 'RETURN 1 AS a, 2 AS b UNION ALL RETURN 3 AS b, 4 AS a',
    right: [
      [1, 2],
      [4, 3],
    ],
    wrong: 'error',
  },
  'falkordb-constant-conditions': {
    query: 'UNWIND [1] AS x WITH x WHERE $wanted = 1 RETURN count(*)',
    parameters: { wanted: 0n },
    right: [[0]],
    wrong: [],
  },
  'falkordb-overlooked-names': {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})-[:E]->(:N {id: 3})',
    query: 'MATCH (n:N)-->(m) WHERE any(x IN [2] WHERE n.id = x) OR m.id = 2 RETURN n.id ORDER BY n.id',
    right: [[1], [2]],
    wrong: [[1]],
  },
  'falkordb-kept-values': {
    graph: 'CREATE (:N {id: 1})-[:E {size: 2}]->(:N {id: 2})',
    query: 'MATCH (n:N) OPTIONAL MATCH (n)-[r:E]->() RETURN n.id, [x IN [3] WHERE x > r.size | x]',
    right: [
      [1, [3]],
      [2, []],
    ],
    wrong: [
      [1, [3]],
      [2, [3]],
    ],
  },
  'falkordb-limited-rows': {
    query:
      'UNWIND [1, 2, 3] AS x WITH x ORDER BY x LIMIT 2 MATCH (n) WHERE x > 1 RETURN x UNION ALL UNWIND [1, 2, 3] AS x WITH x ORDER BY x LIMIT 2 WHERE x > 1 RETURN x',
    graph: 'CREATE (:N {id: 1})',
    right: [[2], [2]],
    wrong: [[2], [3], [2], [3]],
  },
  'falkordb-great-integers': {
    graph: 'CREATE (:N {id: 1, size: 9223372036854775807}), (:N {id: 2, size: -2})',
    query: 'MATCH (n:N), (m:N) WHERE n.size < m.size RETURN n.id, m.id',
    right: [[2, 1]],
    wrong: [[1, 2]],
  },
  'falkordb-overflowing-integers': {
    graph: 'CREATE (:N {id: 1, size: 9223372036854775807})',
    query: 'MATCH (n:N) RETURN n.size + 1 > 0',
    right: [[true]],
    wrong: [[false]],
  },
  'falkordb-grouped-values': {
    graph: 'CREATE (:N {id: 1, size: 2}), (:N {id: 2, size: 2})',
    query: 'MATCH (n:N) RETURN n.size, count(*) + n.size',
    right: [[2, 4]],
    wrong: [[2, null]],
  },
  'falkordb-indexed-keys': {
    graph: "CREATE (:N {id: ''}), (:N {id: ' b'}), (:N {id: 'b'}), (:N {id: 'é'})",
    query: "MATCH (n:N) WHERE n.id = 'b' OR n.id < 'a' RETURN n.id ORDER BY n.id",
    right: [[''], [' b'], ['b']],
    wrong: [[' b'], ['b'], ['é']],
  },
  'falkordb-conditions-in-patterns': {
    graph: 'CREATE (:N {id: 1}), (:M {id: 2}), (:M {id: 3})',
    query: 'MATCH (n:N|M WHERE n.id < 3) RETURN n.id ORDER BY n.id',
    right: [[1], [2]],
    wrong: 'error',
  },
  'falkordb-parallel-edges': {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (a)-[:E]->(b)',
    query: 'MATCH (:N)-[:E]->(:N) RETURN count(*)',
    right: [[2]],
    wrong: [[1]],
  },
  'falkordb-not-a-number': {
    graph: 'CREATE (:N {id: 1})',
    query: 'UNWIND [2.0, 0.0 / 0.0, 1.0] AS x MATCH (n:N) RETURN x >= 1.5 ORDER BY x',
    right: [[false], [true], [false]],
    wrong: [[true], [false], [false]],
  },
  'falkordb-null-maps': {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N {id: 2}) OPTIONAL MATCH (n)-[:E]->(m:N) RETURN m {.id}',
    right: [[null]],
    wrong: [[{ id: null }]],
  },
  'falkordb-null-nodes': {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) OPTIONAL MATCH (n)-[:E]->(m) WITH n, m MATCH (m), (k:N) RETURN n.id, m.id, k.id ORDER BY k.id',
    right: [
      [1, 2, 1],
      [1, 2, 2],
    ],
    wrong: [
      [1, 2, 1],
      [2, null, 1],
      [1, 2, 2],
      [2, null, 2],
    ],
  },
  'falkordb-match-after-optional': {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) OPTIONAL MATCH (n)-[:E]->(m) MATCH (m) RETURN n.id, m.id',
    right: [[1, 2]],
    wrong: 'error',
  },
  'falkordb-computed-nodes': {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) WITH n ORDER BY n.id WITH head(collect(n)) AS x MATCH (x)-[r:E]->(y:N) RETURN x.id, y.id',
    right: [[1, 2]],
    wrong: 'error',
  },
  'falkordb-repeated-relationships': {
    graph: 'CREATE (:N {id: 1})-[:E]->(m:M {id: 2}), (:N {id: 3})-[:E]->(m)',
    query: 'MATCH (a:N)-[:E]->(:M)<-[:E]-(b:N) RETURN a.id, b.id ORDER BY a.id, b.id',
    right: [
      [1, 3],
      [3, 1],
    ],
    wrong: [
      [1, 1],
      [1, 3],
      [3, 1],
      [3, 3],
    ],
  },
  'falkordb-kept-texts': {
    graph: "CREATE (:N {id: 1, since: '2000-01-01'})",
    query: "MATCH (n:N) RETURN n.since STARTS WITH '2'",
    right: [[null]],
    wrong: [[true]],
  },
  'falkordb-shared-forms': {
    graph: "CREATE (:N {id: 1, since: '2000-01-01'}), (:M {id: 2, since: '1 day'})",
    query: 'MATCH (n) RETURN n.since ORDER BY n.since',
    right: [['2000-01-01'], ['1 day']],
    wrong: [['1 day'], ['2000-01-01']],
  },
  'falkordb-shortest-paths': {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})-[:E]->(:N {id: 3})',
    query: 'MATCH p = shortestPath((a:N {id: 1})-[:E*]-(b:N {id: 3})) RETURN length(p)',
    right: [[2]],
    wrong: 'error',
  },
  'falkordb-stored-times': {
    graph: "CREATE (:N {day: '2000-01-01'})",
    query: "MATCH (n:N) WHERE n.day = date('2000-01-01') RETURN count(*)",
    right: [[1]],
    wrong: [[0]],
  },
  'falkordb-subqueries': {
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) RETURN n.id, CASE WHEN (n)-[:E]->() THEN 1 ELSE 0 END ORDER BY n.id',
    right: [
      [1, 1],
      [2, 0],
    ],
    wrong: [
      [1, 1],
      [2, 1],
    ],
  },
  'falkordb-imported-names': {
    query: 'WITH 1 AS a CALL (a) { RETURN a + 1 AS b } RETURN b',
    right: [[2]],
    wrong: 'error',
  },
  'falkordb-walks': {
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (b)-[:E]->(a), (a)-[:E]->(:N {id: 3})',
    query: 'MATCH (:N {id: 1})-[:E*1..3]->() RETURN count(*)',
    right: [[4]],
    wrong: [[3]],
  },
  'falkordb-names-with-backticks': {
    query: 'UNWIND [1] AS `a``b` RETURN `a``b` + 1 AS x',
    right: [[2]],
    wrong: 'error',
  },
  'falkordb-functions': {
    query: "RETURN toString(2.3), toFloat('2.3') = 2.3, toInteger(-1.5), toInteger('-1.5'), round(-1.5)",
    right: [['2.3', true, -1, -1, -1]],
    wrong: [['2.300000', false, -2, -2, -2]],
  },
  'falkordb-sums-of-integers': {
    graph: 'CREATE (:N {id: 1, size: 9007199254740993}), (:N {id: 2, size: 1})',
    query: 'MATCH (n:N) RETURN sum(n.size) % 1000000000',
    right: [[254740994]],
    wrong: [[254740992]],
  },
  'falkordb-parts-of-texts': {
    query:
      "UNWIND ['éaéé'] AS a UNWIND ['été'] AS b RETURN size(replace(a, 'x', '')), substring(replace(b, 'x', ''), 1)",
    right: [[4, 'té']],
    wrong: [[4, 't']],
  },
  'falkordb-operators': {
    query: "RETURN 1 = 1 = 1, CASE null WHEN null THEN 1 ELSE 2 END, 'a' + 1.5",
    right: [[true, 2, 'a1.5']],
    wrong: [[false, 1, 'a1.500000']],
  },
  'falkordb-conditions': {
    graph: 'CREATE (:N {id: 1})',
    query: 'MATCH (n:N) RETURN n < n, {a: 1} < {a: n.id + 1}',
    right: [[null, null]],
    wrong: [[false, true]],
  },
  'falkordb-regular-expressions': {
    query: "RETURN 'abc' =~ 'a.*', 'abc' =~ 'b', null =~ 'b'",
    right: [[true, false, null]],
    wrong: 'error',
  },
  'falkordb-null-in-equal-lists': { query: 'RETURN [1, 2, 3] = [1, 4, null]', right: [[false]], wrong: [[null]] },
};
