import { waitFor } from '../../support/wait-for';
import { whileFrozen } from '../../support/while-frozen';
import { type ControlPlaneServer } from './support/control-plane-server';
import { ENDLESS_QUERY } from './support/endless-query';
import { expectNeighbours } from './support/expect-neighbours';
import { expectParameters } from './support/expect-parameters';
import { childrenOf, type PodAnswer, type PodProcess, SLUG } from './support/pod-process';
import { openRunningPod, type RunningPod } from './support/running-pod';

describe('a running pod', () => {
  let running: RunningPod;
  let pod: PodProcess;
  let controlPlane: ControlPlaneServer;

  beforeAll(async () => {
    running = await openRunningPod('graphdb_a');
    ({ pod, controlPlane } = running);
  });
  afterAll(() => running.close());

  const query = (text: string, more: object = {}): Promise<PodAnswer> =>
    pod.call('POST', '/query', { query: text, ...more });

  test('reports starting and running, with its token, and answers queries', async () => {
    expect(controlPlane.statuses()).toEqual([
      { status: 'starting' },
      {
        status: 'running',
        pod_ip: '127.0.0.1',
        instance_url: `http://localhost/${SLUG}`,
        graph_stats: { node_count: 5, edge_count: 4 },
        loading_seconds: expect.any(Number) as number,
      },
    ]);
    for (const { path, headers } of controlPlane.calls) {
      expect(path).toMatch(/^\/api\/internal\/instances\/42\//);
      expect(headers).toMatchObject({ authorization: 'Bearer the-token', 'x-component': 'wrapper' });
    }
    const answer = await query('MATCH (p:Person) RETURN p.name AS name, p.big AS big ORDER BY name LIMIT 1;');
    expect(answer.status).toBe(200);
    expect(answer.text).toMatch(
      /^{"columns":\["name","big"\],"column_types":\["STRING","INT64"\],"rows":\[\["ada",9007199254740993\]\],"row_count":1,"execution_time_ms":\d+,"truncated":false}$/,
    );
  });

  test('reports progress at most twice a second within a phase, and the last state of every phase', async () => {
    const reports = controlPlane.calls
      .filter(({ path }) => path.endsWith('/progress'))
      .map(({ body }) => body as { phase: string; steps: { status: string }[] });
    const phases = reports.map(({ phase }) => phase);
    const changes = phases.filter((phase, index) => phase !== phases[index - 1]);
    expect(changes).toEqual([
      'fetching_mapping',
      'downloading',
      'checking',
      'creating_schema',
      'loading_nodes',
      'loading_edges',
      'ready',
    ]);
    const { uptime_seconds } = (await pod.call('GET', '/status')).body as { uptime_seconds: number };
    expect(reports.length).toBeLessThanOrEqual(changes.length + 2 * uptime_seconds + 1);
    expect(reports.at(-1)?.steps).toContainEqual({ name: 'KNOWS', type: 'edge', status: 'completed', row_count: 2 });
  });

  test('reports the memory and the cores it uses', async () => {
    const reports = () => controlPlane.calls.filter(({ path }) => path.endsWith('/metrics'));
    await waitFor('the pod reports its usage', () => reports().length > 0);
    const { cpu_usage_cores: cores } = reports()[0]?.body as { readonly cpu_usage_cores?: number };
    expect(cores).toBeGreaterThan(0);
  });

  test('serves health, readiness, status, schema, lock and its description at its root and below its slug', async () => {
    expect((await pod.call('GET', `/${SLUG}/openapi.json`)).body).toMatchObject({
      openapi: '3.1.0',
      servers: [{ url: `http://localhost/${SLUG}` }],
      paths: { '/graphlib/{name}': {} },
    });
    expect(await pod.call('GET', '/health')).toMatchObject({ status: 200, body: { status: 'healthy' } });
    expect(await pod.call('GET', `/${SLUG}/ready`)).toMatchObject({ status: 200, body: { status: 'ready' } });
    expect((await pod.call('GET', `/${SLUG}`)).body).toMatchObject({ instance_id: 42, wrapper_type: 'graphdb_a' });
    expect(await pod.call('GET', '/lock')).toMatchObject({ body: { lock: { locked: false } } });
    expect((await pod.call('GET', '/status')).body).toMatchObject({
      status: 'running',
      instance_id: 42,
      snapshot_id: 7,
      mapping_id: 1,
      owner_username: 'ada',
      ready: true,
      node_count: 5,
      edge_count: 4,
      node_tables: ['Person', 'City'],
      edge_tables: ['KNOWS', 'LIVES_IN'],
      memory_usage_bytes: expect.any(Number) as number,
      running_queries: 0,
      lock: { locked: false },
    });
    expect((await pod.call('GET', `/${SLUG}/schema`)).body).toMatchObject({
      node_tables: [
        { label: 'Person', primary_key: 'name', primary_key_type: 'STRING', node_count: 3 },
        { label: 'City', primary_key: 'id', primary_key_type: 'INT64', properties: { title: 'STRING' } },
      ],
      edge_tables: [
        { type: 'KNOWS', from_node: 'Person', to_node: 'Person', edge_count: 2 },
        { type: 'LIVES_IN', properties: {} },
      ],
      total_nodes: 5,
      total_edges: 4,
    });
  });

  test('returns neighbours with counts by type', () => expectNeighbours(pod));

  test('parameters keep the kind and the value of their numbers', () => expectParameters(pod));

  test('returns the nodes and edges of an answer as a subgraph, each once', async () => {
    const cypher = 'MATCH p = (a:Person)-[k:KNOWS]->(b:Person) RETURN p, a, k';
    const { status, body, text } = await pod.call('POST', '/subgraph', { cypher });
    expect([status, body['data']]).toEqual([200, expect.objectContaining({ node_count: 3, edge_count: 2 })]);
    const { edges } = body['data'] as { edges: object[] };
    expect(edges).toContainEqual(
      expect.objectContaining({ _type: 'KNOWS', _from: 'Person:ada', _to: 'Person:bob', strength: 0.1 }),
    );
    expect(text).toContain('"big":9007199254740993');
    expect(await pod.call('POST', '/subgraph', { cypher: 'MATCH (n) DELETE n' })).toMatchObject({
      status: 400,
      body: { error: { code: 'GRAPHDB_A_ERROR' } },
    });
  });

  test('an answer without all rows has a warning', async () => {
    const rowsOf = (count: number) => `UNWIND range(1, ${count}) AS i RETURN i`;
    const warning = expect.stringContaining('Rows are missing') as string;
    expect((await query(rowsOf(100_001))).body).toMatchObject({
      row_count: 100_000,
      truncated: true,
      warnings: [warning],
    });
    expect((await query(rowsOf(100_000))).body).not.toHaveProperty('warnings');
    const cut = await pod.call('POST', '/subgraph', { cypher: `MATCH (n) ${rowsOf(100_000)}, n` });
    expect(cut.body).toMatchObject({ data: { truncated: true, warnings: [warning] } });
  });

  test('matches a relationship once per MATCH, unless walks are requested', async () => {
    const pattern = 'MATCH (a:Person)-[k:KNOWS]->(:Person)<-[:KNOWS]-(b:Person) WHERE a.name = b.name';
    const rows = async (more: object): Promise<unknown> =>
      (await query(`${pattern} RETURN count(*)`, more)).body['rows'];
    expect(await rows({})).toEqual([[0]]);
    expect(await rows({ uniqueness: 'relationship' })).toEqual([[0]]);
    expect(await rows({ uniqueness: 'none' })).toEqual([[2]]);
    const subgraph = { cypher: `${pattern} RETURN a, k` };
    expect(await pod.call('POST', '/subgraph', subgraph)).toMatchObject({ body: { data: { edge_count: 0 } } });
    const walks = await pod.call('POST', '/subgraph', { ...subgraph, uniqueness: 'none' });
    expect(walks).toMatchObject({ body: { data: { edge_count: 2 } } });
    expect(await query('RETURN 1', { uniqueness: 'node' })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_FAILED' } },
    });
  });

  test('names unknown fields of a request, which it ignores, in the answer and in the error that they cause', async () => {
    const warning = 'uniquness is not a field of this request and was ignored; did you mean uniqueness?';
    expect((await query('RETURN 1', { uniquness: 'none' })).body).toMatchObject({ warnings: [warning] });
    const subgraph = { cypher: 'MATCH (n:Person) RETURN n', uniquness: 'none' };
    expect((await pod.call('POST', '/subgraph', subgraph)).body).toMatchObject({ data: { warnings: [warning] } });
    expect((await query('RETURN $id', { paramaters: { id: 7 } })).body).toMatchObject({
      error: {
        message: expect.stringMatching(/\. paramaters is not a field .*; did you mean parameters\?$/) as string,
      },
    });
  });

  test('says what a body must have in place of a wrong field', async () => {
    expect((await query('RETURN 1', { parameters: [7] })).body).toMatchObject({
      error: { details: { errors: [{ field: 'parameters', message: 'must be an object, not a list' }] } },
    });
    expect((await pod.call('POST', '/query', { cypher: 'RETURN 1' })).body).toMatchObject({
      error: { message: 'query is required. cypher is not a field of this request; did you mean query?' },
    });
  });

  test('answers invalid requests with the error envelope', async () => {
    const code = (answer: PodAnswer): unknown => [
      answer.status,
      (answer.body['error'] as Record<string, unknown>)['code'],
    ];
    expect(code(await query('MATCH (n) DELETE n'))).toEqual([400, 'GRAPHDB_A_ERROR']);
    expect(await query("MATCH (p:Person)\n\tRETURN '東京', q")).toMatchObject({
      body: {
        error: {
          details: {
            position: { line: 2, column: 15 },
            excerpt: { line: " RETURN '東京', q", caret: `${' '.repeat(16)}^` },
          },
        },
      },
    });
    expect(code(await query('RETURN 1', { timeout_ms: 5 }))).toEqual([400, 'VALIDATION_FAILED']);
    expect(code(await query(''))).toEqual([400, 'VALIDATION_FAILED']);
    expect(code(await pod.call('GET', '/query'))).toEqual([405, 'METHOD_NOT_ALLOWED']);
    expect(code(await pod.call('GET', '/nothing'))).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect(code(await pod.call('GET', '/algo/status/%zz'))).toEqual([404, 'RESOURCE_NOT_FOUND']);
    expect(code(await pod.call('POST', '/query', 'a text'))).toEqual([400, 'VALIDATION_FAILED']);
    expect(code(await query('x'.repeat(9 * 1024 * 1024)))).toEqual([413, 'VALIDATION_FAILED']);
    const wrong = await query('MATCH (n)\nRETURN n ORDER n');
    expect(code(wrong)).toEqual([400, 'GRAPHDB_A_ERROR']);
    expect(wrong.body).toMatchObject({
      error: { details: { position: { line: 2 }, message: expect.any(String) as string } },
    });
  });

  test('runs pagerank under the lock, stores its result and releases the lock', async () => {
    const request = { node_label: 'Person', property_name: 'rank' };
    // Without its engine the run cannot write its result back.
    const id = await whileFrozen(await childrenOf(pod.child.pid!), async () => {
      const started = await pod.call('POST', '/algo/pagerank', request, 'ada');
      expect(started).toMatchObject({
        status: 202,
        body: { data: { algorithm: 'pagerank', status: 'running', lock_acquired: true } },
      });
      const { execution_id } = started.body['data'] as { execution_id: string };
      expect((await pod.call('GET', '/lock')).body).toMatchObject({
        lock: { locked: true, holder_id: 'ada', holder_username: 'ada', algorithm_name: 'pagerank', execution_id },
      });
      expect(await pod.call('POST', '/algo/pagerank', request, 'ada')).toMatchObject({
        status: 409,
        body: { error: { code: 'RESOURCE_LOCKED', details: { holder_id: 'ada', algorithm: 'pagerank' } } },
      });
      return execution_id;
    });
    const status = async (): Promise<Record<string, unknown>> =>
      (await pod.call('GET', `/algo/status/${id}`)).body['data'] as Record<string, unknown>;
    await waitFor('the run has ended', async () => (await status())['status'] !== 'running');
    expect(await status()).toMatchObject({
      status: 'completed',
      duration_seconds: expect.any(Number) as number,
      result: { property_name: 'rank', nodes_updated: 3 },
    });
    expect((await pod.call('GET', '/lock')).body).toEqual({ lock: { locked: false }, running_queries: 0 });
    const ranks = (await query('MATCH (p:Person) RETURN p.rank ORDER BY p.name')).body['rows'] as number[][];
    expect(ranks.flat().map((rank) => rank.toFixed(4))).toEqual(['0.1844', '0.3412', '0.4744']);
    expect((await pod.call('GET', '/schema')).body).toMatchObject({
      node_tables: [{ properties: { age: 'INT64', rank: 'DOUBLE' } }, {}],
    });
  });

  test.each([
    ['without a user', undefined, {}, 401, 'UNAUTHORIZED'],
    ['with two users', 'ada, bob', {}, 401, 'UNAUTHORIZED'],
    ['without a user or a sound body', undefined, { node_label: 7 }, 401, 'UNAUTHORIZED'],
    ['for another user', 'bob', {}, 403, 'PERMISSION_DENIED'],
    ['onto the primary key', 'ada', { property_name: 'name' }, 400, 'VALIDATION_FAILED'],
    ['onto a property of another type', 'ada', { property_name: 'age' }, 400, 'VALIDATION_FAILED'],
    ['of an unknown label', 'ada', { node_label: 'Nobody' }, 400, 'VALIDATION_FAILED'],
    ['over an unknown edge type', 'ada', { edge_types: ['HATES'] }, 400, 'VALIDATION_FAILED'],
    ['with a damping of two', 'ada', { damping: 2 }, 400, 'VALIDATION_FAILED'],
  ])('rejects an algorithm %s and leaves no lock', async (_, user, change, status, code) => {
    const request = { node_label: 'Person', property_name: 'rank', ...change };
    expect(await pod.call('POST', '/algo/pagerank', request, user)).toMatchObject({
      status,
      body: { error: { code } },
    });
    expect((await pod.call('GET', '/lock')).body).toEqual({ lock: { locked: false }, running_queries: 0 });
  });

  test('returns 404 for an unknown algorithm and an unknown execution', async () => {
    expect(await pod.call('POST', '/algo/magic', {}, 'ada')).toMatchObject({
      status: 404,
      body: { error: { code: 'ALGORITHM_NOT_FOUND' } },
    });
    expect(await pod.call('GET', '/algo/status/none')).toMatchObject({
      status: 404,
      body: { error: { code: 'EXECUTION_NOT_FOUND' } },
    });
  });

  test('releases the lock after a failed run and reports the reason', async () => {
    const request = { node_label: 'Person', params: { alpha: 0.9 } };
    const started = await pod.call('POST', '/graphlib/katz_centrality', request, 'ada');
    const id = String(started.body['execution_id']);
    await waitFor('the lock is released', async () => !(await pod.call('GET', '/lock')).text.includes('true'));
    expect((await pod.call('GET', `/algo/status/${id}`)).body).toMatchObject({
      data: { status: 'failed', error: expect.stringContaining('lower alpha') as string },
    });
  });

  // The last test: an engine that misses the timeout by half a second is replaced a moment after the answer.
  test('answers 408 for a query that exceeds its timeout', async () => {
    expect(await query(ENDLESS_QUERY, { timeout_ms: 1000 })).toMatchObject({
      status: 408,
      body: { error: { code: 'QUERY_TIMEOUT' } },
    });
  });

  test.each([
    ['a query', ENDLESS_QUERY, 'application/json'],
    [
      'an export that its client does not read',
      `UNWIND range(1, 500000) AS i RETURN i, '${'x'.repeat(60)}'`,
      'text/csv',
    ],
  ])('%s that runs is reported as activity until it ends', async (_, text, accepted) => {
    const activities = (): number => controlPlane.calls.filter(({ path }) => path.endsWith('/activity')).length;
    const client = new AbortController();
    const answer = fetch(`http://127.0.0.1:${pod.port()}/query`, {
      method: 'POST',
      headers: { Accept: accepted, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: text, timeout_ms: 600_000 }),
      signal: client.signal,
    }).catch(() => undefined);
    await waitFor('it runs', async () => Number((await pod.call('GET', '/lock')).body['running_queries']) > 0);
    const before = activities();
    await waitFor('it is reported again and again', () => activities() >= before + 2);
    client.abort();
    await answer;
    await waitFor('it ends', async () => (await pod.call('GET', '/lock')).body['running_queries'] === 0);
  });
});
