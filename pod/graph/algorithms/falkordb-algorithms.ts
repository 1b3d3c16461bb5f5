import { type ProcedureAlgorithm, USUAL } from './algorithm';
import { maxIter, whole, wholeOrNull } from './signature';

const FIVE_MINUTES_MS = 300_000;

const procedure = (
  declared: Pick<ProcedureAlgorithm, 'name' | 'displayName' | 'category' | 'description' | 'cypherProcedure'> &
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
    displayName: 'PageRank',
    category: 'centrality',
    description: 'Importance of each node by the importance of the nodes that point to it.',
    cypherProcedure: 'pagerank.stream',
  }),
  procedure({
    name: 'betweenness',
    displayName: 'Betweenness centrality',
    category: 'centrality',
    description: 'How many shortest paths between other nodes lead through a node, estimated from a sample.',
    cypherProcedure: 'algo.betweenness',
    defaultTimeoutMs: USUAL.defaultTimeoutMs,
    parameters: {
      sampling_size: whole({ default: 32, min: 1, max: 1_000_000, description: 'Number of nodes to start from.' }),
      sampling_seed: wholeOrNull({ default: null, max: 2 ** 31 - 1, description: 'Start of the random choice.' }),
    },
  }),
  procedure({
    name: 'wcc',
    displayName: 'Weakly connected components',
    category: 'community',
    description: 'Which nodes are joined by paths whose edges may be walked both ways.',
    cypherProcedure: 'algo.WCC',
    valueType: 'INT64',
  }),
  procedure({
    name: 'cdlp',
    displayName: 'Community detection by label propagation',
    category: 'community',
    description: 'Communities whose nodes have the label most of their neighbours have.',
    cypherProcedure: 'algo.labelPropagation',
    valueType: 'INT64',
    parameters: { max_iterations: { ...maxIter(10), aliases: [] } },
  }),
];
