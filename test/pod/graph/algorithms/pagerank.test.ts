import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import * as t from 'io-ts';
import { buildCompactGraph, type CompactGraph } from '../../../../pod/graph/algorithms/compact-graph';
import { pagerank } from '../../../../pod/graph/algorithms/pagerank';
import { left, right } from '../support/loaded-engine';

const Edge = t.tuple([t.number, t.number]);
type Edge = t.TypeOf<typeof Edge>;

const Fixture = t.type({
  source: t.string,
  cases: t.array(
    t.type({
      name: t.string,
      nodeCount: t.number,
      edges: t.array(Edge),
      damping: t.number,
      ranks: t.array(t.number),
    }),
  ),
});

const fixture = right(Fixture.decode(JSON.parse(readFileSync(join(__dirname, 'pagerank.fixture.json'), 'utf8'))));

const graphOf = (nodeCount: number, edges: readonly Edge[], weights: readonly number[] | null = null): CompactGraph =>
  buildCompactGraph({
    nodeCount,
    from: Uint32Array.from(edges, ([from]) => from),
    to: Uint32Array.from(edges, ([, to]) => to),
    weights: weights === null ? null : Float64Array.from(weights),
  });

const edgesOf = ({ nodeCount, offsets, targets }: CompactGraph): Edge[] =>
  Array.from({ length: nodeCount }, (_, node) =>
    [...targets.subarray(offsets[node], offsets[node + 1])].map((target): Edge => [node, target]),
  ).flat();

const STRICT = { max_iterations: 1_000, tolerance: 1e-13 };

const anyGraph = fc.integer({ min: 1, max: 40 }).chain((nodeCount) =>
  fc.record({
    nodeCount: fc.constant(nodeCount),
    edges: fc.array(fc.tuple(fc.nat(nodeCount - 1), fc.nat(nodeCount - 1)), { maxLength: 150 }),
  }),
);

describe('the compact graph', () => {
  test('it has every ordered pair once, in order', () => {
    fc.assert(
      fc.property(anyGraph, ({ nodeCount, edges }) => {
        const distinct = [...new Map(edges.map((edge) => [edge.join(), edge])).values()];
        const sorted = distinct.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
        expect(edgesOf(graphOf(nodeCount, edges))).toEqual(sorted);
      }),
    );
  });

  test('weights of the same ordered pair are added', () => {
    const graph = graphOf(3, [[0, 1], [1, 2], [0, 1], [1, 0]], [1, 2, 4, 8]); // prettier-ignore
    expect(edgesOf(graph)).toEqual([[0, 1], [1, 0], [1, 2]]); // prettier-ignore
    expect([...(graph.weights ?? [])]).toEqual([5, 8, 2]);
  });
});

describe(`pagerank against ${fixture.source}`, () => {
  test.each(fixture.cases)('$name', ({ nodeCount, edges, damping, ranks }) => {
    const computed = right(pagerank(graphOf(nodeCount, edges), { damping, ...STRICT }));
    expect(computed).toHaveLength(ranks.length);
    for (const [node, rank] of ranks.entries()) expect(computed[node]).toBeCloseTo(rank, 9);
  });
});

describe('pagerank', () => {
  test('it solves the equation of the random surfer', () => {
    fc.assert(
      fc.property(anyGraph, fc.double({ min: 0, max: 0.95, noNaN: true }), ({ nodeCount, edges }, damping) => {
        const computed = right(pagerank(graphOf(nodeCount, edges), { damping, ...STRICT }));
        const solved = solveRanks(nodeCount, edges, damping);
        for (const [node, rank] of solved.entries()) expect(computed[node]).toBeCloseTo(rank, 8);
      }),
      { numRuns: 60 },
    );
  });

  test('a weight of two is like two ways to go', () => {
    const weighted = graphOf(3, [[0, 1], [0, 2], [1, 0], [2, 0]], [2, 1, 1, 1]); // prettier-ignore
    const [, heavy = 0, light = 0] = right(pagerank(weighted, { damping: 0.85, ...STRICT }));
    expect(heavy - 0.05).toBeCloseTo(2 * (light - 0.05), 9);
  });

  test('ranks always sum to one', () => {
    fc.assert(
      fc.property(anyGraph, ({ nodeCount, edges }) => {
        const ranks = right(
          pagerank(graphOf(nodeCount, edges), { damping: 0.85, max_iterations: 100, tolerance: 1e-6 }),
        );
        expect(ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  test('a graph without nodes has no ranks', () => {
    expect(right(pagerank(graphOf(0, []), { damping: 0.85, ...STRICT }))).toHaveLength(0);
  });

  test('too few iterations are told, not hidden', () => {
    const graph = graphOf(3, [[0, 1], [1, 2]]); // prettier-ignore
    expect(left(pagerank(graph, { damping: 0.85, max_iterations: 1, tolerance: 1e-9 }))).toContain('max_iterations');
  });
});

/** The ranks as the solution of a system of linear equations, by Gaussian elimination: slow and independent. */
const solveRanks = (nodeCount: number, edges: readonly Edge[], damping: number): number[] => {
  const targets = Array.from({ length: nodeCount }, () => new Set<number>());
  for (const [from, to] of edges) targets[from]!.add(to);
  const chance = (to: number, from: number): number =>
    targets[from]!.size === 0 ? 1 / nodeCount : targets[from]!.has(to) ? 1 / targets[from]!.size : 0;
  const rows = Array.from({ length: nodeCount }, (_, to) => [
    ...Array.from({ length: nodeCount }, (__, from) => (to === from ? 1 : 0) - damping * chance(to, from)),
    (1 - damping) / nodeCount,
  ]);
  for (let pivot = 0; pivot < nodeCount; pivot++) {
    const best = rows.slice(pivot).reduce((a, b) => (Math.abs(b[pivot]!) > Math.abs(a[pivot]!) ? b : a));
    rows.splice(pivot, 0, ...rows.splice(rows.indexOf(best), 1));
    const [head, divisor] = [rows[pivot]!, rows[pivot]![pivot]!];
    rows[pivot] = head.map((value) => value / divisor);
    for (let other = 0; other < nodeCount; other++) {
      if (other === pivot) continue;
      const factor = rows[other]![pivot]!;
      rows[other] = rows[other]!.map((value, column) => value - factor * rows[pivot]![column]!);
    }
  }
  return rows.map((row) => row[nodeCount]!);
};
