import { type ProcedureAlgorithm, USUAL } from './algorithm';
import { rounds, searches } from './estimate-run';
import { PAGERANK } from './kernels/pagerank';
import { maxIter, whole, wholeOrNull } from './signature';

const FIVE_MINUTES_MS = 300_000;

const procedure = (
  declared: Pick<
    ProcedureAlgorithm,
    'name' | 'procedure' | 'displayName' | 'category' | 'description' | 'cypherProcedure'
  > &
    Partial<ProcedureAlgorithm>,
): ProcedureAlgorithm => ({
  ...USUAL,
  engine: 'falkordb',
  returns: 'node_values',
  valueType: 'DOUBLE',
  defaultTimeoutMs: FIVE_MINUTES_MS,
  ...declared,
});

/** What FalkorDB can run. */
export const FALKORDB_ALGORITHMS: readonly ProcedureAlgorithm[] = [
  procedure({
    name: 'pagerank',
    procedure: null,
    displayName: 'PageRank',
    category: 'centrality',
    description:
      'Importance of each node by the importance of the nodes that point to it. The ranks of the chosen nodes sum to 1; the procedure, in a query, spreads them over all nodes of the graph also when it is given a label.',
    cypherProcedure: 'pagerank.stream',
    parameters: PAGERANK.parameters,
    steps: PAGERANK.steps,
  }),
  procedure({
    name: 'betweenness',
    procedure: 'betweenness',
    displayName: 'Betweenness centrality',
    category: 'centrality',
    description:
      'How many shortest paths from some start nodes lead through a node, along the directions of the edges: Brandes’s sum over the start nodes, which are drawn at random, some of them more than once. It is neither divided by the number of pairs nor scaled up from the start nodes to all.',
    cypherProcedure: 'algo.betweenness',
    defaultTimeoutMs: USUAL.defaultTimeoutMs,
    steps: (size, { sampling_size: from }) => searches(size, from),
    parameters: {
      sampling_size: whole({ default: 32, min: 1, max: 1_000_000, description: 'Number of nodes to start from.' }),
      sampling_seed: wholeOrNull({ default: null, max: 2 ** 31 - 1, description: 'Start of the random choice.' }),
    },
  }),
  procedure({
    name: 'wcc',
    procedure: 'wcc',
    displayName: 'Weakly connected components',
    category: 'community',
    description: 'Which nodes are joined by paths whose edges may be walked both ways.',
    cypherProcedure: 'algo.WCC',
    valueType: 'INT64',
  }),
  procedure({
    name: 'cdlp',
    procedure: 'cdlp',
    displayName: 'Community detection by label propagation',
    category: 'community',
    description:
      'Communities by synchronous label propagation: every node begins as its own community and in each step takes the one most of its neighbours have, of several the lowest. Directions, parallel edges and weights do not count. A community is a number without a meaning of its own.',
    cypherProcedure: 'algo.labelPropagation',
    valueType: 'INT64',
    parameters: { max_iterations: { ...maxIter(10), aliases: [] } },
    steps: (size, { max_iterations: most }) => rounds(size, most),
  }),
];
