import { waitFor } from '../../../support/wait-for';
import { type PodAnswer, type PodProcess } from '../support/pod-process';
import { openRunningPod, type RunningPod } from '../support/running-pod';

describe('the algorithms of a FalkorDB instance', () => {
  let running: RunningPod;
  let pod: PodProcess;

  beforeAll(async () => {
    running = await openRunningPod('graphdb_b');
    ({ pod } = running);
  });
  afterAll(() => running.close());

  const start = (name: string, body: object): Promise<PodAnswer> => pod.call('POST', `/algo/${name}`, body, 'ada');

  test.each(['pagerank', 'betweenness', 'wcc', 'cdlp'])(
    '%s is started flat, stored and reported in its status',
    async (name) => {
      const started = await start(name, { result_property: `of_${name}`, node_labels: ['Person'] });
      expect(started).toMatchObject({
        status: 202,
        body: {
          algorithm_name: name,
          algorithm_type: 'native',
          status: 'running',
          user_name: 'ada',
          result_property: `of_${name}`,
          write_back: true,
          elapsed_ms: expect.any(Number) as number,
        },
      });
      const id = String(started.body['execution_id']);
      const status = async () => (await pod.call('GET', `/algo/status/${id}`)).body;
      await waitFor('the run has ended', async () => (await status())['status'] !== 'running');
      expect(await status()).toMatchObject({
        status: 'completed',
        nodes_updated: 3,
        duration_ms: expect.any(Number) as number,
      });
      const rows = await pod.call('POST', '/query', { query: `MATCH (p:Person) WHERE p.of_${name} IS NULL RETURN p` });
      expect(rows.body['rows']).toEqual([]);
      expect((await pod.call('GET', '/schema')).text).toContain(`"of_${name}"`);
    },
  );

  test.each([
    ['an unknown algorithm', 'louvain', { result_property: 'x' }, 'QUERY_ERROR', { available: ['pagerank', 'betweenness', 'wcc', 'cdlp'] }],
    ['no property', 'wcc', {}, 'VALIDATION_FAILED', { field: 'result_property' }],
    ['too short a time', 'wcc', { result_property: 'x', timeout_ms: 5 }, 'VALIDATION_FAILED', { field: 'timeout_ms' }],
    ['an unknown label', 'wcc', { result_property: 'x', node_labels: ['Nobody'] }, 'VALIDATION_FAILED', { field: 'node_labels' }],
    ['an unknown type', 'wcc', { result_property: 'x', relationship_types: ['HATES'] }, 'VALIDATION_FAILED', { field: 'relationship_types' }],
    ['an unknown parameter', 'cdlp', { result_property: 'x', parameters: { k: 1 } }, 'VALIDATION_FAILED', { invalid_params: ['k'], valid_params: ['max_iterations'], errors: [{ field: 'parameters.k' }] }],
    ['an empty list of labels', 'wcc', { result_property: 'x', node_labels: [] }, 'VALIDATION_FAILED', { field: 'node_labels' }],
    ['a type of edges between other nodes', 'cdlp', { result_property: 'x', node_labels: ['City'], relationship_types: ['KNOWS'] }, 'VALIDATION_FAILED', { field: 'relationship_types' }],
    ['a primary key', 'wcc', { result_property: 'name' }, 'VALIDATION_FAILED', { field: 'result_property' }],
  ])('%s is rejected', async (_, name, body, code, details) => {
    expect(await start(name, body)).toMatchObject({ status: 400, body: { error: { code, details } } });
  }); // prettier-ignore

  test('a missing resource is reported in one sentence', async () => {
    const detail = { detail: expect.any(String) as string };
    expect(await pod.call('GET', '/algo/status/none')).toMatchObject({ status: 404, body: detail });
    expect(await pod.call('GET', '/algo/algorithms/none')).toMatchObject({ status: 404, body: detail });
    expect(await pod.call('DELETE', '/algo/executions/none', undefined, 'ada')).toMatchObject({ status: 404 });
    expect(await pod.call('POST', '/graphlib/pagerank', {}, 'ada')).toMatchObject({ status: 404 });
  });

  test('algorithms and runs are listed', async () => {
    expect((await pod.call('GET', '/algo/algorithms')).body).toMatchObject({
      algorithms: [
        { name: 'pagerank', cypher_procedure: 'pagerank.stream', default_timeout_ms: 300_000 },
        { name: 'betweenness', default_timeout_ms: 3_600_000 },
        { name: 'wcc', supports_write_back: true },
        { name: 'cdlp', parameters: [{ name: 'max_iterations', default: 10 }] },
      ],
      total_count: 4,
    });
    expect((await pod.call('GET', '/algo/executions?limit=2&status_filter=completed')).body).toMatchObject({
      executions: [{ algorithm_name: 'cdlp' }, { algorithm_name: 'wcc' }],
      total_count: 4,
    });
  });

  test.each([
    [['Person'], ['KNOWS']],
    [
      ['Person', 'City'],
      ['KNOWS', 'LIVES_IN'],
    ],
    [['City'], undefined],
  ])('the ranks of pagerank over %j and %j sum to 1', async (labels, types) => {
    const body = {
      result_property: 'share',
      node_labels: labels,
      relationship_types: types,
      parameters: { damping: 0.9 },
    };
    const id = String((await start('pagerank', body)).body['execution_id']);
    const status = async () => (await pod.call('GET', `/algo/status/${id}`)).body['status'];
    await waitFor('the run has ended', async () => (await status()) !== 'running');
    expect(await status()).toBe('completed');
    const query = 'MATCH (n) WHERE labels(n)[0] IN $labels RETURN sum(n.share)';
    const { body: answer } = await pod.call('POST', '/query', { query, parameters: { labels } });
    expect((answer['rows'] as [[number]])[0][0]).toBeCloseTo(1, 6);
  });

  test('an unknown field causes a warning with the closest known one', async () => {
    const body = { result_property: 'part', params: {}, edge_types: ['KNOWS'], node_label: 'Person', timeout: 1 };
    const started = await start('wcc', body);
    const closest = [/^params .* parameters\?/, /^edge_types .* relationship_types\?/, /^node_label .* node_labels\?/, /^timeout .* timeout_ms\?/]; // prettier-ignore
    expect(started.body['warnings']).toEqual(closest.map((words) => expect.stringMatching(words) as string));
    const id = String(started.body['execution_id']);
    const status = async () => (await pod.call('GET', `/algo/status/${id}`)).body['status'];
    await waitFor('the run has ended', async () => (await status()) !== 'running');
  });
});
