import { type Kernel, type ProcedureAlgorithm, rounds, searches, USUAL } from './algorithm';
import { CONNECTED_COMPONENTS } from './kernels/components';
import { LABEL_PROPAGATION_COMMUNITIES } from './kernels/label-propagation-communities';
import { LOUVAIN_COMMUNITIES } from './kernels/louvain-communities';
import { PAGERANK } from './kernels/pagerank';
import { SHORTEST_PATH } from './kernels/shortest-path';
import { TRIANGLES } from './kernels/triangles';
import { findParameter, maxIter, type ShownParameter, shownParameter, whole, wholeOrNull } from './signature';

/** A kernel as a native algorithm of instances on DuckDB: each parameter is a field of the request. */
export interface DuckdbAlgorithm {
  readonly name: string;
  readonly algorithm: Kernel;
  /** Default of the field `directed`. */
  readonly directed: boolean;
  /** All fields of the request except `timeout_ms`. */
  readonly fields: readonly ShownParameter[];
}

const field = (name: string, type: string, description: string, shown: Partial<ShownParameter> = {}) => ({
  name,
  type,
  required: false,
  default: null as unknown,
  description,
  ...shown,
});
const REQUIRED = { required: true };
const EDGE_TYPES = field('edge_types', 'array of string', 'Edge types to use; default: all between the nodes.');

/**
 * Stores a value per node in a property. `parameters`: names or aliases of the kernel's parameters that are request
 * fields.
 */
const storing = (
  name: string,
  algorithm: Kernel,
  parameters: readonly string[] = [],
  directed = false,
): DuckdbAlgorithm => ({
  name,
  algorithm,
  directed,
  fields: [
    field('node_label', 'string', 'Label of the nodes.', REQUIRED),
    field('property_name', 'string', 'Property the values are stored in.', REQUIRED),
    EDGE_TYPES,
    ...parameters.flatMap((parameter) => {
      const [, declared] = findParameter(algorithm.parameters, parameter) ?? [];
      return declared === undefined ? [] : [shownParameter(parameter, declared)];
    }),
  ],
});

export const DUCKDB_ALGORITHMS: readonly DuckdbAlgorithm[] = [
  storing('pagerank', PAGERANK, ['damping', 'max_iterations', 'tolerance'], true),
  storing('connected_components', CONNECTED_COMPONENTS),
  {
    name: 'shortest_path',
    algorithm: SHORTEST_PATH,
    directed: false,
    fields: [
      field('source_id', 'string', 'Primary key of the node the path begins at.', REQUIRED),
      field('target_id', 'string', 'Primary key of the node the path ends at.', REQUIRED),
      field('weight_property', 'string', 'Numeric edge property to add up; default: every edge counts 1.'),
      field('directed', 'boolean', 'Follow edges in their direction only.', { default: false }),
      field('node_label', 'string', 'Label of the nodes; default: all.'),
      EDGE_TYPES,
    ],
  },
  storing('louvain', LOUVAIN_COMMUNITIES, ['resolution']),
  storing('label_propagation', LABEL_PROPAGATION_COMMUNITIES, ['max_iterations']),
  storing('triangle_count', TRIANGLES),
];

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

/** Algorithms of instances on FalkorDB. */
export const FALKORDB_ALGORITHMS: readonly ProcedureAlgorithm[] = [
  procedure({
    name: 'pagerank',
    procedure: null,
    displayName: 'PageRank',
    category: 'centrality',
    description:
      'Importance of each node, by the importance of the nodes that point to it. The ranks of the selected nodes sum to 1; the procedure in a query distributes them over all nodes of the graph even with a label.',
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
      'Number of shortest paths from random start nodes that pass through a node, along the directions of edges: Brandes’s sum over the start nodes, which may be drawn repeatedly. It is not normalized, and not scaled from the start nodes to all nodes.',
    cypherProcedure: 'algo.betweenness',
    defaultTimeoutMs: USUAL.defaultTimeoutMs,
    steps: (size, { sampling_size: from }) => searches(size, from),
    parameters: {
      sampling_size: whole({ default: 32, min: 1, max: 1_000_000, description: 'Number of nodes to start from.' }),
      sampling_seed: wholeOrNull({ default: null, max: 2 ** 31 - 1, description: 'Random seed.' }),
    },
  }),
  procedure({
    name: 'wcc',
    procedure: 'wcc',
    displayName: 'Weakly connected components',
    category: 'community',
    description: 'Weakly connected components: nodes that paths connect if directions are ignored.',
    cypherProcedure: 'algo.WCC',
    valueType: 'INT64',
  }),
  procedure({
    name: 'cdlp',
    procedure: 'cdlp',
    displayName: 'Community detection by label propagation',
    category: 'community',
    description:
      'Communities by synchronous label propagation: every node begins in a community of its own and in each step joins the most frequent one of its neighbours, the lowest for ties. Directions, parallel edges and weights are ignored. The number of a community has no meaning.',
    cypherProcedure: 'algo.labelPropagation',
    valueType: 'INT64',
    parameters: { max_iterations: { ...maxIter(10), aliases: [] } },
    steps: (size, { max_iterations: most }) => rounds(size, most),
  }),
];
