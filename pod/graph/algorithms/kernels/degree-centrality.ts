import { type Kernel, nodeValues, SUMS } from '../algorithm';
import { type CompactGraph } from '../graph/compact-graph';
import { inDegrees, inStrengths, outDegrees, outStrengths } from '../graph/degrees';

const shares = ({ nodeCount }: CompactGraph, degrees: Float64Array) =>
  nodeCount <= 1 ? degrees.fill(1) : degrees.map((degree) => degree / (nodeCount - 1));

export const DEGREES: readonly Kernel[] = [
  nodeValues({
    name: 'degree_centrality',
    aliases: ['degree'],
    category: 'centrality',
    description: 'Fraction of the other nodes that are adjacent to a node.',
    details:
      'Degree divided by n - 1; in a directed graph the edges of both directions count. A self-loop counts twice, so values above 1 are possible. In a graph of one node the value is 1.',
    values: (graph) => {
      const degrees = outDegrees(graph);
      if (graph.directed) for (const [node, incoming] of inDegrees(graph).entries()) degrees[node]! += incoming;
      return shares(graph, degrees);
    },
  }),
  nodeValues({
    name: 'weighted_degree',
    networkx: '`M.degree(weight=w)`',
    aliases: ['weighted_undirected_degree', 'weighted_directed_degree'],
    category: 'centrality',
    description: 'Sum of the weights of the edges of a node.',
    details:
      'In a directed graph the edges of both directions count. A self-loop counts twice, as in degree_centrality. Without a weight_property every edge weighs 1.',
    weights: SUMS,
    values: (graph) => {
      const values = outStrengths(graph);
      if (graph.directed) for (const [node, incoming] of inStrengths(graph).entries()) values[node]! += incoming;
      return values;
    },
  }),
  nodeValues({
    name: 'in_degree_centrality',
    aliases: ['in_degree'],
    category: 'centrality',
    description: 'Fraction of the other nodes that have an edge to a node.',
    details: 'In-degree divided by n - 1. In a graph of one node the value is 1.',
    graph: 'directed',
    values: (graph) => shares(graph, inDegrees(graph)),
  }),
  nodeValues({
    name: 'out_degree_centrality',
    aliases: ['out_degree'],
    category: 'centrality',
    description: 'Fraction of the other nodes that a node has an edge to.',
    details: 'Out-degree divided by n - 1. In a graph of one node the value is 1.',
    graph: 'directed',
    values: (graph) => shares(graph, outDegrees(graph)),
  }),
];
