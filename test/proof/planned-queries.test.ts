import { isLeft } from 'fp-ts/Either';
import { type Value } from '../../pod/graph/engine/evaluate/values';
import { bySize } from '../support/proof-size';
import { jsonOf } from './cypher/engine/ask-engine';
import { tablesOf } from './cypher/engine/graph-tables';
import { loadedTables } from './cypher/engine/loaded-graph';
import { randomQuery } from './random-queries/random-query';
import { randomWorld } from './random-queries/random-world';

jest.setTimeout(1_800_000);

const QUERIES = bySize({ sample: 100, full: 4_000 });

/** The pod answered these by itself, because DuckDB did not accept their SQL. */
const ONCE_REFUSED = [
  "MATCH (n:Person) WITH n, [(n)-->(m) | m.name] AS l WHERE all(i IN range(0, size(l) - 1) WHERE l[i] <> 'x') RETURN n.id",
  'MATCH (n:Person) WITH n, [(n)-->(m) | m.name] AS l ORDER BY [i IN [0, 1] | l[i]] RETURN n.id, l',
  'MATCH (a:Person) OPTIONAL MATCH p = (a)-[:LIKES*2]->(b) WHERE b.age > 2 UNWIND nodes(p) AS x RETURN labels(x)[0]',
];

test('DuckDB accepts the SQL of every query that is not rejected before', async () => {
  const tables = tablesOf(randomWorld(1));
  if (typeof tables === 'string') throw new Error(tables);
  const { engine, end } = await loadedTables('graphdb_a', tables);
  const queries = [
    ...ONCE_REFUSED.map((text) => ({ text, parameters: new Map<string, Value>() })),
    ...Array.from({ length: QUERIES }, (_, seed) => randomQuery(seed)),
  ];
  const refused: string[] = [];
  for (const { text, parameters } of queries) {
    const json = Object.fromEntries([...parameters].map(([name, value]) => [name, jsonOf(value)]));
    const plan = await engine.query({ text: `EXPLAIN ${text}`, parameters: json, timeoutMs: 60_000 });
    if (isLeft(plan) && plan.left.kind === 'rejected' && plan.left.unexplained !== undefined) {
      refused.push(`${text}: ${plan.left.unexplained.written}`);
    }
  }
  await end();
  expect(refused).toEqual([]);
});
