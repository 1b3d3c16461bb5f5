import { analyseQuery } from '../../../../../pod/graph/engine/cypher/analyse-query';
import { compileQuery } from '../../../../../pod/graph/engine/duckdb/compile/compile-query';
import { VOCABULARY } from '../../../../../pod/graph/engine/duckdb/compile/functions';
import { scalar } from '../../../../../pod/graph/engine/graph-schema';
import { expectRight } from '../../../../support/given-when-then';

const id = { name: 'id', declaredType: 'INT64', type: scalar('INT64'), wholeMilliseconds: false };
const schema = {
  nodeTables: [{ label: 'Person', primaryKey: id, properties: [] }],
  edgeTables: [{ type: 'KNOWS', fromNode: 'Person', toNode: 'Person', properties: [], hasLoops: true }],
};

const compiled = (text: string): string => {
  const options = { schema, parameters: { ids: [1n, 2n] }, walks: false };
  return compileQuery(expectRight(analyseQuery(text, VOCABULARY)), options).sql;
};

describe('a list that is the same in all rows is joined, and not read for each row', () => {
  it.each([
    'MATCH (n:Person) WHERE n.id IN $ids RETURN n.id',
    'MATCH (n:Person) WHERE NOT n.id IN $ids OR n.id = 7 RETURN n.id',
    'MATCH (n:Person) RETURN n.id IN $ids, count(CASE WHEN n.id IN $ids THEN 1 END)',
    'MATCH (n:Person) WITH n, $ids AS ids WHERE NOT n.id IN ids RETURN n.id',
    'MATCH (n:Person) WHERE COUNT { MATCH (m:Person) WHERE m.id IN $ids AND NOT n.id IN $ids } > 0 RETURN n.id',
    'MATCH (n:Person) WITH collect(n.id) AS ids MATCH (m:Person) WHERE m.id IN ids RETURN m.id',
    'MATCH (n:Person) WITH collect(n) AS all, count(*) AS c MATCH (m:Person) RETURN m IN all, c, all',
  ])('%s', (text) => {
    const sql = compiled(text);
    expect(sql).toContain('IN (SELECT unnest(');
    expect(sql).not.toContain('list_contains');
  });

  it('UNWIND does not copy it', () => {
    const text = 'MATCH (n:Person) WITH collect(n.id) AS ids UNWIND range(0, size(ids) - 1) AS i RETURN ids[i]';
    expect(/SELECT [^()]*unnest\(v\d+\.x\)/.exec(compiled(text))?.[0]).toMatch(/^SELECT unnest/);
  });
});

