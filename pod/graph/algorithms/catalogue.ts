import { type GraphEngine } from '../engine/graph-engine';
import { type Algorithm, type Kernel, type LibraryAlgorithm } from './algorithm';
import { BETWEENNESS } from './kernels/betweenness-centrality';
import { BRIDGES } from './kernels/bridges';
import { CLOSENESS } from './kernels/closeness-centrality';
import { CLUSTERING } from './kernels/clustering';
import { COMPONENTS } from './kernels/components';
import { CORE_NUMBER } from './kernels/core-number';
import { DEGREES } from './kernels/degree-centrality';
import { ECCENTRICITY } from './kernels/eccentricity';
import { EIGENVECTOR } from './kernels/eigenvector-centrality';
import { GIRVAN_NEWMAN } from './kernels/girvan-newman';
import { HITS } from './kernels/hits';
import { LABEL_PROPAGATION_COMMUNITIES } from './kernels/label-propagation';
import { LINK_PREDICTION } from './kernels/link-prediction';
import { LOUVAIN_COMMUNITIES } from './kernels/louvain-communities';
import { MODULARITY } from './kernels/modularity';
import { PAGERANK } from './kernels/pagerank';
import { SHORTEST_PATHS } from './kernels/shortest-path';
import { SPANNING_TREES } from './kernels/spanning-tree';
import { STRUCTURE } from './kernels/structure';
import { TOPOLOGICAL_ORDER } from './kernels/topological-sort';
import { TRIANGLES } from './kernels/triangles';
import { LIBRARY_ALGORITHMS } from './library/library-algorithms';
import { FALKORDB_ALGORITHMS } from './native-algorithms';

/** All kernels. Discovery, validation, suggestions, the worker and the documentation read this list. */
export const KERNELS: readonly Kernel[] = [
  ...DEGREES,
  ...CLOSENESS,
  ...BETWEENNESS,
  ...EIGENVECTOR,
  PAGERANK,
  HITS,
  TRIANGLES,
  ...CLUSTERING,
  CORE_NUMBER,
  ...COMPONENTS,
  LOUVAIN_COMMUNITIES,
  LABEL_PROPAGATION_COMMUNITIES,
  GIRVAN_NEWMAN,
  MODULARITY,
  ...BRIDGES,
  ...SHORTEST_PATHS,
  ...ECCENTRICITY,
  ...SPANNING_TREES,
  ...LINK_PREDICTION,
  ...TOPOLOGICAL_ORDER,
  ...STRUCTURE,
];

const taken = new Set(KERNELS.flatMap(({ name, aliases }) => [name, ...aliases]));

/** The algorithms of `/graphlib`, in the order of the list; library functions under names that are not taken. */
export const GRAPH_LIBRARY: readonly (Kernel | LibraryAlgorithm)[] = [
  ...KERNELS,
  ...LIBRARY_ALGORITHMS.filter(({ name }) => !taken.has(name)),
];

/** Finds an algorithm of the graph library by its name or an alias. */
export const findAlgorithm = (name: string): Kernel | LibraryAlgorithm | undefined =>
  GRAPH_LIBRARY.find((entry) => entry.name === name || entry.aliases.includes(name));

/** The algorithm of a run on an instance of a kind. */
export const algorithmOf = (kind: GraphEngine['kind'], name: string): Algorithm | undefined =>
  kind === 'graphdb_b' ? FALKORDB_ALGORITHMS.find((entry) => entry.name === name) : findAlgorithm(name);
