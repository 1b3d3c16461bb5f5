import { right } from 'fp-ts/Either';
import { type Kernel, kernel, SUMS } from '../algorithm';
import { type CompactGraph } from '../graph/compact-graph';
import { inDegrees, inStrengths, outDegrees, outStrengths } from '../graph/degrees';

const shares = ({ nodeCount }: CompactGraph, degrees: Float64Array) =>
  right({
    type: 'node_values' as const,
    values: nodeCount <= 1 ? degrees.fill(1) : degrees.map((degree) => degree / (nodeCount - 1)),
  });

export const DEGREES: readonly Kernel[] = [
  kernel({
    name: 'degree_centrality',
    aliases: ['degree'],
    category: 'centrality',
    description: 'Fraction of the other nodes that are adjacent to a node.',
    details:
      'Degree divided by n - 1; in a directed graph the edges of both directions count. A self-loop counts twice, so values above 1 are possible. In a graph of one node the value is 1.',
    returns: 'node_values',
    compute: (graph) => {
      const degrees = outDegrees(graph);
      if (graph.directed) for (const [node, incoming] of inDegrees(graph).entries()) degrees[node]! += incoming;
      return shares(graph, degrees);
    },
  }),
  kernel({
    name: 'weighted_degree',
    networkx: '`M.degree(weight=w)`',
    aliases: ['weighted_undirected_degree', 'weighted_directed_degree'],
    category: 'centrality',
    description: 'Sum of the weights of the edges of a node.',
    details:
      'In a directed graph the edges of both directions count. A self-loop counts twice, as in degree_centrality. Without a weight_property every edge weighs 1.',
    returns: 'node_values',
    weights: SUMS,
    compute: (graph) => {
      const values = outStrengths(graph);
      if (graph.directed) for (const [node, incoming] of inStrengths(graph).entries()) values[node]! += incoming;
      return right({ type: 'node_values', values });
    },
  }),
  kernel({
    name: 'in_degree_centrality',
    aliases: ['in_degree'],
    category: 'centrality',
    description: 'Fraction of the other nodes that have an edge to a node.',
    details: 'In-degree divided by n - 1. In a graph of one node the value is 1.',
    returns: 'node_values',
    graph: 'directed',
    compute: (graph) => shares(graph, inDegrees(graph)),
  }),
  kernel({
    name: 'out_degree_centrality',
    aliases: ['out_degree'],
    category: 'centrality',
    description: 'Fraction of the other nodes that a node has an edge to.',
    details: 'Out-degree divided by n - 1. In a graph of one node the value is 1.',
    returns: 'node_values',
    graph: 'directed',
    compute: (graph) => shares(graph, outDegrees(graph)),
  }),
];
