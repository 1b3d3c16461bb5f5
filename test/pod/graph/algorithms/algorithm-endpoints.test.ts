import { processIdentity } from '../../../../adapters/system/process-table';
import { waitFor } from '../../../support/wait-for';
import { childrenOf, type PodAnswer, type PodProcess } from '../support/pod-process';
import { openRunningPod, type RunningPod } from '../support/running-pod';

interface Status {
  readonly status: string;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: string;
  readonly timings?: Readonly<Record<string, number>>;
}

describe('the algorithms of an instance on DuckDB', () => {
  let running: RunningPod;
  let pod: PodProcess;

  beforeAll(async () => {
    running = await openRunningPod('graphdb_a');
    ({ pod } = running);
  });
  afterAll(() => running.close());

  const start = (path: string, body: object): Promise<PodAnswer> => pod.call('POST', path, body, 'ada');

  const statusOf = async ({ body }: PodAnswer): Promise<Status> => {
    const id = String(body['execution_id'] ?? (body['data'] as Record<string, unknown>)['execution_id']);
    return (await pod.call('GET', `/graphlib/status/${id}`)).body['data'] as Status;
  };

  const ended = async (started: PodAnswer): Promise<Status> => {
    await waitFor('the run has ended', async () => (await statusOf(started)).status !== 'running');
    return statusOf(started);
  };

  const run = async (name: string, body: object): Promise<Status> => {
    const started = await start(`/graphlib/${name}`, body);
    expect(started).toMatchObject({
      status: 202,
      body: { algorithm: expect.any(String) as string, status: 'running' },
    });
    return ended(started);
  };

  const people = { node_label: 'Person' };

  test.each([
    ['degree', people, { type: 'node_values', values: { ada: 0.5, bob: 1, cyd: 0.5 } }],
    ['connected_components', {}, { values: { 1: 0, 2: 0, ada: 0, bob: 0, cyd: 0 } }],
    ['hits', { ...people, directed: true }, { values: { authorities: expect.any(Object) as object } }],
    ['shortest_path', { ...people, source: 'ada', target: 'cyd', weight_property: 'strength' }, { type: 'path', path: ['ada', 'bob', 'cyd'], length: 2, total_weight: 2.1 }],
    ['shortest_path', { source: 'Person:ada', target: 2 }, { path: ['ada', 'bob', '2'], length: 2, total_weight: 2 }],
    ['density', people, { type: 'scalar', value: 2 / 3 }],
    ['minimum_spanning_tree', { ...people, weight_property: 'strength' }, { type: 'edges', edges: [{ source: 'ada', target: 'bob', weight: 0.1 }, { source: 'bob', target: 'cyd', weight: 2 }], total_weight: 2.1 }],
    ['jaccard_coefficient', people, { type: 'edge_predictions', predictions: [{ source: 'ada', target: 'cyd', score: 1 }] }],
    ['single_source_shortest_path_length', { ...people, directed: true, source: 'bob' }, { values: { ada: 'Infinity', bob: 0, cyd: 1 } }],
    ['modularity', { ...people, params: { communities: [['ada', 'bob'], ['cyd']] } }, { type: 'scalar', value: -0.125 }],
    ['topological_sort', people, { type: 'path', path: ['ada', 'bob', 'cyd'] }],
    ['articulation_points', people, { values: { ada: false, bob: true, cyd: false } }],
    // Functions of the installed graph library.
    ['weighted_degree', { ...people, weight_property: 'strength' }, { values: { ada: 0.1, bob: 2.1, cyd: 2 } }],
    ['simple_size', people, { type: 'scalar', value: 2 }],
    ['disparity', people, { type: 'edges' }],
    ['bidirectional', { ...people, source: 'ada', target: 'cyd', weight_property: 'strength' }, { type: 'path', path: ['ada', 'bob', 'cyd'], total_weight: 2.1 }],
  ])('%s of %j', async (name, body, result) => {
    expect(await run(name, body)).toMatchObject({ status: 'completed', result });
  }); // prettier-ignore

  test('a limited result has the highest values in order, and the total count', async () => {
    expect((await run('degree', { ...people, top: 2 })).result).toEqual({
      type: 'node_values',
      values: { bob: 1, ada: 0.5 },
      order: ['bob', 'ada'],
      total: 3,
    });
    const hubs = (await run('hits', { ...people, directed: true, top: 1 })).result;
    expect(hubs).toMatchObject({ order: { hubs: ['ada'], authorities: ['bob'] }, total: 3 });
  });

  test('an unknown field causes a warning with the closest known one, and the run continues', async () => {
    const body = { ...people, parameters: { k: 1 }, edge_type: ['KNOWS'], k: 2, quite_wrong: 1 };
    const started = await start('/graphlib/betweenness', body);
    expect(started).toMatchObject({
      status: 202,
      body: {
        estimated_seconds: expect.any(Number) as number,
        warnings: [
          'parameters is not a field of a run and was ignored; did you mean params?',
          'edge_type is not a field of a run and was ignored; did you mean edge_types?',
          expect.stringContaining('put it into params') as string,
          expect.stringContaining(
            'quite_wrong is not a field of a run and was ignored; valid fields: node_label',
          ) as string,
        ],
      },
    });
    expect(await ended(started)).toMatchObject({ status: 'completed' });
    const plain = await start('/graphlib/density', people);
    expect(plain.body).not.toHaveProperty('warnings');
    await ended(plain);
  });

  test('a result is stored in a property of every selected label and returned by queries and /schema', async () => {
    expect(await run('core_number', { property_name: 'core' })).toMatchObject({
      status: 'completed',
      result: { property_name: 'core', nodes_updated: 5 },
    });
    const rows = await pod.call('POST', '/query', { query: 'MATCH (n) RETURN n.core ORDER BY n.core' });
    expect(rows.body['rows']).toEqual([[1], [1], [1], [1], [1]]);
    expect((await pod.call('GET', '/schema')).body).toMatchObject({
      node_tables: [{ properties: { core: 'INT64' } }, { properties: { core: 'INT64' } }],
    });
  });

  test('a run reports the duration of its phases', async () => {
    const seconds = expect.any(Number) as number;
    const common = { start_seconds: seconds, graph_seconds: seconds, graph_memory_bytes: seconds, compute_seconds: seconds, output_seconds: seconds }; // prettier-ignore
    expect((await run('density', people)).timings).toEqual({ ...common, keys_seconds: seconds });
    expect((await run('degree', { property_name: 'degree' })).timings).toEqual({
      ...common,
      store_seconds: seconds,
    });
  });

  test('a run that max_iter ended has its values, a warning, and the last change', async () => {
    const ended = await run('pagerank', { ...people, params: { max_iter: 1 } });
    const warnings = [expect.stringContaining('max_iter') as string];
    expect(ended).toMatchObject({ status: 'completed', iterations: 1, last_change: expect.any(Number) as number, warnings }); // prettier-ignore
    const converged = await run('pagerank', people);
    expect(converged).toMatchObject({ status: 'completed', iterations: expect.any(Number) as number });
    expect(converged).not.toHaveProperty('warnings');
  });

  test('the native shortest path returns path, weight and hops', async () => {
    const started = await start('/algo/shortest_path', { source_id: 'cyd', target_id: 'ada' });
    expect(started).toMatchObject({ status: 202, body: { data: { algorithm: 'shortest_path', lock_acquired: true } } });
    expect((await ended(started)).result).toEqual({ path: ['cyd', 'bob', 'ada'], total_weight: 2, hop_count: 2 });
    const directed = await ended(
      await start('/algo/shortest_path', { source_id: 'cyd', target_id: 'ada', directed: true }),
    );
    expect(directed).toMatchObject({ status: 'failed', error: 'There is no path from source to target.' });
  });

  test.each(['connected_components', 'louvain', 'label_propagation', 'triangle_count'])(
    'native %s stores a number',
    async (name) => {
      const body = { node_label: 'Person', property_name: `of_${name}` };
      expect(await ended(await start(`/algo/${name}`, body))).toMatchObject({ result: { nodes_updated: 3 } });
    },
  );

  test.each([
    ['an unknown algorithm', 'pagerang', {}, 'ALGORITHM_NOT_FOUND', { algorithm: 'pagerang', suggestion: 'pagerank' }],
    ['an unknown parameter', 'pagerank', { params: { alfa: 1 } }, 'VALIDATION_FAILED', { algorithm: 'pagerank', invalid_params: ['alfa'], valid_params: ['alpha', 'max_iter', 'tol'] }],
    ['a parameter out of range', 'pagerank', { params: { damping: 2 } }, 'VALIDATION_FAILED', { invalid_params: ['damping'] }],
    ['an unknown label', 'pagerank', { node_label: 'Nobody' }, 'VALIDATION_FAILED', { field: 'node_label' }],
    ['an unknown edge type', 'pagerank', { edge_types: ['HATES'] }, 'VALIDATION_FAILED', { field: 'edge_types' }],
    ['a weight that is no number', 'pagerank', { weight_property: 'since' }, 'VALIDATION_FAILED', { field: 'weight_property' }],
    ['a weight without meaning', 'triangles', { weight_property: 'strength' }, 'VALIDATION_FAILED', { field: 'weight_property' }],
    ['a direction it is not defined for', 'triangles', { directed: true }, 'VALIDATION_FAILED', { field: 'directed' }],
    ['a missing source', 'shortest_path', { target: 'ada' }, 'VALIDATION_FAILED', { field: 'source' }],
    ['a source without meaning', 'pagerank', { ...people, source: 'ada' }, 'VALIDATION_FAILED', { field: 'source' }],
    ['a target without a source', 'jaccard_coefficient', { ...people, target: 'ada' }, 'VALIDATION_FAILED', { field: 'source' }],
    ['a target without meaning', 'single_source_shortest_path_length', { ...people, source: 'ada', target: 'bob' }, 'VALIDATION_FAILED', { field: 'target' }],
    ['a property for edges', 'disparity', { property_name: 'x' }, 'VALIDATION_FAILED', { field: 'property_name' }],
    ['a property for a scalar', 'density', { property_name: 'x' }, 'VALIDATION_FAILED', { field: 'property_name' }],
    ['the primary key as property', 'degree', { property_name: 'id' }, 'VALIDATION_FAILED', { field: 'property_name' }],
    ['a property of another type', 'degree', { ...people, property_name: 'age' }, 'VALIDATION_FAILED', { field: 'property_name' }],
    ['top beside a property', 'degree', { ...people, property_name: 'x', top: 3 }, 'VALIDATION_FAILED', { field: 'top' }],
    ['top of what is no values of nodes', 'density', { top: 3 }, 'VALIDATION_FAILED', { field: 'top' }],
    ['top beyond its bounds', 'degree', { top: 100_001 }, 'VALIDATION_FAILED', { field: 'top' }],
    ['a missing parameter', 'modularity', {}, 'VALIDATION_FAILED', { invalid_params: ['communities'] }],
  ])('%s is rejected and leaves no lock', async (_, name, body, code, details) => {
    expect(await start(`/graphlib/${name}`, body)).toMatchObject({ status: 400, body: { error: { code, details } } });
    expect((await pod.call('GET', '/lock')).body).toEqual({ lock: { locked: false }, running_queries: 0 });
  }); // prettier-ignore

  test.each([
    ['a misspelt parameter', 'louvain', { ...people, property_name: 'x', resolutoin: 2 }, ['resolutoin'], ['node_label', 'property_name', 'edge_types', 'resolution', 'timeout_ms']],
    ['a misspelt optional field', 'shortest_path', { source_id: 'ada', target_id: 'bob', wieght_property: 'strength' }, ['wieght_property'], ['source_id', 'target_id', 'weight_property', 'directed', 'node_label', 'edge_types', 'timeout_ms']],
    ['a parameter out of range', 'pagerank', { ...people, property_name: 'x', damping: 2 }, ['damping'], ['node_label', 'property_name', 'edge_types', 'damping', 'max_iterations', 'tolerance', 'timeout_ms']],
  ])('%s of a native algorithm is rejected with the valid names', async (_, algorithm, body, wrong, valid) => {
    expect(await start(`/algo/${algorithm}`, body)).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_FAILED',
          details: { algorithm, invalid_params: wrong, valid_params: valid, errors: [{ field: wrong[0] }] },
        },
      },
    });
  }); // prettier-ignore

  test.each([
    ['/algo/shortest_path', { source_id: 2 ** 53, target_id: 'ada' }, 'source_id'],
    ['/algo/shortest_path', { source_id: 'ada', target_id: -(2 ** 53) }, 'target_id'],
    ['/graphlib/shortest_path', { source: 2 ** 63, target: 'ada' }, 'source'],
    ['/graphlib/modularity', { params: { communities: [['ada'], [2 ** 53]] } }, 'params.communities'],
    ['/graphlib/jaccard_coefficient', { params: { ebunch: [['ada', 1e300]] } }, 'params.ebunch'],
  ])('%s rejects the key %j that a JSON reader may have rounded', async (path, body, field) => {
    const { status, body: answer } = await start(path, body);
    expect(status).toBe(400);
    expect(JSON.stringify(answer)).toMatch(new RegExp(`"field":"${field}.*send its digits as a string`));
  });

  test('a missing node fails the run and is named', async () => {
    expect(await run('shortest_path', { source: 'eve', target: 'ada' })).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('source eve') as string,
    });
  });

  /** A run that makes no progress. A run may finish before its process is found; then another one is started. */
  const frozenRun = async (): Promise<{ readonly started: PodAnswer; readonly pid: number }> => {
    let found: { readonly started: PodAnswer; readonly pid: number } | undefined;
    await waitFor('a run is stopped while it computes', async () => {
      const before = await childrenOf(pod.child.pid!);
      const started = await start('/graphlib/closeness', {});
      let pid: number | undefined;
      await waitFor('the run has a process or has ended', async () => {
        const born = (await childrenOf(pod.child.pid!)).filter((child) => !before.includes(child));
        // A process that is stopped any sooner would block the pod, which waits until its child has executed another
        // program.
        pid = born.find((child) => processIdentity(child)?.command.includes('algorithm-main'));
        return pid !== undefined || (await statusOf(started)).status !== 'running';
      });
      if (pid === undefined) return false;
      process.kill(pid, 'SIGSTOP');
      found = { started, pid };
      return (await statusOf(started)).status === 'running';
    });
    return found!;
  };

  test('a cancelled run ends, releases the lock and is listed', async () => {
    const { started } = await frozenRun();
    const id = String(started.body['execution_id']);
    expect(await pod.call('DELETE', `/algo/executions/${id}`)).toMatchObject({ status: 401 });
    expect(await pod.call('DELETE', `/algo/executions/${id}`, undefined, 'bob')).toMatchObject({ status: 403 });
    expect(await pod.call('DELETE', `/algo/executions/${id}`, undefined, 'ada')).toMatchObject({
      status: 200,
      body: { status: 'cancelled', execution_id: id },
    });
    expect((await pod.call('GET', '/lock')).body).toEqual({ lock: { locked: false }, running_queries: 0 });
    expect(await pod.call('DELETE', `/algo/executions/${id}`, undefined, 'ada')).toMatchObject({ status: 404 });
    expect((await pod.call('GET', '/algo/executions?status_filter=cancelled&limit=5')).body).toMatchObject({
      executions: [{ execution_id: id, status: 'cancelled', algorithm: 'closeness_centrality' }],
      total_count: 1,
    });
  });

  test('a run whose process is killed fails and releases the lock', async () => {
    const { started, pid } = await frozenRun();
    process.kill(pid, 'SIGKILL');
    expect(await ended(started)).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('SIGKILL') as string,
    });
    expect((await pod.call('GET', '/lock')).body).toEqual({ lock: { locked: false }, running_queries: 0 });
  });

  test('algorithms are listed with their parameters', async () => {
    const native = (await pod.call('GET', '/algo/algorithms?category=community')).body;
    expect(native).toMatchObject({ algorithms: [{ name: 'louvain', type: 'native' }, { name: 'label_propagation' }] });
    expect((await pod.call('GET', '/algo/algorithms/pagerank')).body).toMatchObject({
      long_description: expect.any(String) as string,
      parameters: expect.arrayContaining([
        expect.objectContaining({ name: 'damping', required: false, default: 0.85 }),
      ]) as unknown,
    });
    const found = (await pod.call('GET', '/graphlib/algorithms?search=betweenness')).body;
    expect(found).toMatchObject({ data: { total: 2, algorithms: [{ name: 'betweenness_centrality' }, {}] } });
    expect((await pod.call('GET', '/graphlib/algorithms/betweenness')).body).toMatchObject({
      name: 'betweenness_centrality',
      function_path: 'kernels.betweenness_centrality',
      params: expect.arrayContaining([expect.objectContaining({ name: 'normalized', default: true })]) as unknown,
      example: { path: '/graphlib/betweenness_centrality' },
    });
    expect(await pod.call('GET', '/graphlib/algorithms/nothing_like_it')).toMatchObject({ status: 404 });
    expect(await pod.call('GET', '/algo/algorithms/magic')).toMatchObject({ status: 404 });
  });
});
