import { isLeft } from 'fp-ts/Either';
import { KINDS } from '../../support/engine-of-kind';
import { type LoadedEngine } from '../../support/loaded-engine';
import { loadMultigraph } from './multigraph';

/** A tree of twelve levels, with parallel relationships and a second way in; teams of employees; and a circle. */
const LEVELS = 12;
const employees = Array.from({ length: 2 * LEVELS }, (_, id) => ({ id, label: 'Employee' }));
const teams = [100, 101, 102].map((id) => ({ id, label: 'Team' }));
const above = ({ id }: { readonly id: number }): number => Math.max(id - 2, 0);
const GRAPH = {
  nodes: [...employees, ...teams],
  edges: [
    ...employees.slice(1).map((node) => ({ type: 'REPORTS_TO', from: node.id, to: above(node), w: node.id })),
    { type: 'REPORTS_TO', from: 5, to: 3, w: 50 },
    { type: 'REPORTS_TO', from: 23, to: 0, w: 51 },
    { type: 'REPORTS_TO', from: 4, to: 2, w: 52 },
    ...employees.map(({ id }) => ({ type: 'IN_TEAM', from: id, to: 100 + (id % 3), w: id })),
    { type: 'PART_OF', from: 100, to: 101, w: 1 },
    { type: 'PART_OF', from: 101, to: 102, w: 2 },
    { type: 'HELPS', from: 1, to: 2, w: 3 },
    { type: 'LEADS', from: 100, to: 3, w: 4 },
    ...[0, 1, 2].map((id) => ({ type: 'KNOWS', from: id, to: (id + 1) % 3, w: id })),
  ],
};

const ANSWERED = [
  'MATCH (a:Employee {id: 23})-[:REPORTS_TO*]->(b) RETURN b.id AS i, count(*) AS c ORDER BY i',
  'MATCH (a:Employee)-[:REPORTS_TO*]->(b:Employee {id: 0}) RETURN a.id AS i, count(*) AS c ORDER BY i',
  'MATCH p = (a:Employee)<-[:REPORTS_TO*2..]-(b) RETURN a.id AS i, b.id AS j, length(p) AS s, count(*) AS c ORDER BY i, j, s',
  'MATCH p = (:Employee {id: 21})-[:REPORTS_TO*0..]->(b) RETURN [n IN nodes(p) | n.id] AS ids ORDER BY ids',
  'MATCH p = (a:Employee)-[:REPORTS_TO*]->(b) RETURN sum(reduce(s = 0, e IN relationships(p) | s + e.w)) AS s, count(*) AS c',
  'MATCH (a:Employee)-[:REPORTS_TO*1..10]->(b) RETURN a.id AS i, count(*) AS c ORDER BY i',
  'MATCH (a:Employee) RETURN a.id AS i, COUNT { (a)-[:REPORTS_TO*]->() } AS c ORDER BY i',
  'MATCH (a:Employee) OPTIONAL MATCH (a)<-[:REPORTS_TO*]-(b) WHERE b.id > 20 RETURN a.id AS i, count(b) AS c ORDER BY i',
  'MATCH (a:Employee {id: 7})-[:REPORTS_TO|IN_TEAM|PART_OF*]->(b) RETURN b.id AS i, count(*) AS c ORDER BY i',
  'MATCH (a:Employee)-[:IN_TEAM]->(t)-[:PART_OF*]->(u) RETURN u.id AS i, count(*) AS c ORDER BY i',
  'MATCH (t:Team)<-[:IN_TEAM]-(a)-[:REPORTS_TO*]->(b)-[:IN_TEAM]->(t) RETURN t.id AS i, count(*) AS c ORDER BY i',
  'MATCH (a:Employee) WHERE a.id > 20 RETURN a.id AS i, size([(a)-[:REPORTS_TO*]->(b) | b.id]) AS c ORDER BY i',
];

/** The step may return to one of its nodes, share relationships with another, or has a name or one length. */
const REJECTED = [
  'MATCH (a:Employee)-[:KNOWS*]->(b) RETURN count(*)',
  'MATCH (a:Employee)-[:REPORTS_TO*]-(b) RETURN count(*)',
  'MATCH (a:Employee)-[:REPORTS_TO|HELPS*]->(b) RETURN count(*)',
  'MATCH (a:Employee)-[:REPORTS_TO|IN_TEAM|LEADS*]->(b) RETURN count(*)',
  'MATCH (a:Employee)-[*]->(b) RETURN count(*)',
  'MATCH (a:Employee)-[:REPORTS_TO*9]->(b) RETURN count(*)',
  'MATCH (a:Employee)-[r:REPORTS_TO*]->(b) RETURN count(r)',
  'MATCH (a:Employee)-[:REPORTS_TO*]->(b)<-[:REPORTS_TO*]-(c) RETURN count(*)',
];

describe('walks of any length along relationships without a cycle', () => {
  const engines: LoadedEngine[] = [];
  beforeAll(async () => {
    for (const kind of KINDS) engines.push(await loadMultigraph(kind, GRAPH));
  });
  afterAll(() => Promise.all(engines.map(({ end }) => end())));

  test.each(ANSWERED)('%s has the same answer of both kinds', async (text) => {
    const [duckdb, falkordb] = await Promise.all(engines.map(({ rows }) => rows(text)));
    expect(duckdb?.length).toBeGreaterThan(0);
    expect(falkordb).toEqual(duckdb);
  });

  test.each(REJECTED)('%s is rejected by FalkorDB', async (text) => {
    const answer = await engines[1]?.engine.query({ text, parameters: {}, timeoutMs: 20_000 });
    expect(answer !== undefined && isLeft(answer) && answer.left.kind).toBe('rejected');
  });
});
