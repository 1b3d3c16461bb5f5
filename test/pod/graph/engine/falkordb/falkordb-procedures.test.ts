import { type ProcedureRun } from '../../../../../pod/graph/engine/engine-procedures';
import { createSampleGraph, type SampleGraph } from '../../../../contracts/graph-engine/sample-graph';
import { waitFor } from '../../../../support/wait-for';
import { falkordb } from '../../support/falkordb';
import { left, loadedEngine, right, scratchDirectory, type LoadedEngine } from '../../support/loaded-engine';
import { mappingOf } from '../../support/snapshot';

describe('the algorithms of FalkorDB', () => {
  let sample: SampleGraph;
  let loaded: LoadedEngine;

  beforeAll(async () => {
    sample = await createSampleGraph();
    const directory = await scratchDirectory();
    loaded = await loadedEngine(falkordb(directory), sample.mapping, sample.snapshot, directory);
  });

  afterAll(async () => {
    await loaded.end();
    await sample.snapshot.remove();
  });

  const runOf = (change: Partial<ProcedureRun>): ProcedureRun => ({
    name: 'pagerank',
    nodeLabels: ['Person'],
    relationshipTypes: ['KNOWS'],
    parameters: {},
    timeoutMs: 60_000,
    property: {
      name: `by_${change.name ?? 'pagerank'}`,
      declaredType: 'DOUBLE',
      type: { kind: 'scalar', name: 'DOUBLE' },
      wholeMilliseconds: false,
    },
    ...change,
  });
  const run = (change: Partial<ProcedureRun>, signal = new AbortController().signal) =>
    loaded.engine.procedures!.run(runOf(change), signal);

  test.each([
    ['pagerank', {}],
    ['betweenness', { sampling_size: 3, sampling_seed: 1 }],
    ['wcc', {}],
    ['cdlp', { max_iterations: 10 }],
  ] as const)('%s stores a value on every node of its labels', async (name, parameters) => {
    expect(right(await run({ name, parameters }))).toBe(3);
    const [[count]] = (await loaded.rows(`MATCH (p:Person) RETURN count(p.by_${name})`)) as [[number]];
    expect(count).toBe(3);
  });

  test('who is pointed to more ranks higher, and a chain is one component', async () => {
    right(await run({}));
    const ranks = (await loaded.rows('MATCH (p:Person) RETURN p.by_pagerank ORDER BY p.name')) as [number][];
    expect(ranks.flat()).toEqual([...ranks.flat()].sort((a, b) => a - b));
    right(await run({ name: 'wcc' }));
    expect(await loaded.rows('MATCH (p:Person) RETURN count(DISTINCT p.by_wcc)')).toEqual([[1]]);
  });

  test('over all labels every node gets a value; without a property none is stored', async () => {
    expect(right(await run({ name: 'wcc', nodeLabels: null, relationshipTypes: null }))).toBe(5);
    expect(right(await run({ name: 'cdlp', parameters: { max_iterations: 3 }, property: null }))).toBe(3);
  });

  test('pagerank over two labels is refused', async () => {
    expect(left(await run({ nodeLabels: ['Person', 'City'] }))).toMatchObject({ kind: 'rejected' });
  });

  test('a run that is cancelled or out of time stores nothing, and the engine goes on', async () => {
    const { snapshot } = sample;
    await snapshot.export('nodes/Crowd', 'SELECT range AS id FROM range(20000)');
    await snapshot.export('edges/MEETS', 'SELECT range % 20000 AS a, (range * 7919) % 19997 AS b FROM range(200000)');
    const crowd = mappingOf(snapshot, {
      node_definitions: [{ label: 'Crowd', primary_key: { name: 'id', type: 'INT64' }, properties: [] }],
      edge_definitions: [
        { type: 'MEETS', from_node: 'Crowd', to_node: 'Crowd', from_key: 'a', to_key: 'b', properties: [] },
      ],
    });
    const directory = await scratchDirectory();
    const large = await loadedEngine(falkordb(directory), crowd, snapshot, directory);
    const slow = {
      name: 'betweenness',
      nodeLabels: null,
      relationshipTypes: null,
      parameters: { sampling_size: 20_000 },
    } as const;
    const abort = new AbortController();
    const cancelled = large.engine.procedures!.run(runOf(slow), abort.signal);
    await large.rows('RETURN 1');
    abort.abort();
    expect(left(await cancelled)).toEqual({ kind: 'cancelled' });
    const answersAgain = async (): Promise<boolean> =>
      (await large.engine.query({ text: 'RETURN 1', parameters: {}, timeoutMs: 5_000 }))._tag === 'Right';
    await waitFor('the engine answers again', answersAgain);
    const late = await large.engine.procedures!.run(runOf({ ...slow, timeoutMs: 200 }), new AbortController().signal);
    expect(left(late)).toEqual({ kind: 'timeout', timeoutMs: 200 });
    await waitFor('the engine answers again', answersAgain);
    expect(await large.rows('MATCH (n:Crowd) RETURN count(n), count(n.by_betweenness)')).toEqual([[20_000, 0]]);
    await large.end();
  });
});
