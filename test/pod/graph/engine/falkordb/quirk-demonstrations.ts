import { type Cure } from '../../../../../pod/graph/engine/cypher/cure';
import { boundRelationships } from '../../../../../pod/graph/engine/falkordb/quirks/bound-relationships';
import { columnsOfUnions } from '../../../../../pod/graph/engine/falkordb/quirks/columns-of-unions';
import { comparedTypes } from '../../../../../pod/graph/engine/falkordb/quirks/compared-types';
import {
  constantConditions,
  limitedRows,
  overlookedNames,
} from '../../../../../pod/graph/engine/falkordb/quirks/early-conditions';
import { greatIntegers } from '../../../../../pod/graph/engine/falkordb/quirks/great-integers';
import { greatPositions } from '../../../../../pod/graph/engine/falkordb/quirks/great-positions';
import { groupedValues } from '../../../../../pod/graph/engine/falkordb/quirks/grouped-values';
import { indexedKeys } from '../../../../../pod/graph/engine/falkordb/quirks/indexed-keys';
import { keptTexts } from '../../../../../pod/graph/engine/falkordb/quirks/kept-texts';
import { nullInEqualLists } from '../../../../../pod/graph/engine/falkordb/quirks/lists-with-null';
import { namedSteps, patternConditions } from '../../../../../pod/graph/engine/falkordb/quirks/matched-parts';
import { nestedUnions } from '../../../../../pod/graph/engine/falkordb/quirks/nested-unions';
import { notANumber } from '../../../../../pod/graph/engine/falkordb/quirks/not-a-number';
import {
  boundNodes,
  computedNodes,
  matchesAfterOthers,
  nullMaps,
  optionalAtBeginning,
} from '../../../../../pod/graph/engine/falkordb/quirks/null-nodes';
import { overflowingIntegers } from '../../../../../pod/graph/engine/falkordb/quirks/overflowing-integers';
import { parametersAsProperties } from '../../../../../pod/graph/engine/falkordb/quirks/parameters-as-properties';
import { repeatedRelationships } from '../../../../../pod/graph/engine/falkordb/quirks/repeated-relationships';
import { sharedForms } from '../../../../../pod/graph/engine/falkordb/quirks/shared-forms';
import { shortestPaths } from '../../../../../pod/graph/engine/falkordb/quirks/shortest-paths';
import { sortedAgain, wholeSorts } from '../../../../../pod/graph/engine/falkordb/quirks/sorted-again';
import { storedTimes } from '../../../../../pod/graph/engine/falkordb/quirks/stored-times';
import { importedNames, subqueries } from '../../../../../pod/graph/engine/falkordb/quirks/subqueries';
import { uncertainWalks } from '../../../../../pod/graph/engine/falkordb/quirks/uncertain-walks';
import { writtenNames } from '../../../../../pod/graph/engine/falkordb/quirks/written-names';
import { writtenFunctions } from '../../../../../pod/graph/engine/falkordb/quirks/written-values';

/** An example of a quirk on the engine without its cure. */
interface Demonstration {
  readonly cure: Cure;
  /** The nodes and edges of a small graph, as an openCypher `CREATE`; omitted: none. */
  readonly graph?: string;
  readonly query: string;
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** The rows according to openCypher. */
  readonly right: readonly (readonly unknown[])[];
  /** The rows that the engine returns, or its kind of failure. */
  readonly wrong: readonly (readonly unknown[])[] | 'error';
}

