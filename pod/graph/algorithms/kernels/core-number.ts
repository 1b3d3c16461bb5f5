import { right } from 'fp-ts/Either';
import { type CompactGraph, reversed } from '../graph/compact-graph';
import { kernel } from '../kernel';

export const CORE_NUMBER = kernel({
  name: 'core_number',
  aliases: ['k_core_decomposition'],
  category: 'cores',
  description: 'Largest k for which a node belongs to a part whose nodes all have k neighbours in it.',
  details: 'In a directed graph edges of both directions count, one each way twice. Self-loops are left out.',
  returns: 'node_values',
  valueType: 'INT64',
  compute: (graph) => {
    const sides = graph.directed ? [graph, reversed(graph)] : [graph];
    return right({ type: 'node_values', values: peel(graph.nodeCount, sides) });
  },
});

/** Takes away the node of least degree again and again (Batagelj and Zaveršnik), in linear time. */
const peel = (nodeCount: number, sides: readonly CompactGraph[]): Uint32Array => {
  const degrees = new Uint32Array(nodeCount);
  let most = 0;
  for (let node = 0; node < nodeCount; node++) {
    for (const { offsets, targets } of sides) {
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) if (targets[edge] !== node) degrees[node]!++;
    }
    most = Math.max(most, degrees[node]!);
  }
  // Nodes in the order of degree; `starts` says where each degree begins.
  const starts = new Uint32Array(most + 2);
  for (const degree of degrees) starts[degree + 1]!++;
  for (let degree = 0; degree <= most; degree++) starts[degree + 1]! += starts[degree]!;
  const order = new Uint32Array(nodeCount);
  const places = new Uint32Array(nodeCount);
  const next = starts.slice();
  for (let node = 0; node < nodeCount; node++) {
    const place = next[degrees[node]!]!++;
    order[place] = node;
    places[node] = place;
  }
  for (let at = 0; at < nodeCount; at++) {
    const node = order[at]!;
    const degree = degrees[node]!;
    for (const { offsets, targets } of sides) {
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        const other = targets[edge]!;
        const otherDegree = degrees[other]!;
        if (otherDegree <= degree) continue;
        // Changes places with the first of its degree, which then begins one later.
        const place = places[other]!;
        const first = Math.max(starts[otherDegree]!, at + 1);
        const moved = order[first]!;
        order[place] = moved;
        places[moved] = place;
        order[first] = other;
        places[other] = first;
        starts[otherDegree] = first + 1;
        degrees[other] = otherDegree - 1;
      }
    }
  }
  return degrees;
};
