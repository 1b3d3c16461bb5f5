import fc from 'fast-check';
import { type Convergence, convergenceWarnings } from '../../../../pod/graph/algorithms/algorithm';
import { KERNELS } from '../../../../pod/graph/algorithms/catalogue';
import { edgeCount, reversed } from '../../../../pod/graph/algorithms/graph/compact-graph';
import { createRandom, sample } from '../../../../pod/graph/algorithms/graph/random';
import { modularity } from '../../../../pod/graph/algorithms/kernels/modularity';
import { decodeParameters } from '../../../../pod/graph/algorithms/signature';
import { left, right } from '../support/loaded-engine';
import { attempt, type Edge, graphOf, run, scalarOf, valuesOf } from './support';

/** A random graph as a user might write it: with loops, parallel and reciprocal rows, and isolated nodes. */
const anyGraph = fc.integer({ min: 1, max: 14 }).chain((nodes) =>
  fc.record({
    nodes: fc.constant(nodes),
    edges: fc.array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1), fc.integer({ min: 1, max: 5 })), { maxLength: 40 }),
    directed: fc.boolean(),
  }),
);

/** Weights in a matrix: a second form of the graph. NaN: no edge. */
const matrixOf = (
  nodes: number,
  edges: readonly Edge[],
  directed: boolean,
  combined = (a: number, b: number): number => a + b,
): number[][] => {
  const matrix = Array.from({ length: nodes }, () => new Array<number>(nodes).fill(NaN));
  const add = (a: number, b: number, weight: number): void => {
    matrix[a]![b] = Number.isNaN(matrix[a]![b]) ? weight : combined(matrix[a]![b]!, weight);
  };
  for (const [a, b, weight = 1] of edges) {
    add(a, b, weight);
    if (!directed && a !== b) add(b, a, weight);
  }
  return matrix;
};

/** Distances between all pairs by Floyd and Warshall. */
const distancesOf = (matrix: readonly (readonly number[])[], weighted: boolean): number[][] => {
  const far = matrix.map((row, a) =>
    row.map((weight, b) => (a === b ? 0 : Number.isNaN(weight) ? Infinity : weighted ? weight : 1)),
  );
  for (let via = 0; via < far.length; via++) {
    for (const row of far) for (let b = 0; b < far.length; b++) row[b] = Math.min(row[b]!, row[via]! + far[via]![b]!);
  }
  return far;
};

const PARALLEL = [
  ['sum', (a: number, b: number) => a + b],
  ['least', Math.min],
  ['greatest', Math.max],
] as const;

