import { waitFor } from '../../support/wait-for';
import { type ControlPlaneServer } from './support/control-plane-server';
import { ENDLESS_QUERY } from './support/endless-query';
import { expectNeighbours } from './support/expect-neighbours';
import { expectParameters } from './support/expect-parameters';
import { childrenOf, cpuTicksOf, isAlive, type PodAnswer, type PodProcess } from './support/pod-process';
import { openRunningPod, type RunningPod } from './support/running-pod';

describe('the pod program with FalkorDB', () => {
  let running: RunningPod;
  let pod: PodProcess;
  let controlPlane: ControlPlaneServer;

  beforeAll(async () => {
    running = await openRunningPod('graphdb_b');
    ({ pod, controlPlane } = running);
  });
  afterAll(() => running.close());

  const query = (text: string, more: object = {}): Promise<PodAnswer> =>
    pod.call('POST', '/query', { query: text, ...more });

  test('logs its kind, and reports what it has loaded', async () => {
    expect(controlPlane.statuses().at(-1)).toMatchObject({
      status: 'running',
      graph_stats: { node_count: 5, edge_count: 4 },
    });
    expect((await pod.call('GET', '/')).body).toMatchObject({ wrapper_type: 'graphdb_b' });
    expect((await pod.call('GET', '/status')).body).toMatchObject({ status: 'running', node_count: 5, edge_count: 4 });
    expect((await pod.call('GET', '/schema')).body).toMatchObject({
      node_tables: [{ label: 'Person', primary_key: 'name', properties: { born: 'DATE' }, node_count: 3 }, {}],
      edge_tables: [{ type: 'KNOWS', edge_count: 2 }, {}],
    });
  });

  test('answers queries, and warns of unknown labels', async () => {
    const answer = await query('MATCH (p:Person) RETURN p.name AS name, p.big AS big ORDER BY name LIMIT 1;');
    expect(answer.text).toMatch(
      /^{"columns":\["name","big"\],"column_types":\["STRING","INT64"\],"rows":\[\["ada",9007199254740993\]\],"row_count":1,"execution_time_ms":\d+,"truncated":false}$/,
    );
    expect((await query('MATCH (p:Persn)-[:KNOWS|HATES]->() RETURN p')).body).toMatchObject({
      rows: [],
      warnings: [expect.stringContaining('Persn') as string, expect.stringContaining('HATES') as string],
    });
  });

  test('rejects queries with the code of the kind and a position', async () => {
    expect(await query('MATCH (n) DELETE n')).toMatchObject({
      status: 400,
      body: { error: { code: 'GRAPHDB_B_ERROR', details: { position: { line: 1, column: 11 } } } },
    });
    expect(await query("MATCH (n)\nWHERE n.name = 'é😀' RETURN n ORDER n")).toMatchObject({
      status: 400,
      body: { error: { code: 'GRAPHDB_B_ERROR', details: { position: { line: 2, column: 36 } } } },
    });
    expect(await query(ENDLESS_QUERY, { timeout_ms: 1000 })).toMatchObject({
      status: 408,
      body: { error: { code: 'QUERY_TIMEOUT' } },
    });
  });

  test('returns neighbours with counts by type', () => expectNeighbours(pod));

  test('parameters keep the kind and the value of their numbers', () => expectParameters(pod));

  test('returns the nodes and edges of an answer as a subgraph, each once', async () => {
    const cypher = 'MATCH p = (a:Person)-[k:KNOWS]->(b:Person) RETURN p, collect(a), k';
    const { status, text, body } = await pod.call('POST', '/subgraph', { cypher });
    expect(status).toBe(200);
    expect(body['data']).toMatchObject({
      node_count: 3,
      edge_count: 2,
      execution_time_ms: expect.any(Number) as number,
    });
    const { nodes, edges } = body['data'] as { nodes: { _id: string }[]; edges: object[] };
    expect(nodes.map(({ _id: id }) => id).sort()).toEqual(['Person:ada', 'Person:bob', 'Person:cyd']);
    expect(edges).toContainEqual(
      expect.objectContaining({ _type: 'KNOWS', _from: 'Person:ada', _to: 'Person:bob', strength: 0.1 }),
    );
    expect(text).toContain('"big":9007199254740993');
    const unknown = await pod.call('POST', '/subgraph', { cypher: 'MATCH (p:Persn) RETURN p' });
    expect(unknown.body['data']).toMatchObject({ warnings: [expect.stringContaining('Persn') as string] });
  });

  test('runs an algorithm under the lock and stores its result', async () => {
    const run = { result_property: 'group', node_labels: ['Person'], relationship_types: ['KNOWS'] };
    const started = await pod.call('POST', '/algo/wcc', run, 'ada');
    expect(started).toMatchObject({ status: 202, body: { algorithm_name: 'wcc', write_back: true } });
    const status = async (): Promise<Record<string, unknown>> =>
      (await pod.call('GET', `/algo/status/${String(started.body['execution_id'])}`)).body;
    await waitFor('the run has ended', async () => (await status())['status'] !== 'running');
    expect(await status()).toMatchObject({ status: 'completed', nodes_updated: 3 });
    expect((await query('MATCH (p:Person) RETURN count(DISTINCT p.group) AS c')).body['rows']).toEqual([[1]]);
    expect((await pod.call('GET', '/lock')).body).toEqual({ lock: { locked: false }, running_queries: 0 });
    expect(await pod.call('POST', '/algo/magic', run, 'ada')).toMatchObject({
      status: 400,
      body: { error: { code: 'QUERY_ERROR' } },
    });
  });

  test('reports that a query needs too much memory, and continues', async () => {
    const [server] = await childrenOf(pod.child.pid!);
    const hoarding = 'UNWIND range(1, 20000000) AS x WITH collect(x) AS all RETURN size(all)';
    expect(await query(hoarding)).toMatchObject({
      status: 400,
      body: { error: { code: 'GRAPHDB_B_ERROR', message: expect.stringContaining('more memory') as string } },
    });
    expect((await query('MATCH (p:Person) RETURN count(p) AS c')).body['rows']).toEqual([[3]]);
    expect(await childrenOf(pod.child.pid!)).toEqual([server]);
  });

  test('retries its queries when the server is killed, and keeps the same data; the server ends with the pod', async () => {
    const everything = 'MATCH (a) OPTIONAL MATCH (a)-[e]->(b) RETURN a, e, b ORDER BY id(a), id(b), id(e)';
    const before = (await query(everything)).body['rows'];
    const [first] = await childrenOf(pod.child.pid!);
    const ticksBefore = await cpuTicksOf(first!);
    const answers = Promise.all([
      query(ENDLESS_QUERY, { timeout_ms: 10_000 }),
      query(ENDLESS_QUERY, { timeout_ms: 10_000 }),
    ]);
    await waitFor('the server uses CPU time', async () => (await cpuTicksOf(first!)) > ticksBefore + 5);
    process.kill(first!, 'SIGKILL');
    for (const answer of await answers) {
      const detail = expect.stringContaining('send the query again') as string;
      expect(answer).toMatchObject({ status: 503, body: { detail } });
    }
    expect((await query(everything)).body['rows']).toEqual(before);
    const [second] = await childrenOf(pod.child.pid!);
    expect(second).not.toBe(first);
    pod.child.kill('SIGKILL');
    await waitFor('the server has ended', async () => !(await isAlive(second!)));
  });
});
