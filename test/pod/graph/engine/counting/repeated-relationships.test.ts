import { createFalkordbPreparation } from '../../../../../pod/graph/engine/falkordb/language';
import { type EdgeTable, type GraphSchema } from '../../../../../pod/graph/engine/graph-schema';
import { createKuzuPreparation } from '../../../../../pod/graph/engine/kuzu/language';
import { right } from '../../support/loaded-engine';

const edges = (type: string, fromNode: string, toNode: string, hasLoops = false): EdgeTable => ({
  type,
  fromNode,
  toNode,
  hasLoops,
  properties: [],
});
const key = {
  name: 'id',
  declaredType: 'INT64',
  type: { kind: 'scalar', name: 'INT64' },
  wholeMilliseconds: false,
} as const;
const SCHEMA: GraphSchema = {
  nodeTables: ['Person', 'Movie'].map((label) => ({ label, primaryKey: key, properties: [] })),
  edgeTables: [
    edges('KNOWS', 'Person', 'Person'),
    edges('LINKS', 'Person', 'Person', true),
    edges('ACTED_IN', 'Person', 'Movie'),
    edges('DIRECTED', 'Person', 'Movie'),
  ],
};

const preparations = { graphdb_a: createKuzuPreparation(), graphdb_b: createFalkordbPreparation() };

/** The text that an engine receives for a pattern. */
const sent = (kind: keyof typeof preparations, pattern: string, walks = false): string =>
  right(
    preparations[kind].prepare({ text: `MATCH ${pattern} RETURN DISTINCT 1`, parameters: {}, walks }, SCHEMA),
  ).text.replaceAll('`', '');

const conditionsIn = (text: string): number => text.split(' <> ').length - 1;

describe.each(['graphdb_a', 'graphdb_b'] as const)('conditions for distinct relationships on %s', (kind) => {
  test.each([
    ['(a)-[:KNOWS]->(b)-[:KNOWS]->(c)', 0],
    ['(a)-[:LINKS]->(b)-[:LINKS]->(c)', 1],
    ['(a)-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(d)', 1],
    ['(a)-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(d)-[:KNOWS]->(e)', 3],
    ['(p)-[:ACTED_IN]->(m)<-[:ACTED_IN]-(co)', 1],
    ['(p:Person)-[:ACTED_IN]->(m)<-[:ACTED_IN]-(co:Movie)', 0],
    ['(p)-[:ACTED_IN]->(m)<-[:DIRECTED]-(co)', 0],
    ['(p)-[:ACTED_IN|DIRECTED]->(m)<-[:DIRECTED]-(co)', 1],
    ['(p)-[:ACTED_IN]->(m)<--(co)', 1],
    ['(p)-[:ACTED_IN]->(m)-[:KNOWS]->(co)', 0],
    ['(p)-[:KNOWS]-(q)-[:KNOWS]-(o)', 1],
    ['(p)-[:ACTED_IN]-(m)-[:ACTED_IN]-(o)', 1],
    ['(p)-[:ACTED_IN]->(m)<-[:ACTED_IN]-(q), (p)-[:KNOWS]->(q)', 0],
    ['(p)-[:ACTED_IN]->(m)<-[:ACTED_IN]-(q), (p)-[:LINKS]->(q)', 1],
    ['(p)-[:ACTED_IN]->(m), (q)-[:ACTED_IN]->(n)', 1],
    ['(p)-[:KNOWS]->(q), (q)-[:KNOWS]->(p)', 0],
    ['(p)-[:KNOWS]->(q) MATCH (q)<-[:KNOWS]-(r)', 0],
  ])('%s: %i', (pattern, count) => {
    expect(conditionsIn(sent(kind, pattern))).toBe(count);
    expect(conditionsIn(sent(kind, pattern, true))).toBe(0);
    if (count === 0) expect(sent(kind, pattern)).toBe(sent(kind, pattern, true));
  });

  test('a directed chain is sent unchanged', () => {
    expect(sent(kind, '(a)-[:KNOWS]->(b)-[:KNOWS]->(c)')).toBe(
      'MATCH (a)-[:KNOWS]->(b)-[:KNOWS]->(c) RETURN DISTINCT 1',
    );
  });

  test('steps get names that the query does not use', () => {
    expect(sent(kind, '(_r1)-[:ACTED_IN]->(m)<-[mine:ACTED_IN]-(co)')).toBe(
      'MATCH (_r1)-[__r1:ACTED_IN]->(m)<-[mine:ACTED_IN]-(co) WHERE id(__r1) <> id(mine) RETURN DISTINCT 1',
    );
  });
});

describe('steps of variable length on graphdb_a', () => {
  test.each([
    ['(a)-[:KNOWS*1..3]->(b)', '(a)-[:KNOWS*1..3]->(b)'],
    ['(a)-[:KNOWS*1..3]-(b)', '(a)-[:KNOWS* TRAIL 1..3]-(b)'],
    ['(a)-[:KNOWS*2..3]->(b)', '(a)-[:KNOWS* TRAIL 2..3]->(b)'],
    ['(a)-[r:KNOWS*1..3]->(b)', '(a)-[r:KNOWS* TRAIL 1..3]->(b)'],
    ['p = (a)-[:KNOWS*1..3]->(b)', 'p = (a)-[:KNOWS* TRAIL 1..3]->(b)'],
    [
      '(a)-[:KNOWS*1..3]->(b)<-[:KNOWS]-(c)',
      "(a)-[_r1:KNOWS* TRAIL 1..3]->(b)<-[_r2:KNOWS]-(c) WHERE NOT list_contains(properties(rels(_r1), '_id'), id(_r2))",
    ],
  ])('%s', (pattern, expected) => expect(sent('graphdb_a', pattern)).toBe(`MATCH ${expected} RETURN DISTINCT 1`));
});
