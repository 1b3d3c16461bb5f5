import { parseStatement } from '../../../../../pod/graph/engine/cypher/parse-statement';
import { unknownNames } from '../../../../../pod/graph/engine/cypher/unknown-names';
import { type GraphProperty, type GraphSchema, scalar } from '../../../../../pod/graph/engine/graph-schema';

const text = (name: string): GraphProperty => ({
  name,
  declaredType: 'STRING',
  type: scalar('STRING'),
  wholeMilliseconds: false,
});

const SCHEMA: GraphSchema = {
  nodeTables: [
    { label: 'Person', primaryKey: text('id'), properties: [text('name')] },
    { label: 'Movie', primaryKey: text('id'), properties: [text('title')] },
  ],
  edgeTables: [
    { type: 'ACTED_IN', fromNode: 'Person', toNode: 'Movie', hasLoops: false, properties: [text('role')] },
    { type: 'KNOWS', fromNode: 'Person', toNode: 'Person', hasLoops: true, properties: [] },
  ],
};

const warnings = (query: string): readonly string[] => unknownNames(parseStatement(query).query, SCHEMA);

test.each([
  ['MATCH (m:Movie) WHERE m.titel = $t RETURN m.titel', 'titel of Movie: it is null. Properties: id, title.'],
  ['MATCH (m:Movie) RETURN m.name', 'name of Movie: it is null. Properties: id, title.'],
  ['MATCH (n) WITH n AS m RETURN m.titel', 'titel: it is null. Properties: id, name, title.'],
  ['MATCH (m:Movie) RETURN m {.title, .titel}', 'titel of Movie: it is null. Properties: id, title.'],
  ["MATCH (:Movie {titel: 'x'}) RETURN 1", 'titel of Movie: it is null. Properties: id, title.'],
  ['MATCH ()-[r:ACTED_IN]->() RETURN r.rolle', 'rolle of ACTED_IN: it is null. Properties: role.'],
  ['MATCH ()-[:KNOWS|ACTED_IN {since: 1}]->() RETURN 1', 'since: it is null. Properties: role.'],
  ['MATCH ()-[r:KNOWS]->() RETURN r.since', 'since of KNOWS: it is null, as KNOWS has no properties.'],
  ['MATCH (p) WHERE EXISTS { (p)-->(m:Movie) WHERE m.titel = 1 } RETURN 1', 'titel of Movie: it is null. Properties: id, title.'], // prettier-ignore
])('%s: a property that no possible label or type has', (query, expected) =>
  expect(warnings(query)).toEqual([`Unknown property ${expected}`]),
);

test.each([
  'MATCH (n) RETURN n.title, n.name',
  'MATCH (a:Person)-[r]->(b) RETURN r.role, b.title',
  'MATCH (n:Person|Movie {name: $x}) RETURN n.title',
  'WITH {titel: 1} AS map RETURN map.titel',
  'UNWIND $rows AS row RETURN row.titel',
])('%s: no warning', (query) => expect(warnings(query)).toEqual([]));

test('an unknown label is reported once, without its properties', () => {
  expect(warnings('MATCH (m:Film) RETURN m.titel')).toEqual([
    'Unknown label or edge type Film: nothing matches it. Labels: Person, Movie; edge types: ACTED_IN, KNOWS.',
  ]);
});
