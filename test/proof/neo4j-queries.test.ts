import { type Kind } from '../pod/graph/support/engine-of-kind';
import { type LoadedEngine } from '../pod/graph/support/loaded-engine';
import { comparedAnswer, expectedAnswer } from './cypher/engine/compared-answer';
import { tablesOf } from './cypher/engine/graph-tables';
import { loadedTables } from './cypher/engine/loaded-graph';
import { MOVIE_WORLD } from './neo4j-queries/movie-world';
import { NEO4J_QUERIES } from './neo4j-queries/neo4j-queries';

const QUERIES = Object.entries(NEO4J_QUERIES).map(([name, query]) => {
  const [text, parameters] = typeof query === 'string' ? [query, {}] : query;
  const order = { inOrder: /ORDER BY[^)]*$/.test(text), anyOrderInLists: /collect\(|\| g/.test(text) };
  return { name, text, parameters: new Map(Object.entries(parameters)), ...order };
});

test('there are 52 queries', () => expect(QUERIES).toHaveLength(52));

describe.each<Kind>(['graphdb_a', 'graphdb_b'])('queries written for Neo4j on %s', (kind) => {
  let loaded: LoadedEngine;

  beforeAll(async () => {
    const tables = tablesOf(MOVIE_WORLD);
    if (typeof tables === 'string') throw new Error(tables);
    loaded = await loadedTables(kind, tables);
  });
  afterAll(() => loaded.end());

  test.each(QUERIES)('$name', async ({ name, ...query }) => {
    const { outcome, lines } = await comparedAnswer(loaded.engine, expectedAnswer(MOVIE_WORLD, query), query);
    if (process.env['SHOW'] !== undefined && outcome !== 'right')
      process.stderr.write(`${[`${kind} ${outcome}: ${name}`, ...lines].join('\n  ')}\n`);
    expect([outcome, ...lines]).toEqual(['right', ...lines]);
  });
});