/** With a column of the SELECT around both, the database would join all rows of the inner one with all outer rows. */
describe('a subquery in a subquery reads columns of the SELECT around it alone', () => {
  it.each([
    'MATCH (n:Person) CALL (n) { OPTIONAL MATCH (n)-[:KNOWS]->(m) RETURN m } RETURN n.id, m.id',
    'MATCH (n:Person) CALL (n) { OPTIONAL MATCH (n)-[:KNOWS]->(m) WHERE m.id > n.id RETURN count(m) AS c } RETURN n.id, c',
    'MATCH (n:Person) CALL (n) { MATCH (m:Person) OPTIONAL MATCH (n)-[:KNOWS]->(m)-->(n) RETURN m } RETURN n.id, m.id',
    'MATCH (n:Person) RETURN COUNT { OPTIONAL MATCH (n)-[:KNOWS]->(m) RETURN m }',
    'MATCH (n:Person) CALL (n) { OPTIONAL MATCH (n)-[:KNOWS]->(m) WHERE all(x IN [n.id, 1] WHERE x < m.id) RETURN m } RETURN m',
    'MATCH (n:Person) CALL (n) { CALL (n) { MATCH (n)-[:KNOWS]->(m) RETURN m } RETURN m } RETURN n.id, m.id',
  ])('%s', (text) => {
    const sql = compiled(text);
    const [, outer] = /FROM node_0 AS (n\d+)/.exec(sql) ?? [];
    const [, ...inner] = sql.slice(sql.indexOf('LATERAL (')).split(/LATERAL (?=\(SELECT (?!n))/);
    expect(inner.length).toBeGreaterThan(0);
    expect(inner.at(-1)?.split('))')[0]).not.toContain(`${outer}.`);
    // Two sources of such columns could be joined with each other last.
    expect(sql.split(`LATERAL (SELECT ${outer}.`)).toHaveLength(2);
  });
});

/** It expects few rows from `<>` between tables. */
it('different nodes and relationships are not what the database joins on', () => {
  const text = 'MATCH (a:Person)-[:KNOWS]->(b)-[:KNOWS]->(c)-[:KNOWS]->(d) WHERE a <> c AND b <> d RETURN count(*)';
  expect(compiled(text).match(/xor\([^()]+\) <> 0/g)).toHaveLength(5);
  expect(compiled(text)).not.toMatch(/\w+\.\w+ <> \w+\./);
});

describe('a column from outside is not what the database joins on before it follows a relationship', () => {
  it.each([
    'MATCH (n:Person) OPTIONAL MATCH (n)-[:KNOWS]->(m) WHERE m.id = n.id RETURN m.id',
    'MATCH (n:Person) OPTIONAL MATCH (n)-[:KNOWS]->(m {id: n.id}) RETURN m.id',
    'MATCH (n:Person) RETURN COUNT { MATCH (n)-[:KNOWS]->(x)-[:KNOWS]->(m) WHERE m.id = n.id } AS c',
    'MATCH (n:Person) RETURN COUNT { MATCH (n)-[:KNOWS]->(x), (m)<-[:KNOWS]-(x) WHERE m.id = n.id } AS c',
  ])('%s', (text) => {
    expect(compiled(text)).toMatch(/\([rn]\d+\.p0 = n1\.p0\) IS TRUE/);
  });

  it.each([
    'MATCH (n:Person) OPTIONAL MATCH (m:Person) WHERE m.id = n.id RETURN m.id',
    'MATCH (n:Person) OPTIONAL MATCH (n)-[:KNOWS]->(x), (m:Person) WHERE m.id = n.id RETURN m.id',
    'MATCH (n:Person) OPTIONAL MATCH (n)-[:KNOWS]->(x), (m:Person)-[:KNOWS]->(y) WHERE m.id = n.id RETURN m.id',
  ])('a node that no relationship leads to is joined on its column: %s', (text) => {
    expect(compiled(text)).not.toContain('IS TRUE');
    expect(compiled(text)).toMatch(/[rn]\d+\.p0 = n1\.p0/);
  });
});

describe('conditions come before a source that is computed for each row', () => {
  const body = '{ MATCH (n)-[:KNOWS]->(m) RETURN m ORDER BY m.id LIMIT 1 }';

  it.each([
    [
      `MATCH (n:Person) WHERE n.id > 7 CALL (n) ${body} RETURN m.id`,
      /\(FROM node_0 AS n1 WHERE \(n1\.p0 > 7::BIGINT\)\) AS n1/,
    ],
    [
      `MATCH (n:Person)-[:KNOWS]->(k:Person) WHERE n.id > 7 CALL (n) ${body} RETURN m.id`,
      /ON \(r2\._id = e1\._from\) AND \(r2\.p0 > 7::BIGINT\) CROSS JOIN LATERAL/,
    ],
    [
      'MATCH (n:Person) WHERE n.id > 7 OPTIONAL MATCH (n)-[:KNOWS]->(m) RETURN m.id',
      /\(FROM node_0 AS n1 WHERE \(n1\.p0 > 7::BIGINT\)\) AS n1 LEFT JOIN/,
    ],
  ])('%s', (text, sql) => {
    expect(compiled(text)).toMatch(sql);
  });

  it('conditions on an optional source stay behind it', () => {
    const text = `MATCH (n:Person) OPTIONAL MATCH (n)-[:KNOWS]->(k) WITH * WHERE k.id > 7 CALL (n) ${body} RETURN m.id`;
    expect(compiled(text)).toMatch(/ON r5\._id = s3\.c4 CROSS JOIN LATERAL .* WHERE \(r5\.p0 > 7::BIGINT\) ORDER BY/);
  });
});