/** By the descriptions of the quirks in the guide to instance kinds, in the order of their cures. */
export const DEMONSTRATIONS: Readonly<Record<string, Demonstration>> = {
  'Parts of a UNION whose columns have another order are an error.': {
    cure: columnsOfUnions,
    query: 'RETURN 1 AS a, 2 AS b UNION ALL RETURN 3 AS b, 4 AS a',
    right: [
      [1, 2],
      [4, 3],
    ],
    wrong: 'error',
  },
  'A parameter as the properties of a pattern, as in (n $map), is an error.': {
    cure: parametersAsProperties,
    graph: "CREATE (:N {id: 1, name: 'Ada'})",
    query: 'MATCH (n:N $map) RETURN n.id',
    parameters: { map: { id: 1n, name: 'Ada' } },
    right: [[1]],
    wrong: 'error',
  },
  'A variable whose name contains a backtick is a syntax error.': {
    cure: writtenNames,
    query: 'UNWIND [1] AS `a``b` RETURN `a``b` + 1 AS x',
    right: [[2]],
    wrong: 'error',
  },
  'Dates, times, maps and strings of one property name are all strings; such queries are rejected.': {
    cure: sharedForms,
    graph: "CREATE (:N {id: 1, since: '2000-01-01'}), (:M {id: 2, since: '1 day'})",
    query: 'MATCH (n) RETURN n.since ORDER BY n.since',
    right: [['2000-01-01'], ['1 day']],
    wrong: [['1 day'], ['2000-01-01']],
  },
  'Operators and functions of strings accept dates, times, UUIDs, bytes, maps and lists of lists, which are strings.': {
    cure: keptTexts,
    graph: "CREATE (:N {id: 1, since: '2000-01-01'})",
    query: "MATCH (n:N) RETURN n.since STARTS WITH '2'",
    right: [[null]],
    wrong: [[true]],
  },
  'The comparison of two different lists or maps is null if one of them contains null, and the order ignores null.': {
    cure: nullInEqualLists,
    query: 'RETURN [1, 2, 3] = [1, 4, null]',
    right: [[false]],
    wrong: [[null]],
  },
  'A map projection of null is a map of nulls.': {
    cure: nullMaps,
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N {id: 2}) OPTIONAL MATCH (n)-[:E]->(m:N) RETURN m {.id}',
    right: [[null]],
    wrong: [[{ id: null }]],
  },
  'NaN equals every number in ORDER BY, IN, CASE x WHEN, lists, min, max and percentiles.': {
    cure: notANumber,
    graph: 'CREATE (:N {id: 1})',
    query: 'UNWIND [2.0, 0.0 / 0.0, 1.0] AS x MATCH (n:N) RETURN x >= 1.5 ORDER BY x',
    right: [[false], [true], [false]],
    wrong: [[true], [false], [false]],
  },
  'An order of values of two types is false, not null, for XOR, any(…), all(…) and NOT in a list comprehension.': {
    cure: comparedTypes,
    graph: "CREATE (:N {id: 1, name: 'a'})",
    query: 'MATCH (n:N) RETURN all(x IN [n.name] WHERE x > 0), [x IN [n.name] WHERE NOT x > 0]',
    right: [[null, []]],
    wrong: [[false, ['a']]],
  },
  'A comparison subtracts integers, and the difference can overflow; one with a float rounds the integer.': {
    cure: greatIntegers,
    graph: 'CREATE (:N {id: 1, size: 9223372036854775807}), (:N {id: 2, size: -2})',
    query: 'MATCH (n:N), (m:N) WHERE n.size < m.size RETURN n.id, m.id',
    right: [[2, 1]],
    wrong: [[1, 2]],
  },
  'Positions in lists, SKIP and LIMIT have 32 bits: LIMIT 4294967296 returns no row.': {
    cure: greatPositions,
    graph: 'CREATE (:N {id: 1, size: 4611686018427387905})',
    query: 'MATCH (n:N) RETURN [1, 2][n.size], [1, 2][..n.size] LIMIT 4294967297',
    right: [[null, [1, 2]]],
    wrong: [[2, [1]]],
  },
  'An integer beyond 64 bits becomes another one, and one from 2^53 on is divided as a double.': {
    cure: overflowingIntegers,
    graph: 'CREATE (:N {id: 1, size: 9223372036854775807})',
    query: 'MATCH (n:N) RETURN n.size + 1 > 0',
    right: [[true]],
    wrong: [[false]],
  },
  'toString writes six decimals, toFloat reads single precision, toInteger rounds down, ceil and floor of an integer are integers, toUpper does not write SS for ß, and toLower no ς.':
    {
      cure: writtenFunctions,
      query:
        "RETURN toString(2.3), toFloat('2.3') = 2.3, toInteger(-1.5), toInteger('-1.5'), round(-1.5), toLower('ΑΣ')",
      right: [['2.3', true, -1, -1, -1, 'ας']],
      wrong: [['2.300000', false, -2, -2, -2, 'ασ']],
    },
  'sum adds integers as doubles.': {
    cure: writtenFunctions,
    graph: 'CREATE (:N {id: 1, size: 9007199254740993}), (:N {id: 2, size: 1})',
    query: 'MATCH (n:N) RETURN sum(n.size) % 1000000000',
    right: [[254740994]],
    wrong: [[254740992]],
  },
  'substring, left and replace divide the characters of a string into bytes, and read beyond its end.': {
    cure: writtenFunctions,
    query:
      "UNWIND ['éaéé'] AS a UNWIND ['été'] AS b RETURN size(replace(a, 'x', '')), substring(replace(b, 'x', ''), 1)",
    right: [[4, 'té']],
    wrong: [[4, 't']],
  },
  "CASE null matches WHEN null, CASE evaluates all branches, 1 = 1 = 1 compares a boolean with 1, 'a' + 1.5 has six decimals.":
    {
      cure: writtenFunctions,
      query: "RETURN 1 = 1 = 1, CASE null WHEN null THEN 1 ELSE 2 END, 'a' + 1.5",
      right: [[true, 2, 'a1.5']],
      wrong: [[false, 1, 'a1.500000']],
    },
  'CASE WHEN takes any value for true, 1 + true is 2, and nodes, relationships, paths and maps have an order.': {
    cure: writtenFunctions,
    graph: 'CREATE (:N {id: 1})',
    query: 'MATCH (n:N) RETURN n < n, {a: 1} < {a: n.id + 1}',
    right: [[null, null]],
    wrong: [[false, true]],
  },
  '=~ is a syntax error, \\w, \\d and \\s have all letters, digits and spaces of Unicode, and ss is ß, fi is ﬁ with (?i).':
    {
      cure: writtenFunctions,
      query: "RETURN 'abc' =~ 'a.*', 'abc' =~ 'b', null =~ 'b'",
      right: [[true, false, null]],
      wrong: 'error',
    },
  'A variable-length relationship stops when its path returns to one of its nodes.': {
    cure: uncertainWalks,
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (b)-[:E]->(a), (a)-[:E]->(:N {id: 3})',
    query: 'MATCH (:N {id: 1})-[:E*1..3]->() RETURN count(*)',
    right: [[4]],
    wrong: [[3]],
  },
  'A text of 512 bytes to which another one is added loses its last character, and the other.': {
    cure: writtenFunctions,
    query:
      "UNWIND range(1, 512) AS i WITH collect('a') AS l WITH reduce(s = '', x IN l | s + x) AS t RETURN size(t + 'bc')",
    right: [[514]],
    wrong: [[511]],
  },
  'One MATCH can bind the same relationship more than once.': {
    cure: repeatedRelationships,
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
  'A pattern outside of WHERE is always true, and a subquery as a value is a syntax error.': {
    cure: subqueries,
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
  'A pattern with properties is an error in the condition of a WITH before a MATCH.': {
    cure: subqueries,
    graph: 'CREATE (:N {id: 1})-[:E {w: 1}]->(:N {id: 2})',
    query: 'MATCH (n:N) WITH n WHERE (n)-[:E {w: 1}]->() MATCH (m:N) WHERE m.id = n.id RETURN m.id',
    right: [[1]],
    wrong: 'error',
  },
  'MATCH p = shortestPath(…) is a syntax error, and allShortestPaths requires a preceding WITH.': {
    cure: shortestPaths,
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})-[:E]->(:N {id: 3})',
    query: 'MATCH p = shortestPath((a:N {id: 1})-[:E*]-(b:N {id: 3})) RETURN length(p)',
    right: [[2]],
    wrong: 'error',
  },
  'allShortestPaths finds paths from a node back to itself.': {
    cure: shortestPaths,
    graph: 'CREATE (a:N {id: 1})-[:E]->(a)',
    query: 'MATCH (a:N) WITH a MATCH p = allShortestPaths((a)-[:E*]->(a)) RETURN length(p)',
    right: [],
    wrong: [[1]],
  },
  'A relationship variable that an earlier clause bound matches any relationship.': {
    cure: boundRelationships,
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
  '(n:A|B), (n WHERE …) and [r WHERE …] are syntax errors.': {
    cure: patternConditions,
    graph: 'CREATE (:N {id: 1}), (:M {id: 2}), (:M {id: 3})',
    query: 'MATCH (n:N|M WHERE n.id < 3) RETURN n.id ORDER BY n.id',
    right: [[1], [2]],
    wrong: 'error',
  },
  'A label of a node from which a step of several lengths leads to itself is ignored, or ends the server.': {
    cure: patternConditions,
    graph: 'CREATE (:N {id: 1}), (:M {id: 2})',
    query: 'MATCH (m:M)-[*0..0]->(n:N)-[*0..0]->(n) RETURN n.id',
    right: [],
    wrong: [[2]],
  },
  'A node that an earlier clause bound matches (n) even if it is null.': {
    cure: boundNodes,
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
  'Two nodes that earlier clauses bound are an error in one MATCH (a), (b) WHERE ….': {
    cure: boundNodes,
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (a:N)-[:E]->(b:N) WITH a, b MATCH (a), (b) WHERE a.id = 1 RETURN b.id',
    right: [[2]],
    wrong: 'error',
  },
  'Dates and times are stored as strings, which are not equal to any date or time; its own ones have whole seconds.': {
    cure: storedTimes,
    graph: "CREATE (:N {day: '2000-01-01'})",
    query: "MATCH (n:N) WHERE n.day = date('2000-01-01') RETURN count(*)",
    right: [[1]],
    wrong: [[0]],
  },
  'The index of keys trims strings, omits empty and long ones, and compares integers as doubles, booleans as numbers.':
    {
      cure: indexedKeys,
      graph: "CREATE (:N {id: ''}), (:N {id: ' b'}), (:N {id: 'b'}), (:N {id: 'é'})",
      query: "MATCH (n:N) WHERE n.id = 'b' OR n.id < 'a' RETURN n.id ORDER BY n.id",
      right: [[''], [' b'], ['b']],
      wrong: [[' b'], ['b'], ['é']],
    },
  'A property in an expression with an aggregate is null.': {
    cure: groupedValues,
    graph: 'CREATE (:N {id: 1, size: 2}), (:N {id: 2, size: 2})',
    query: 'MATCH (n:N) RETURN n.size, count(*) + n.size',
    right: [[2, 4]],
    wrong: [[2, null]],
  },
  'RETURN does not sort by a name in backticks by which another clause sorted, and ends the server in a subquery.': {
    cure: sortedAgain,
    graph: 'CREATE (:N {id: 1}), (:N {id: 3}), (:N {id: 2})',
    query: 'MATCH (n:N) WITH n.id AS `x` ORDER BY `x` DESC LIMIT 2 RETURN `x` ORDER BY `x`',
    right: [[2], [3]],
    wrong: [[3], [2]],
  },
  'A condition after SKIP or LIMIT is evaluated before the rows are limited.': {
    cure: limitedRows,
    query:
      'UNWIND [1, 2, 3] AS x WITH x ORDER BY x LIMIT 2 MATCH (n) WHERE x > 1 RETURN x UNION ALL UNWIND [1, 2, 3] AS x WITH x ORDER BY x LIMIT 2 WHERE x > 1 RETURN x',
    graph: 'CREATE (:N {id: 1})',
    right: [[2], [2]],
    wrong: [[2], [3], [2], [3]],
  },
  'ORDER BY keeps as many rows as the LIMIT of a later clause, although conditions or DISTINCT between them drop some.':
    {
      cure: wholeSorts,
      graph: 'CREATE (:N {id: 1}), (:N {id: 2}), (:N {id: 3})',
      query: 'MATCH (n:N) WITH n.id AS x ORDER BY x DESC RETURN DISTINCT x / 2 AS y LIMIT 2',
      right: [[1], [0]],
      wrong: [[1]],
    },
  'A condition with any(…), a list comprehension or reduce is evaluated before the variables in it are bound.': {
    cure: overlookedNames,
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})-[:E]->(:N {id: 3})',
    query: 'MATCH (n:N)-->(m) WHERE any(x IN [2] WHERE n.id = x) OR m.id = 2 RETURN n.id ORDER BY n.id',
    right: [[1], [2]],
    wrong: [[1]],
  },
  'In a list comprehension, any(…) or reduce, a variable that OPTIONAL MATCH leaves null keeps the value of the previous row.':
    {
      cure: overlookedNames,
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
  'An aggregate after WITH … WHERE returns no row if the condition is a constant that is false.': {
    cure: constantConditions,
    query: 'UNWIND [1] AS x WITH x WHERE $wanted = 1 RETURN count(*)',
    parameters: { wanted: 0n },
    right: [[0]],
    wrong: [],
  },
  'A relationship that the query does not use matches parallel edges only once.': {
    cure: namedSteps,
    graph: 'CREATE (a:N {id: 1})-[:E]->(b:N {id: 2}), (a)-[:E]->(b)',
    query: 'MATCH (:N)-[:E]->(:N) RETURN count(*)',
    right: [[2]],
    wrong: [[1]],
  },
  'CALL (a) { … } is a syntax error.': {
    cure: importedNames,
    query: 'WITH 1 AS a CALL (a) { RETURN a + 1 AS b } RETURN b',
    right: [[2]],
    wrong: 'error',
  },
  'A UNION in a subquery of a subquery is null, or ends the server, if the first outer row finds nothing before it.': {
    cure: nestedUnions,
    graph: 'CREATE (:N {id: 1})-[:T]->(:N {id: 2})',
    query:
      'MATCH (a:N) CALL { WITH a MATCH (a)<-[:T]-(b) CALL { RETURN 1 AS y UNION ALL RETURN 2 AS y } RETURN y } RETURN y',
    right: [[1], [2]],
    wrong: [[null], [null]],
  },
  'Behind an OPTIONAL MATCH at the beginning, the condition of a WITH keeps a row whose nodes are null.': {
    cure: optionalAtBeginning,
    graph: 'CREATE (:N {id: 1})',
    query: 'OPTIONAL MATCH (n:N) WHERE n.id > 1 WITH n WHERE n.id IS NOT NULL RETURN n.id',
    right: [],
    wrong: [[null]],
  },
  'MATCH after OPTIONAL MATCH is an error.': {
    cure: matchesAfterOthers,
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) OPTIONAL MATCH (n)-[:E]->(m) MATCH (m) RETURN n.id, m.id',
    right: [[1, 2]],
    wrong: 'error',
  },
  'A MATCH after CALL { … UNION … } ignores its condition.': {
    cure: matchesAfterOthers,
    graph: 'CREATE (:N {id: 1})',
    query: 'CALL { RETURN 1 AS x UNION RETURN 2 AS x } MATCH (n:N) WHERE false RETURN n.id',
    right: [],
    wrong: [[1]],
  },
  'A node that WITH computes, as head(collect(n)), is an error in the next MATCH.': {
    cure: computedNodes,
    graph: 'CREATE (:N {id: 1})-[:E]->(:N {id: 2})',
    query: 'MATCH (n:N) WITH n ORDER BY n.id WITH head(collect(n)) AS x MATCH (x)-[r:E]->(y:N) RETURN x.id, y.id',
    right: [[1, 2]],
    wrong: 'error',
  },
};
