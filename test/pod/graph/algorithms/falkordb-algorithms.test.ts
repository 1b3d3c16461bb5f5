import { type Kernel } from '../../../../pod/graph/algorithms/algorithm';
import { FALKORDB_ALGORITHMS } from '../../../../pod/graph/algorithms/native-algorithms';
import { right } from '../support/loaded-engine';
import { graphOf } from './support';

const NODES = [...Array(9).keys()];
const EDGES = [[0, 1], [1, 2], [2, 3], [3, 4], [1, 3], [0, 5], [5, 3], [4, 6], [6, 4], [7, 7], [2, 6], [0, 1]] as const; // prettier-ignore

describe('the algorithms of instances on FalkorDB', () => {
  /** The value of each node. */
  const valuesOf = (name: string, parameters: Readonly<Record<string, unknown>>): readonly number[] => {
    const algorithm: Kernel = FALKORDB_ALGORITHMS.find((entry) => entry.name === name)!;
    const graph = graphOf(NODES.length, EDGES, { directed: algorithm.graph === 'directed' });
    const run = { source: null, target: null, numberOf: () => null, progress: () => undefined };
    const result = right(algorithm.compute(graph, parameters, { ...run, iterated: () => undefined }));
    return result.type === 'node_values' ? [...result.values] : [];
  };

  test.each([1, 2, 3, 10])('cdlp finds the communities after %i synchronous steps', (steps) => {
    const communities = valuesOf('cdlp', { max_iterations: steps });
    const expected = propagated(steps);
    for (const node of NODES)
      for (const other of NODES)
        expect([node, other, communities[node] === communities[other]]).toEqual([
          node,
          other,
          expected[node] === expected[other],
        ]);
  });

  test.each([1, 3, 4])('betweenness of one start node, drawn by the seed %i, is that of a node', (seed) => {
    const scores = valuesOf('betweenness', { sampling_size: 1, sampling_seed: seed });
    expect(NODES.map((source) => through(source).join())).toContain(scores.join());
  });

  test('betweenness of all start nodes is the sum over them', () => {
    const all = NODES.map(through);
    const scores = valuesOf('betweenness', { sampling_size: 100, sampling_seed: null });
    expect(scores).toEqual(NODES.map((node) => all.reduce((sum, values) => sum + values[node]!, 0)));
  });

  test('wcc numbers the components by their size', () => {
    expect(valuesOf('wcc', {})).toEqual([0, 0, 0, 0, 0, 0, 0, 1, 2]);
  });
});

/** For each node, the share of shortest paths from the source to all other nodes that pass through it. */
const through = (source: number): number[] => {
  const next = NODES.map((node) => [...new Set(EDGES.filter(([a, b]) => a === node && b !== a).map(([, b]) => b))]);
  /** All shortest paths from a node, by end node. */
  const paths = new Map<number, number[][]>([[source, [[source]]]]);
  for (let ends = [source]; ends.length > 0;) {
    const found = ends.flatMap((end) => paths.get(end)!.flatMap((path) => next[end]!.map((node) => [...path, node])));
    const fresh = found.filter((path) => !paths.has(path.at(-1)!));
    ends = [...new Set(fresh.map((path) => path.at(-1)!))];
    for (const end of ends) paths.set(end, fresh.filter((path) => path.at(-1) === end)); // prettier-ignore
  }
  return NODES.map((node) =>
    [...paths.values()]
      .map((some) => some.filter((path) => path.slice(1, -1).includes(node)).length / some.length)
      .reduce((sum, share) => sum + share, 0),
  );
};

/** Synchronous label propagation: all nodes change at once in each step. */
const propagated = (steps: number): readonly number[] => {
  const neighbours = NODES.map((node) => [
    ...new Set(EDGES.flatMap(([a, b]) => [...(a === node ? [b] : []), ...(b === node ? [a] : [])])),
  ]);
  let communities = [...NODES];
  for (let step = 0; step < steps; step++) {
    communities = communities.map((own, node) => {
      const seen = neighbours[node]!.map((other) => communities[other]!);
      const count = (community: number): number => seen.filter((one) => one === community).length;
      return seen.sort((a, b) => count(b) - count(a) || a - b)[0] ?? own;
    });
  }
  return communities;
};
