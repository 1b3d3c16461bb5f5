import { type CompactGraph, weightOf } from './compact-graph';

/** Number of edges that leave each node. In an undirected graph a self-loop counts twice. */
export const outDegrees = (graph: CompactGraph): Float64Array => outStrengths({ ...graph, weights: null });

/** Number of edges that enter each node of a directed graph. */
export const inDegrees = (graph: CompactGraph): Float64Array => inStrengths({ ...graph, weights: null });

/** Sum of the weights of the edges that leave each node; self-loops of an undirected graph count twice. */
export const outStrengths = (graph: CompactGraph): Float64Array => {
  const { nodeCount, directed, offsets, targets } = graph;
  const strengths = new Float64Array(nodeCount);
  for (let node = 0; node < nodeCount; node++) {
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
      strengths[node]! += weightOf(graph, edge) * (!directed && targets[edge] === node ? 2 : 1);
    }
  }
  return strengths;
};

/** Sum of the weights of the edges that enter each node of a directed graph. */
export const inStrengths = (graph: CompactGraph): Float64Array => {
  const strengths = new Float64Array(graph.nodeCount);
  for (let edge = 0; edge < graph.targets.length; edge++) strengths[graph.targets[edge]!]! += weightOf(graph, edge);
  return strengths;
};