describe('on random graphs', () => {
  test('weighted_degree without weights is degree_centrality times the number of other nodes, including loops', () => {
    fc.assert(
      fc.property(anyGraph, ({ nodes, edges, directed }) => {
        fc.pre(nodes > 1);
        const graph = graphOf(nodes, edges, { directed });
        const shares = valuesOf(run('degree_centrality', graph)).map((share) => share * (nodes - 1));
        const sums = valuesOf(run('weighted_degree', graph));
        for (const [node, sum] of sums.entries()) expect(sum).toBeCloseTo(shares[node]!, 9);
      }),
    );
  });

  test('the compact graph has the edges of the matrix, and its reverse has the transposed ones', () => {
    fc.assert(
      fc.property(anyGraph, fc.constantFrom(...PARALLEL), ({ nodes, edges, directed }, [parallel, combined]) => {
        const matrix = matrixOf(nodes, edges, directed, combined);
        const graph = graphOf(nodes, edges, { directed, weighted: true, parallel });
        const listed = (of: typeof graph): number[][] => {
          const rows = Array.from({ length: nodes }, () => new Array<number>(nodes).fill(NaN));
          for (let a = 0; a < nodes; a++) {
            for (let e = of.offsets[a]!; e < of.offsets[a + 1]!; e++) rows[a]![of.targets[e]!] = of.weights![e]!;
          }
          return rows;
        };
        expect(listed(graph)).toEqual(matrix);
        expect(listed(reversed(graph))).toEqual(matrix.map((_, a) => matrix.map((row) => row[a]!)));
        const pairs = matrix.flatMap((row, a) =>
          row.filter((weight, b) => !Number.isNaN(weight) && (directed || a <= b)),
        );
        expect(edgeCount(graph)).toBe(pairs.length);
      }),
    );
  });

  test('distances and shortest paths match Floyd-Warshall', () => {
    fc.assert(
      fc.property(anyGraph, fc.boolean(), ({ nodes, edges, directed }, weighted) => {
        const matrix = matrixOf(nodes, edges, directed, Math.min);
        const far = distancesOf(matrix, weighted);
        const graph = graphOf(nodes, edges, { directed, weighted, parallel: 'least' });
        expect(valuesOf(run('single_source_shortest_path_length', graph, { source: 0 }))).toEqual(far[0]);
        const target = nodes - 1;
        const path = attempt('shortest_path', graph, { source: 0, target });
        if (far[0]![target] === Infinity) return expect(left(path)).toContain('no path');
        const found = right(path);
        if (found.type !== 'path') throw new Error(found.type);
        const steps = found.nodes.slice(1).map((node, at) => matrix[found.nodes[at]!]![node]!);
        expect(weighted ? steps.reduce((a, b) => a + b, 0) : steps.length).toBe(far[0]![target]);
        expect(steps.every((weight) => !Number.isNaN(weight))).toBe(true);
      }),
    );
  });

  test('weighted clustering of negative triangles is negative', () => {
    const cycle = [[0, 1, 1], [1, 2, 1], [2, 0, -1]] as const; // prettier-ignore
    for (const directed of [true, false]) {
      const values = valuesOf(run('clustering', graphOf(3, cycle, { directed, weighted: true })));
      expect(values).toEqual(directed ? [-0.5, -0.5, -0.5] : [-1, -1, -1]);
    }
  });

  test('betweenness matches a count of all shortest paths', () => {
    fc.assert(
      fc.property(anyGraph, ({ nodes, edges, directed }) => {
        const far = distancesOf(matrixOf(nodes, edges, directed), false);
        const paths = far.map((row, s) => {
          const counts = new Array<number>(nodes).fill(0);
          counts[s] = 1;
          const byDistance = [...row.keys()]
            .filter((t) => t !== s && row[t]! < Infinity)
            .sort((a, b) => row[a]! - row[b]!);
          for (const t of byDistance) {
            for (let v = 0; v < nodes; v++)
              if (v !== t && far[v]![t] === 1 && row[v]! + 1 === row[t]) counts[t]! += counts[v]!;
          }
          return counts;
        });
        const through = Array.from({ length: nodes }, (_, v) => {
          let sum = 0;
          for (let s = 0; s < nodes; s++) {
            for (let t = 0; t < nodes; t++) {
              if (s === t || s === v || t === v || far[s]![t] === Infinity || far[s]![v]! + far[v]![t]! !== far[s]![t])
                continue;
              sum += (paths[s]![v]! * paths[v]![t]!) / paths[s]![t]!;
            }
          }
          return directed ? sum : sum / 2;
        });
        const found = valuesOf(
          run('betweenness_centrality', graphOf(nodes, edges, { directed }), { parameters: { normalized: false } }),
        );
        for (const [node, value] of through.entries()) expect(found[node]).toBeCloseTo(value, 9);
      }),
      { numRuns: 60 },
    );
  });

  test('components, cores and triangles match their definitions', () => {
    fc.assert(
      fc.property(anyGraph, ({ nodes, edges }) => {
        const matrix = matrixOf(nodes, edges, false);
        const joined = (a: number, b: number): boolean => a !== b && !Number.isNaN(matrix[a]![b]);
        const far = distancesOf(matrix, false);
        const graph = graphOf(nodes, edges);
        const groups = valuesOf(run('connected_components', graph));
        const cores = valuesOf(run('core_number', graph));
        const triangles = valuesOf(run('triangles', graph));
        const all = [...Array(nodes).keys()];
        for (const a of all) {
          for (const b of all) expect(groups[a] === groups[b]).toBe(far[a]![b]! < Infinity);
          const corners = all.flatMap((b) => all.filter((c) => b < c && joined(a, b) && joined(a, c) && joined(b, c)));
          expect(triangles[a]).toBe(corners.length);
          let members = all;
          const degree = (v: number): number => members.filter((other) => joined(v, other)).length;
          for (;;) {
            const kept: number[] = members.filter((v) => degree(v) >= cores[a]!);
            if (kept.length === members.length) break;
            members = kept;
          }
          expect(members).toContain(a);
          const beyond = cores[a]! + 1;
          for (;;) {
            const kept: number[] = members.filter((v) => degree(v) >= beyond);
            if (kept.length === members.length) break;
            members = kept;
          }
          expect(members).not.toContain(a);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('louvain is never worse than single communities, and merging two of its communities never improves it', () => {
    fc.assert(
      fc.property(anyGraph, fc.option(fc.nat(3)), ({ nodes, edges, directed }, seed) => {
        if (edges.length === 0) return;
        const graph = graphOf(nodes, edges, { directed, weighted: true });
        const modularity = (groups: readonly number[]): number => {
          const communities = [...new Set(groups)].map((group) =>
            groups.flatMap((of, node) => (of === group ? [String(node)] : [])),
          );
          return Number(scalarOf(run('modularity', graph, { parameters: { communities } })));
        };
        const found = valuesOf(run('louvain_communities', graph, { parameters: { seed } }));
        const reached = modularity(found);
        expect(reached).toBeGreaterThanOrEqual(modularity([...Array(nodes).keys()]) - 1e-9);
        const most = Math.max(...found);
        for (let a = 0; a <= most; a++) {
          for (let b = 0; b < a; b++) {
            const united = found.map((group) => (group === a ? b : group));
            expect(modularity(united)).toBeLessThanOrEqual(reached + 1e-7);
          }
        }
      }),
      { numRuns: 60 },
    );
  });
});

test('louvain finds the two cliques of a barbell with any seed', () => {
  const clique = (first: number): Edge[] =>
    [0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].filter((b) => a < b).map((b): Edge => [first + a, first + b]));
  const graph = graphOf(8, [...clique(0), ...clique(4), [3, 4]]);
  for (const seed of [null, 1, 2, 3]) {
    expect(valuesOf(run('louvain_communities', graph, { parameters: { seed } }))).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  }
});

test('louvain finds planted communities among random edges, and the same ones with the same seed', () => {
  const [communities, members] = [30, 20];
  const nodes = communities * members;
  const random = createRandom(1);
  const anyOf = (count: number): number => Math.floor(random() * count);
  const edges = Array.from({ length: 8 * nodes }, (_, row): Edge => {
    const first = anyOf(communities) * members;
    return row % 4 === 0 ? [anyOf(nodes), anyOf(nodes)] : [first + anyOf(members), first + anyOf(members)];
  });
  // Keys carry no information about the communities.
  const shuffled = sample(nodes, nodes, random);
  const graph = graphOf(nodes, edges.map(([from, to]): Edge => [shuffled[from]!, shuffled[to]!])); // prettier-ignore
  const planted = new Uint32Array(nodes);
  for (const [place, node] of shuffled.entries()) planted[node] = Math.floor(place / members);
  for (const seed of [null, 1, 2, 3]) {
    const found = valuesOf(run('louvain_communities', graph, { parameters: { seed } }));
    expect(modularity(graph, Uint32Array.from(found), 1)).toBeGreaterThan(modularity(graph, planted, 1) - 0.003);
    expect(valuesOf(run('louvain_communities', graph, { parameters: { seed } }))).toEqual(found);
  }
});

test('a sampled betweenness approximates the exact one and is reproducible with its seed', () => {
  const ring = graphOf(
    40,
    Array.from({ length: 40 }, (_, node): Edge => [node, (node + 1) % 40]),
  );
  const sampled = (seed: number) => valuesOf(run('betweenness_centrality', ring, { parameters: { k: 20, seed } }));
  const exact = valuesOf(run('betweenness_centrality', ring));
  expect(sampled(1)).toEqual(sampled(1));
  expect(sampled(1)).not.toEqual(sampled(2));
  const mean = (values: number[]): number => values.reduce((a, b) => a + b, 0) / values.length;
  expect(mean(sampled(1))).toBeCloseTo(mean(exact), 1);
});

test('every kernel accepts an empty graph and a single node, or rejects them with a message', () => {
  for (const { name, parameters } of KERNELS) {
    const needed = Object.values(parameters).some(({ fallback }) => fallback === undefined);
    for (const nodes of [0, 1]) {
      const options = {
        parameters: needed ? { communities: [] } : {},
        ...(nodes === 1 ? { source: 0, target: 0 } : {}),
      };
      for (const directed of [false, true]) {
        const result = attempt(name, graphOf(nodes, [], { directed }), options);
        if (result._tag === 'Left') expect(result.left).toMatch(/^.{10,}\.$/);
        else if (result.right.type === 'node_values') expect(result.right.values).toHaveLength(nodes);
      }
    }
  }
});

/** Popular nodes have most edges, as in real graphs, and half of the nodes have no outgoing edge. */
const popular = (nodes: number): readonly Edge[] => {
  const random = createRandom(5);
  return Array.from({ length: 5 * nodes }, (): Edge => [
    Math.floor((random() * nodes) / 2) * 2,
    Math.floor(random() ** 4 * nodes),
  ]);
};
const star = Array.from({ length: 999 }, (_, leaf): Edge => [0, leaf + 1]);

test.each([
  ['a directed graph', { nodes: 1_000, edges: popular(1_000), directed: true }],
  ['a larger graph', { nodes: 20_000, edges: popular(20_000), directed: true }],
  ['an undirected graph', { nodes: 1_000, edges: popular(1_000), directed: false }],
  ['a star, which converges slowest', { nodes: 1_000, edges: star, directed: false }],
])('every rank of pagerank is right to six digits with the defaults, on %s', (_, { nodes, edges, directed }) => {
  const graph = graphOf(nodes, edges, { directed });
  const ends: Convergence[] = [];
  const ranks = valuesOf(run('pagerank', graph, { iterated: (end) => void ends.push(end) }));
  const exact = valuesOf(run('pagerank', graph, { parameters: { tol: 1e-15, max_iter: 2_000 } }));
  const errors = ranks.map((rank, node) => Math.abs(rank / exact[node]! - 1));
  expect(Math.max(...errors)).toBeLessThan(1e-6);
  expect(ends).toMatchObject([{ hasConverged: true }]);
  expect(ends[0]?.lastChange).toBeLessThanOrEqual(1e-6);
});

test.each(['pagerank', 'eigenvector_centrality', 'hits'])(
  '%s reports the iterations and the last change when max_iter ends it, and returns its values',
  (name) => {
    const graph = graphOf(4, [[0, 1], [1, 2], [2, 0], [2, 3], [0, 3], [3, 0]], { directed: true }); // prettier-ignore
    const ends: Convergence[] = [];
    const result = run(name, graph, { parameters: { max_iter: 2, tol: 0 }, iterated: (end) => void ends.push(end) });
    expect(result.type).toMatch(/^node_/);
    expect(ends).toEqual([{ iterations: 2, lastChange: expect.any(Number) as number, hasConverged: false }]);
    const [end] = ends;
    const kernel = KERNELS.find((known) => known.name === name);
    expect(end && kernel && convergenceWarnings(kernel, end)).toEqual([expect.stringContaining('2 iterations')]);
  },
);

test('katz fails if its sum over walks does not converge', () => {
  const ring = graphOf(3, [[0, 1], [1, 2], [2, 0]]); // prettier-ignore
  expect(left(attempt('katz_centrality', ring, { parameters: { alpha: 0.9 } }))).toContain('lower alpha');
});

test('a chain of a million nodes does not overflow the stack', () => {
  const nodes = 1_000_000;
  const row = graphOf(
    nodes,
    Array.from({ length: nodes - 1 }, (_, node): Edge => [node, node + 1]),
  );
  const bridges = run('bridges', row);
  expect(bridges.type === 'edges' && bridges.edges.length).toBe(nodes - 1);
});

test('parameters are found by names and aliases, and all errors are reported at once', () => {
  const pagerank = KERNELS.find(({ name }) => name === 'pagerank')!;
  expect(right(decodeParameters(pagerank.parameters, { damping: 0.5, max_iterations: 7 }))).toEqual({
    alpha: 0.5,
    max_iter: 7,
    tol: 1e-6,
  });
  expect(left(decodeParameters(pagerank.parameters, { alpha: 2, x: 1, tol: 'a' })).map(({ field }) => field)).toEqual([
    'alpha',
    'x',
    'tol',
  ]);
  expect(left(decodeParameters(pagerank.parameters, { alpha: 0.5, damping: 0.5 }))).toMatchObject([
    { field: 'damping' },
  ]);
});
