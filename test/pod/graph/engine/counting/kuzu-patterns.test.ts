import { left, right, type LoadedEngine } from '../../support/loaded-engine';
import { loadMultigraph } from './multigraph';

/** Two people who know each other twice through a third, and live in a city. */
const GRAPH = {
  nodes: [...[1, 2, 3].map((id) => ({ id, label: 'Person' })), { id: 4, label: 'City' }],
  edges: [
    ...(
      [
        [1, 2],
        [2, 3],
        [2, 3],
        [1, 3],
        [1, 3],
      ] as const
    ).map(([from, to], w) => ({ type: 'KNOWS', from, to, w })),
    { type: 'LIVES_IN', from: 1, to: 4, w: 9 },
  ],
};

describe('patterns that Kuzu does not evaluate as written', () => {
  let loaded: LoadedEngine;
  beforeAll(async () => {
    loaded = await loadMultigraph('graphdb_a', GRAPH);
  });
  afterAll(() => loaded.end());

  const ask = (text: string) => loaded.engine.query({ text, parameters: {}, timeoutMs: 20_000 });

  test.each([
    ['MATCH p = (a)-[:KNOWS]->(b)-[:KNOWS]->(c), (a)-[r:KNOWS]->(c) RETURN count(*)', '-[r:KNOWS]->'],
    ['MATCH (n) OPTIONAL MATCH (a)-->(b)<--(a) RETURN a', '<--'],
    [
      'MATCH (a)-[:KNOWS]->(b) OPTIONAL MATCH (a)-[:LIVES_IN]->(c), (b)-[:LIVES_IN]->(d) WHERE a.id < 9 RETURN b.id',
      'several parts with a condition',
    ],
    [
      'MATCH (a)-[:KNOWS]->(b) OPTIONAL MATCH (a {id: 3})-[:LIVES_IN]->(c), (b)-[:LIVES_IN]->(d) RETURN b.id',
      'several parts with a condition',
    ],
    ['MATCH (a:City) OPTIONAL MATCH p = (a)<-[:LIVES_IN]-() RETURN p', ' p null'],
  ])('%s is answered with a warning that names %s', async (text, named) => {
    expect(right(await ask(text)).warnings).toEqual([expect.stringContaining(named)]);
  });

  test.each([
    ['MATCH (a)-[:KNOWS]->(b)-[:KNOWS]->(c) WITH a, c MATCH (a)-[:KNOWS]->(c) RETURN count(*)', [[4]]],
    ['MATCH (a)-->(b)-->(c), (a)-->(c) RETURN DISTINCT a.id', [[1]]],
    ['MATCH (a)-[:KNOWS]-(b) RETURN count(*)', [[10]]],
    ['MATCH (a:City)<-[* TRAIL 0..2]-(b) RETURN DISTINCT a.id', [[4]]],
    [
      'MATCH (a)-[:KNOWS*0..2]->(b) RETURN b.id, count(*) ORDER BY b.id',
      [
        [1, 1],
        [2, 2],
        [3, 7],
        [4, 1],
      ],
    ],
    ['MATCH (a)-[:KNOWS*0]->(b) WHERE b.id > 2 RETURN DISTINCT a.id ORDER BY a.id', [[3], [4]]],
    [
      'MATCH (a)-[:KNOWS]->(b) OPTIONAL MATCH (a)-[:LIVES_IN]->(c), (b)-[:LIVES_IN]->(d) RETURN DISTINCT b.id ORDER BY b.id',
      [[2], [3]],
    ],
    ['MATCH (n) WITH count(*) AS k RETURN k AS x, k AS y, k + 1 AS z', [[4, 4, 5]]],
    ['MATCH (n) WITH count(*) AS k WITH *, k AS l RETURN l AS x, k + l AS y', [[4, 8]]],
  ])('%s is answered correctly without a warning', async (text, rows) => {
    const answer = right(await ask(text));
    expect([JSON.parse(answer.rowsJson), answer.warnings]).toEqual([rows, undefined]);
  });

  test.each([
    'MATCH (c:City) OPTIONAL MATCH (c)-[:KNOWS]->(p) RETURN c, p',
    'MATCH (p:Person)-[:LIVES_IN]->(c) WITH c AS town OPTIONAL MATCH (p)-[:KNOWS]->(town) RETURN p',
    'MATCH (c:City) WHERE NOT (c)-[:KNOWS]->() RETURN c',
    'MATCH (c:City) WHERE EXISTS { MATCH (c)-[:KNOWS]->() } RETURN c',
    'MATCH (p:Person) OPTIONAL MATCH (p)-[:KNOWS]->()<-[:LIVES_IN]-(:City) RETURN p',
  ])('%s cannot match, and is rejected with the labels of both', async (text) => {
    const { message } = left(await ask(text)) as { message: string };
    expect(message).toMatch(/City.* leads from Person to/);
  });

  test('length 0 is rejected in a condition for nodes of other labels than those of its edges', async () => {
    const failure = left(await ask('MATCH (c:City) WHERE (c)-[:KNOWS*0..1]-() RETURN c.id'));
    expect(failure).toMatchObject({
      message: expect.stringContaining('begin with length 1') as string,
      position: { line: 1, column: 25 },
    });
  });

  test.each([
    'MATCH (c:City) MATCH (c)-[:KNOWS]->(p) RETURN c, p',
    'MATCH (n) OPTIONAL MATCH (n)-[:KNOWS]->(p) RETURN n, p',
    'MATCH (c:City) OPTIONAL MATCH (c)-[:KNOWS]-(p) RETURN c, p',
    'MATCH (p)-->(c:City) WHERE (p)-[:KNOWS]->() RETURN p',
  ])('%s is accepted', async (text) => expect((await ask(text))._tag).toBe('Right'));
});
