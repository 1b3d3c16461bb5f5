import { left } from 'fp-ts/Either';
import { type Kernel, kernel, scalar } from '../algorithm';
import { generations, isAcyclic } from '../graph/topological-order';

export const TOPOLOGICAL_ORDER: readonly Kernel[] = [
  kernel({
    name: 'topological_sort',
    networkx: '`nx.topological_generations(G)`, flattened',
    category: 'dag',
    description: 'An order of the nodes in which the source of every edge precedes its target.',
    details:
      'In topological generations. The run fails if the graph has a cycle. length is the number of nodes minus one.',
    returns: 'path',
    graph: 'directed',
    maxNodes: 1_000_000,
    compute: (graph) => {
      const nodes = generations(graph);
      return nodes.length < graph.nodeCount
        ? left(
            'The graph has a cycle and therefore no topological order; strongly_connected_components shows the cycle.',
          )
        : { type: 'order', nodes };
    },
  }),
  scalar({
    name: 'is_directed_acyclic_graph',
    networkx: '`nx.is_directed_acyclic_graph(M)`',
    aliases: ['is_dag'],
    category: 'dag',
    description: 'Whether the graph has no directed cycle.',
    details: 'A self-loop is a cycle.',
    graph: 'directed',
    value: (graph) => isAcyclic(graph),
  }),
];
