import { left } from 'fp-ts/Either';
import { counted } from '../../../../domain/kernel/counted';
import { FLOWS, scalar } from '../algorithm';
import { type CompactGraph, weightOf } from '../graph/compact-graph';
import { inStrengths, outStrengths } from '../graph/degrees';
import { nodeGroups, real } from '../signature';

/** Newman's modularity of a partition; `labels` are below the number of nodes. */
export const modularity = (graph: CompactGraph, labels: Uint32Array, resolution: number): number => {
  const { nodeCount, directed, offsets, targets } = graph;
  const out = outStrengths(graph);
  const into = directed ? inStrengths(graph) : out;
  const degreeSum = out.reduce((sum, value) => sum + value, 0);
  const inside = new Float64Array(nodeCount);
  const sumOut = new Float64Array(nodeCount);
  const sumIn = new Float64Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    const group = labels[node]!;
    sumOut[group]! += out[node]!;
    sumIn[group]! += into[node]!;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      if (labels[targets[edge]!] !== group) continue;
      // An undirected edge is visited from both ends, its self-loop once.
      inside[group]! += weightOf(graph, edge) * (!directed && targets[edge] === node ? 2 : 1);
    }
  }
  let sum = 0;
  for (let group = 0; group < nodeCount; group++) {
    sum += inside[group]! / degreeSum - (resolution * sumOut[group]! * sumIn[group]!) / degreeSum ** 2;
  }
  return sum;
};

export const MODULARITY = scalar({
  name: 'modularity',
  networkx: '`nx.community.modularity(M, communities, weight=w)`',
  category: 'community',
  description: 'Modularity of given communities: the fraction of edges inside them minus the expected fraction.',
  details: 'Every node must be in exactly one community. NaN for a graph without edges.',
  weights: FLOWS,
  parameters: {
    communities: nodeGroups('The communities, each an array of node keys.'),
    resolution: real({ default: 1, min: 0, description: 'Weight of the expected fraction of edges.' }),
  },
  value: (graph, { communities, resolution }, { numberOf }) => {
    const labels = new Uint32Array(graph.nodeCount).fill(0xffffffff);
    for (const [label, keys] of communities.filter((group) => group.length > 0).entries()) {
      for (const key of keys) {
        const node = numberOf(key);
        if (node === null) return left(`communities names ${key}, which is not a node of this graph.`);
        if (labels[node] !== 0xffffffff) return left(`communities names ${key} twice; a node is in one community.`);
        labels[node] = label;
      }
    }
    const missing = labels.filter((label) => label === 0xffffffff).length;
    return missing > 0
      ? left(`communities leaves out ${counted(missing, 'node')}; name every node once.`)
      : modularity(graph, labels, resolution);
  },
});
