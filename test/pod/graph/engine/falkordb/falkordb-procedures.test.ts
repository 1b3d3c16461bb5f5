import { type ProcedureRun } from '../../../../../pod/graph/engine/graph-engine';
import { createSampleGraph, type SampleGraph } from '../../../../contracts/graph-engine/sample-graph';
import { waitFor } from '../../../../support/wait-for';
import { falkordb } from '../../support/falkordb';
import { left, type LoadedEngine, loadedEngine, right, scratchDirectory } from '../../support/loaded-engine';
import { mappingOf } from '../../support/snapshot';

describe('the algorithms of FalkorDB', () => {
  let sample: SampleGraph;
  let loaded: LoadedEngine;
  let small: LoadedEngine | undefined;

  beforeAll(async () => {
    sample = await createSampleGraph();
    const directory = await scratchDirectory();
    loaded = await loadedEngine(falkordb(directory), sample.mapping, sample.snapshot, directory);
  });

  afterAll(async () => {
    await loaded.end();
    await small?.end();
    await sample.snapshot.remove();
  });

  const runOf = (change: Partial<ProcedureRun>): ProcedureRun => ({
    name: 'wcc',
    nodeLabels: ['Person'],
    relationshipTypes: ['KNOWS'],
    parameters: {},
    timeoutMs: 60_000,
    property: {
      name: `by_${change.name ?? 'wcc'}`,
      declaredType: 'DOUBLE',
      type: { kind: 'scalar', name: 'DOUBLE' },
      wholeMilliseconds: false,
    },
    ...change,
  });
  const run = (change: Partial<ProcedureRun>, signal = new AbortController().signal) =>
    loaded.engine.procedures!.run(runOf(change), signal);

  test.each([
    ['betweenness', { sampling_size: 3, sampling_seed: 1 }],
    ['wcc', {}],
    ['cdlp', { max_iterations: 10 }],
  ] as const)('%s stores a value on every node of its labels', async (name, parameters) => {
    expect(right(await run({ name, parameters }))).toBe(3);
    const [[count]] = (await loaded.rows(`MATCH (p:Person) RETURN count(p.by_${name})`)) as [[number]];
    expect(count).toBe(3);
  });

  test('a chain is one component', async () => {
    right(await run({}));
    expect(await loaded.rows('MATCH (p:Person) RETURN count(DISTINCT p.by_wcc)')).toEqual([[1]]);
  });

  test('over all labels every node gets a value; without a property none is stored', async () => {
    expect(right(await run({ name: 'wcc', nodeLabels: null, relationshipTypes: null }))).toBe(5);
    expect(right(await run({ name: 'cdlp', parameters: { max_iterations: 3 }, property: null }))).toBe(3);
  });

  test('a run that is cancelled or times out stores nothing, and the engine continues', async () => {
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

  test('cdlp and betweenness compute what their description says', async () => {
    const { snapshot } = sample;
    const nodes = [...Array(9).keys()];
    const edges = [[0, 1], [1, 2], [2, 3], [3, 4], [1, 3], [0, 5], [5, 3], [4, 6], [6, 4], [7, 7], [2, 6], [0, 1]] as const; // prettier-ignore
    await snapshot.export('nodes/Point', 'SELECT range AS id FROM range(9)');
    await snapshot.export(
      'edges/LINE',
      `SELECT * FROM (VALUES ${edges.map((ends) => `(${ends.join()})`).join()}) t(a, b)`,
    );
    const mapping = mappingOf(snapshot, {
      node_definitions: [{ label: 'Point', primary_key: { name: 'id', type: 'INT64' }, properties: [] }],
      edge_definitions: [
        { type: 'LINE', from_node: 'Point', to_node: 'Point', from_key: 'a', to_key: 'b', properties: [] },
      ],
    });
    const directory = await scratchDirectory();
    small = await loadedEngine(falkordb(directory), mapping, snapshot, directory);
    const all = { nodeLabels: null, relationshipTypes: null };
    for (const steps of [1, 2, 3, 10]) {
      right(
        await small.engine.procedures!.run(
          runOf({ ...all, name: 'cdlp', parameters: { max_iterations: steps } }),
          new AbortController().signal,
        ),
      );
      const communities = await small.rows('MATCH (n:Point) RETURN n.by_cdlp ORDER BY n.id');
      expect(communities.flat()).toEqual(propagated(nodes, edges, steps));
    }
    const bySource = nodes.map((source) => through(nodes, edges, source).join());
    for (const seed of [1, 3, 4]) {
      const parameters = { sampling_size: 1, sampling_seed: seed };
      right(
        await small.engine.procedures!.run(
          runOf({ ...all, name: 'betweenness', parameters }),
          new AbortController().signal,
        ),
      );
      const scores = await small.rows('MATCH (n:Point) RETURN n.by_betweenness ORDER BY n.id');
      expect(bySource).toContain(scores.flat().join());
    }
  });
});

/** For each node, the share of shortest paths from the source to all other nodes that pass through it. */
const through = (nodes: readonly number[], edges: readonly (readonly [number, number])[], source: number): number[] => {
  const next = nodes.map((node) => [...new Set(edges.filter(([a, b]) => a === node && b !== a).map(([, b]) => b))]);
  /** All shortest paths from a node, by end node. */
  const paths = new Map<number, number[][]>([[source, [[source]]]]);
  for (let ends = [source]; ends.length > 0;) {
    const found = ends.flatMap((end) => paths.get(end)!.flatMap((path) => next[end]!.map((node) => [...path, node])));
    const fresh = found.filter((path) => !paths.has(path.at(-1)!));
    ends = [...new Set(fresh.map((path) => path.at(-1)!))];
    for (const end of ends) paths.set(end, fresh.filter((path) => path.at(-1) === end)); // prettier-ignore
  }
  return nodes.map((node) =>
    [...paths.values()]
      .map((some) => some.filter((path) => path.slice(1, -1).includes(node)).length / some.length)
      .reduce((sum, share) => sum + share, 0),
  );
};

/** Synchronous label propagation: all nodes change at once in each step. */
const propagated = (nodes: readonly number[], edges: readonly (readonly [number, number])[], steps: number) => {
  const neighbours = nodes.map((node) => [
    ...new Set(edges.flatMap(([a, b]) => [...(a === node ? [b] : []), ...(b === node ? [a] : [])])),
  ]);
  let communities = [...nodes];
  for (let step = 0; step < steps; step++) {
    communities = communities.map((own, node) => {
      const seen = neighbours[node]!.map((other) => communities[other]!);
      const count = (community: number): number => seen.filter((one) => one === community).length;
      return seen.sort((a, b) => count(b) - count(a) || a - b)[0] ?? own;
    });
  }
  return communities;
};
