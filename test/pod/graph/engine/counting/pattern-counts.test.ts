import { isRight } from 'fp-ts/Either';
import { type GraphAnswer } from '../../../../../pod/graph/engine/graph-engine';
import { type Kind, KINDS } from '../../support/engine-of-kind';
import { left, type LoadedEngine, right } from '../../support/loaded-engine';
import { loadMultigraph } from './multigraph';

/** 1→2 twice, 2→3 three times, 3→1, a loop at 1, 3→4, 4→3, 4→5. */
const ENDS = [
  [1, 2],
  [1, 2],
  [2, 3],
  [2, 3],
  [2, 3],
  [3, 1],
  [1, 1],
  [3, 4],
  [4, 3],
  [4, 5],
] as const;
const GRAPH = {
  nodes: [1, 2, 3, 4, 5].map((id) => ({ id, label: 'N' })),
  edges: ENDS.map(([from, to], w) => ({ type: 'E', from, to, w })),
};

/** For each pattern: the number of trails, and of walks. */
const COUNTS: readonly (readonly [string, number, number])[] = [
  ['()-[:E]->()', 10, 10],
  ['()-->()', 10, 10],
  ['(a)<-[x]-(b)', 10, 10],
  ['()-[:E]-()', 19, 19],
  ['()--()', 19, 19],
  ['()-[:E]->()-[:E]->()', 21, 22],
  ['()-[:E]->()<-[:E]-()', 16, 26],
  ['()-[r1:E]->()<-[r2:E]-()', 16, 26],
  ['()-[:E]->()-[:E]->()-[:E]->()', 46, 52],
  ['()-[:E]-()-[:E]-()-[:E]-()', 224, 402],
  ['()-[:E*1..2]-()', 87, 106],
  ['(a)-[:E]->()-[:E]->(c), (a)-[:E]->(c)', 2, 6],
  ['()-[:E*1..1]->()', 10, 10],
  ['()-[:E*1..2]->()', 31, 32],
  ['()-[:E*2..2]->()', 21, 22],
  ['()-[:E*1..3]->()', 77, 84],
];

describe.each(KINDS)('the counts of patterns on %s', (kind: Kind) => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    loaded = await loadMultigraph(kind, GRAPH);
  });
  afterAll(() => loaded.end());

  const ask = async (pattern: string, walks: boolean): Promise<GraphAnswer> =>
    right(
      await loaded.engine.query({ text: `MATCH ${pattern} RETURN count(*)`, parameters: {}, timeoutMs: 20_000, walks }),
    );

  test.each(COUNTS)('MATCH %s: %i trails and %i walks', async (pattern, trails, walks) => {
    expect((await ask(pattern, false)).rowsJson).toBe(`[[${trails}]]`);
    expect((await ask(pattern, true)).rowsJson).toBe(`[[${walks}]]`);
  });
});

describe.each(KINDS)('conditions and clauses that separate relationships on %s', (kind: Kind) => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    loaded = await loadMultigraph(kind, GRAPH);
  });
  afterAll(() => loaded.end());

  test.each([
    ['()-[r1:E]->()-[r2:E]->() WHERE r1 <> r2', 21],
    ['()-[r1:E]->()<-[r2:E]-() WHERE r1 <> r2', 16],
    ['(a)-[:E]->()-[:E]->(c) WITH a, c MATCH (a)-[:E]->(c)', 5],
  ])('MATCH %s: %i', async (pattern, count) =>
    expect(await loaded.rows(`MATCH ${pattern} RETURN count(*)`)).toEqual([[count]]),
  );
});

describe('undirected loops on graphdb_a', () => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    loaded = await loadMultigraph('graphdb_a', GRAPH);
  });
  afterAll(() => loaded.end());

  test.each([
    ['MATCH (a)-[r:E]-(b) RETURN count(*), sum(r.w)', '[[19,84]]'],
    ['MATCH (a)-[r:E]-()-[s:E]-(c) RETURN count(*), sum(r.w), sum(s.w)', '[[68,269,269]]'],
    ['MATCH (a) OPTIONAL MATCH (a)-[r:E]-(b) RETURN a.id, count(b) ORDER BY a.id', '[[1,4],[2,5],[3,6],[4,3],[5,1]]'],
    ['MATCH p = (a)-[r:E]-()-[:E]-(c) RETURN count(*), sum(length(p)), sum(r.w)', '[[68,136,269]]'],
    ['MATCH (a)-[:E]-(b) MATCH (b)-[s:E]->() WHERE s.w = 0 RETURN *', null],
    ['MATCH (a) WITH a MATCH (a)-[:E]-(b) RETURN count(*)', '[[19]]'],
    ['MATCH p = (a)-[:E*1..2]-(b) RETURN count(p)', '[[87]]'],
    ['UNWIND [1, 1, 3] AS x MATCH (a {id: x})-[r:E]-() RETURN x, count(r), sum(r.w) ORDER BY x', '[[1,8,24],[3,6,29]]'],
    ['MATCH (a {id: 1})-[:E]-(b) WITH b.id AS id, count(*) AS n RETURN id, n ORDER BY id', '[[1,1],[2,2],[3,1]]'],
  ])('%s', async (text, rows) => {
    const { columns, rowsJson, warnings } = right(
      await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 }),
    );
    expect(warnings).toBeUndefined();
    if (rows === null) expect([columns, (JSON.parse(rowsJson) as unknown[]).length]).toEqual([['a', 'b', 's'], 4]);
    else expect(rowsJson).toBe(rows);
  });

  test('lengths from 0 are counted along loops', async () => {
    const [counts] = await loaded.rows('MATCH (a)-[:E*1..2]->(b) RETURN count(*)');
    expect(await loaded.rows('MATCH (a)-[:E*0..2]->(b) RETURN count(*)')).toEqual([[Number(counts?.[0]) + 5]]);
    expect(await loaded.rows('MATCH (a)-[:E*0..2]->(b) RETURN DISTINCT b.id')).toHaveLength(5);
  });
});

