import { type Kernel } from './algorithm';
import { SAMPLED_BETWEENNESS } from './kernels/betweenness-centrality';
import { CONNECTED_COMPONENTS, WEAK_COMPONENTS } from './kernels/components';
import { CDLP, LABEL_PROPAGATION_COMMUNITIES } from './kernels/label-propagation';
import { LOUVAIN_COMMUNITIES } from './kernels/louvain-communities';
import { PAGERANK } from './kernels/pagerank';
import { SHORTEST_PATH } from './kernels/shortest-path';
import { TRIANGLES } from './kernels/triangles';
import { findParameter, type ShownParameter, shownParameter } from './signature';

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

/** A kernel as an algorithm of instances on FalkorDB, which have it instead of a procedure of the server. */
export interface FalkordbAlgorithm extends Kernel {
  readonly displayName: string;
  readonly cypherProcedure: string;
}

const FIVE_MINUTES_MS = 300_000;

export const FALKORDB_ALGORITHMS: readonly FalkordbAlgorithm[] = [
  {
    ...PAGERANK,
    displayName: 'PageRank',
    description:
      'Importance of each node, by the importance of the nodes that point to it. The ranks of the selected nodes sum to 1; the procedure in a query distributes them over all nodes of the graph even with a label.',
    cypherProcedure: 'pagerank.stream',
    graph: 'directed',
    defaultTimeoutMs: FIVE_MINUTES_MS,
  },
  { ...SAMPLED_BETWEENNESS, displayName: 'Betweenness centrality', cypherProcedure: 'algo.betweenness' },
  {
    ...WEAK_COMPONENTS,
    name: 'wcc',
    displayName: 'Weakly connected components',
    category: 'community',
    cypherProcedure: 'algo.WCC',
    defaultTimeoutMs: FIVE_MINUTES_MS,
  },
  {
    ...CDLP,
    displayName: 'Community detection by label propagation',
    cypherProcedure: 'algo.labelPropagation',
    defaultTimeoutMs: FIVE_MINUTES_MS,
  },
];
