import { type Graph, GraphNode, type Value } from '../../pod/graph/engine/evaluate/values';
import { type Kind, KINDS } from '../pod/graph/support/engine-of-kind';
import { comparedAnswer, expectedAnswer } from './cypher/engine/compared-answer';
import { tablesOf } from './cypher/engine/graph-tables';
import { loadedTables } from './cypher/engine/loaded-graph';

const NUMBERS: readonly Value[] = [1, NaN, 2, 1e308, -1e308, Infinity, null, 0, NaN, 1e300, 3];
const GREAT: readonly Value[] = [1e308, -1e308, 1e200, 2, 0, 1e308, 3, 1e160, 5, 7, 9];
const LISTS: readonly Value[] = [[1, NaN], [1, NaN], [NaN], [2], [1, 2], null, [], [Infinity, 1], [-Infinity], [1, NaN, 3], [1e308, 1e308]]; // prettier-ignore

const nodes = NUMBERS.map((number, at) => {
  const properties = Object.entries({ id: BigInt(at), x: number, y: GREAT[at] ?? null, l: LISTS[at] ?? null });
  return new GraphNode(at, ['N'], new Map(properties.filter(([, value]) => value !== null)));
});
const graph: Graph = { nodes, relationships: [] };

/** One property of numbers, texts and booleans. */
const SEVERAL: Readonly<Record<string, readonly Value[]>> = {
  F: [1, NaN, 2.5, Infinity, -Infinity, null, NaN, 1e300],
  T: ['NaN', 'a', null, 'Infinity', '2', '', 'NaN', 'b'],
  B: [true, false, null, true],
};
const several = Object.entries(SEVERAL).flatMap(([label, values]) => values.map((v) => ({ label, v })));
const graphOfSeveral: Graph = {
  nodes: several.map(({ label, v }, at) => {
    const id = ['id', BigInt(at)] as const;
    return new GraphNode(at, [label], new Map(v === null ? [id] : [id, ['v', v]]));
  }),
  relationships: [],
};

/** Each compares, sorts or combines NaN of a property, of an item of a list, or of a sum or product beyond the range. */
const QUERIES = [
  'MATCH (n:N), (m:N) WHERE n.l = m.l RETURN n.id AS a, m.id AS b',
  'MATCH (n:N), (m:N) WHERE NOT n.l = m.l RETURN n.id AS a, m.id AS b',
  'MATCH (n:N), (m:N) WHERE n.l < m.l RETURN n.id AS a, m.id AS b',
  'MATCH (n:N) RETURN n.id AS a, n.l IN [[1.0], n.l] AS b, 1.0 IN n.l AS c, 3.0 IN n.l AS d',
  'MATCH (n:N) RETURN DISTINCT n.l AS l',
  'MATCH (n:N) RETURN n.id AS i ORDER BY n.l DESC, n.id',
  "MATCH (n:N) RETURN n.id AS i, CASE n.l WHEN [1.0, 2.0] THEN 'x' WHEN n.l THEN 'same' ELSE 'y' END AS c",
  'MATCH (n:N) RETURN n.id AS i, {a: n.x} = {a: n.x} AS c, {a: n.x} = {a: 1.0} AS d',
  'MATCH (n:N) WITH n.x AS x, n.id AS i RETURN i, [x] = [1.0] AS b',
  'MATCH (n:N) RETURN n.id AS i, any(x IN n.l WHERE x > 2) AS a, all(x IN n.l WHERE x <> x) AS b',
  'MATCH (n:N) UNWIND n.l AS x RETURN n.id AS i, x AS x ORDER BY x, i',
  'MATCH (n:N) UNWIND n.l AS x RETURN min(x) AS a, max(x) AS b',
  'MATCH (n:N) RETURN n.id AS i, head(n.l) = 1 AS a, last(n.l) > 0 AS b, NOT n.l[1] < 5 AS c',
  'MATCH (n:N) RETURN min(n.l) AS a, max(n.l) AS b',
  'MATCH (n:N) RETURN n.id AS i, NOT n.y * 10 - n.y * 10 < 1 AS b',
  'MATCH (n:N) WITH n.id AS i, n.y * n.y AS z RETURN i AS i, z - z AS d ORDER BY z - z, i',
  'MATCH (n:N) WITH n.id AS i, n.y + n.y AS z RETURN i AS i, z * 0 = 0 AS d, z * 0 IN [0.0] AS e',
  'MATCH (n:N) WITH n.id AS i, n.y + n.y AS z RETURN min(z - z) AS a, max(z - z) AS b',
  'MATCH (n:N) WITH n.y * 10 AS z WITH z * 0 AS w RETURN percentileDisc(w, 0.5) AS c',
  'MATCH (n:N) WHERE n.x < 1e150 RETURN percentileCont(n.x * n.x + 1.0, 0.5) AS p',
  'MATCH (n:N) RETURN n.id AS i, reduce(s = 1.0, k IN [1, 2, 3] | s * n.y) * 0 = 0 AS c, exp(n.y) * 0 = 0 AS d',
  'MATCH (n:N) WITH sum(n.y * 10) AS z RETURN z - z IN [0.0] AS d',
];

const QUERIES_OF_SEVERAL = [
  'MATCH (n) RETURN n.v AS v, n.id AS i ORDER BY v DESC, i',
  'MATCH (n) RETURN n.v AS v, count(*) AS c',
  'MATCH (n) RETURN min(n.v) AS a, max(n.v) AS b, count(DISTINCT n.v) AS c',
  'MATCH (n), (m) WHERE n.v = m.v RETURN n.id AS a, m.id AS b',
  'MATCH (n), (m) WHERE n.v <> m.v RETURN n.id AS a, m.id AS b',
  "MATCH (n) RETURN n.id AS i, n.v IN [1, 'NaN', n.v] AS b, n.v IN [0.0 / 0] AS c",
  "MATCH (n) RETURN n.id AS i, CASE n.v WHEN 'NaN' THEN 1 WHEN 2.5 THEN 2 WHEN true THEN 3 ELSE 4 END AS c",
  "MATCH (n) RETURN n.id AS i, [n.v, 1, 'NaN'] AS l, {a: n.v} AS m",
  'MATCH (n) RETURN n.id AS i, [1] = n.v AS b, CASE n.v WHEN [1] THEN 1 WHEN 1.0 THEN 2 END AS c',
  "MATCH (n) RETURN n.id AS i, coalesce(n.v, 'x') AS p ORDER BY p, i",
];

/** The queries whose answers differ from those of the evaluator, with both. */
const differences = async (kind: Kind, graph: Graph, texts: readonly string[]): Promise<readonly string[]> => {
  const tables = tablesOf(graph);
  if (typeof tables === 'string') throw new Error(tables);
  const loaded = await loadedTables(kind, tables);
  const different: string[] = [];
  for (const text of texts) {
    const query = { text, parameters: new Map(), inOrder: text.includes('ORDER BY'), anyOrderInLists: false };
    const { outcome, lines } = await comparedAnswer(loaded.engine, expectedAnswer(graph, query), query);
    if (outcome !== 'right') different.push([outcome, text, ...lines].join('\n  '));
  }
  await loaded.end();
  return different;
};

test.each(KINDS)('%s distinguishes NaN from numbers, also in lists and after an overflow', async (kind) => {
  expect(await differences(kind, graph, QUERIES)).toEqual([]);
});

test.each(KINDS)('%s distinguishes NaN from texts in a property of several types', async (kind) => {
  expect(await differences(kind, graphOfSeveral, QUERIES_OF_SEVERAL)).toEqual([]);
});
