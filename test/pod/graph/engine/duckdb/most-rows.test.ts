import { analyseQuery } from '../../../../../pod/graph/engine/cypher/analyse-query';
import { VOCABULARY } from '../../../../../pod/graph/engine/duckdb/compile/functions';
import { mostRows } from '../../../../../pod/graph/engine/duckdb/compile/most-rows';
import { scalar } from '../../../../../pod/graph/engine/graph-schema';
import { expectRight } from '../../../../support/given-when-then';

const id = { name: 'id', declaredType: 'INT64', type: scalar('INT64'), wholeMilliseconds: false };
const schema = {
  nodeTables: ['Person', 'City'].map((label) => ({ label, primaryKey: id, properties: [] })),
  edgeTables: [{ type: 'KNOWS', fromNode: 'Person', toNode: 'Person', hasLoops: true, properties: [] }],
};

describe('the greatest number of rows of a query', () => {
  it.each([
    ['RETURN 1', 1],
    ['MATCH (p:Person {id: $id}) RETURN p', 1],
    ['MATCH (p:Person {name: 1, id: 2}) RETURN p', 1],
    ['MATCH (p:Person) WHERE p.age > 3 AND $id = p.id RETURN p', 1],
    ['MATCH (p:Person WHERE p.id = 1), (c:City {id: 2}) RETURN p, c', 1],
    ['OPTIONAL MATCH (p:Person {id: 1}) RETURN p', 1],
    ['MATCH (p:Person) RETURN count(*), collect(p)', 1],
    ['MATCH (p:Person) WITH count(*) AS n MATCH (c:City {id: n}) RETURN c', 1],
    ['MATCH (p:Person) RETURN p LIMIT 20', 20],
    ['MATCH (p:Person) RETURN p LIMIT 20 UNION MATCH (p:Person) RETURN p LIMIT 0x10', 36],
    ['MATCH (p:Person) RETURN count(*) LIMIT 20', 1],
    ['MATCH (p:Person) WITH p LIMIT 3 RETURN p', 3],
    ['MATCH (p:Person) RETURN p', Infinity],
    ['MATCH (p:Person) RETURN p.age, count(*)', Infinity],
    ['MATCH (p:Person) RETURN p LIMIT $most', Infinity],
    ['MATCH (p {id: 1}) RETURN p', Infinity],
    ['MATCH (p:Person|City {id: 1}) RETURN p', Infinity],
    ['MATCH (p:Person) WHERE p.id = 1 OR p.id = 2 RETURN p', Infinity],
    ['MATCH (p:Person) WHERE p.id > 1 RETURN p', Infinity],
    ['MATCH (p:Person) WHERE $id = p.age RETURN p', Infinity],
    ['MATCH (p:Person {id: 1})-[:KNOWS]->(q:Person) RETURN q', Infinity],
    ['MATCH (p:Person {id: 1}), (q:Person) RETURN q', Infinity],
    ['MATCH (p:Person), (q:Person) WHERE q.id = 1 RETURN p', Infinity],
    ['MATCH (p:Person {id: 1}) UNWIND [1, 2] AS x RETURN x', Infinity],
    ['WITH 1 AS x CALL { MATCH (q:Person) RETURN q } RETURN x', Infinity],
    ['MATCH (p:Person) WITH count(*) AS n MATCH (q:Person) RETURN q', Infinity],
  ])('%s: %d', (text, rows) => {
    expect(mostRows(expectRight(analyseQuery(text, VOCABULARY)).query, schema)).toBe(rows);
  });
});
