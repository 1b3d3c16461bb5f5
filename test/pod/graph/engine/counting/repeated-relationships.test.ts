import { createQueryPreparation } from '../../../../../pod/graph/engine/falkordb/query-preparation';
import { type EdgeTable, type GraphSchema } from '../../../../../pod/graph/engine/graph-schema';
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

const preparation = createQueryPreparation();

/** The text that FalkorDB receives for a pattern. */
const sent = (pattern: string, walks = false): string =>
  right(
    preparation.prepare({ text: `MATCH ${pattern} RETURN DISTINCT 1`, parameters: {}, walks }, SCHEMA),
  ).text.replaceAll('`', '');

const conditionsIn = (text: string): number => text.split(' <> ').length - 1;

describe('conditions for distinct relationships on FalkorDB', () => {
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
    expect(conditionsIn(sent(pattern))).toBe(count);
    expect(conditionsIn(sent(pattern, true))).toBe(0);
    if (count === 0) expect(sent(pattern)).toBe(sent(pattern, true));
  });

  test('a directed chain is sent unchanged', () => {
    expect(sent('(a)-[:KNOWS]->(b)-[:KNOWS]->(c)')).toBe('MATCH (a)-[:KNOWS]->(b)-[:KNOWS]->(c) RETURN DISTINCT 1');
  });

  test('steps get names that the query does not use', () => {
    expect(sent('(_r1)-[:ACTED_IN]->(m)<-[mine:ACTED_IN]-(co)')).toBe(
      'MATCH (_r1)-[__r1:ACTED_IN]->(m)<-[mine:ACTED_IN]-(co) WHERE id(__r1) <> id(mine) RETURN DISTINCT 1',
    );
  });
});