describe('FalkorDB, which receives each length as a separate pattern', () => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    loaded = await loadMultigraph('graphdb_b', GRAPH);
  });
  afterAll(() => loaded.end());

  test.each([
    ['MATCH (a:N)-[r:E*0..1]->(b:N {id: 2}) RETURN a.id, size(r), b.id ORDER BY a.id', '[[1,1,2],[1,1,2],[2,0,2]]'],
    ['MATCH p = (:N {id: 3})-[:E*2]->(b) RETURN [n IN nodes(p) | n.id] AS ids ORDER BY ids LIMIT 1', '[[[3,1,1]]]'],
    [
      'MATCH (:N {id: 4})-[:E*1..2]->(b) MATCH (b)-[:E]->(c) RETURN b.id, count(*) ORDER BY b.id',
      '[[1,3],[3,2],[4,2]]',
    ],
    [
      'MATCH (a:N) OPTIONAL MATCH (a)-[:E*3]->(b) RETURN a.id, count(b) ORDER BY a.id',
      '[[1,18],[2,15],[3,9],[4,4],[5,0]]',
    ],
    ['MATCH (a:N) WHERE (a)-[:E*2..3]-(a) RETURN a.id ORDER BY a.id', '[[1],[2],[3],[4]]'],
    ['MATCH (a:N {id: 3}) RETURN COUNT { (a)-[:E*1..2]->() }, COUNT { (a)-[:E*0..1]-() }', '[[7,7]]'],
    ['MATCH (a:N {id: 1})-[:E*1..2]->(b) WITH * RETURN count(b), a.id', '[[11,1]]'],
  ])('%s', async (text, rows) => {
    const { rowsJson, warnings } = right(await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 }));
    expect([rowsJson, warnings]).toEqual([rows, undefined]);
  });

  test.each([
    ['MATCH (a)-[:E*1..9]->(b) RETURN count(*)', false],
    ['MATCH (a)-[:E*]->(b) RETURN count(*)', false],
    ['MATCH (a)-[:E*]->(b)-[:E]->(c) RETURN DISTINCT c', false],
    ['MATCH (a) OPTIONAL MATCH (a)-[:E*1..2]->(b) RETURN count(*)', true],
    ['MATCH (a)-[:E*]->(b) RETURN DISTINCT b', true],
  ])('%s is answered: %s', async (text, isAnswered) => {
    const answer = await loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 });
    expect(isRight(answer)).toBe(isAnswered);
  });
});

describe('FalkorDB, which receives added names and conditions', () => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    loaded = await loadMultigraph('graphdb_b', GRAPH);
  });
  afterAll(() => loaded.end());

  const ask = (text: string) => loaded.engine.query({ text, parameters: { id: 1n }, timeoutMs: 20_000 });

  test('returns `*` without them, and columns titled as in the query', async () => {
    const star = right(await ask('MATCH (b {id: $id})-[:E]->(a) WITH * /* all */ RETURN *, count( * )'));
    expect(star.columns).toEqual(['a', 'b', 'count( * )']);
    expect(left(await ask('MATCH ()-[:E]->() RETURN *'))).toMatchObject({ kind: 'rejected' });
  });

  test('reports the place of an error in the original text', async () => {
    const wrong = '/* 😀 */ MATCH (a)-->(b)\n  WHERE a.id = 1 MATCH (a)--(b) RETURN a.id /* é */, 5 5';
    expect(left(await ask('MATCH (a)-->(b) RETURN a.id +, b'))).toMatchObject({ position: { line: 1, column: 30 } });
    expect(left(await ask(wrong.replace('5 5', '{1}')))).toMatchObject({ position: { line: 2, column: 55 } });
  });

  test('shows the plan of the rewritten query', async () => {
    const { rowsJson } = right(await ask('EXPLAIN MATCH (a:N {id: 1})-->(b) WHERE b.id > 0 RETURN count(*)'));
    expect(rowsJson).toContain('Node By Index Scan');
  });
});
