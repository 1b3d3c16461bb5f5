import { type Kernel, type LibraryAlgorithm } from './algorithm';
import * as betweenness from './kernels/betweenness-centrality';
import * as bridges from './kernels/bridges';
import * as closeness from './kernels/closeness-centrality';
import * as clustering from './kernels/clustering';
import * as components from './kernels/components';
import { CORE_NUMBER } from './kernels/core-number';
import * as degree from './kernels/degree-centrality';
import * as eccentricity from './kernels/eccentricity';
import { EIGENVECTOR_CENTRALITY, KATZ_CENTRALITY } from './kernels/eigenvector-centrality';
import { GIRVAN_NEWMAN } from './kernels/girvan-newman';
import { HITS } from './kernels/hits';
import { LABEL_PROPAGATION_COMMUNITIES } from './kernels/label-propagation-communities';
import * as prediction from './kernels/link-prediction';
import { LOUVAIN_COMMUNITIES } from './kernels/louvain-communities';
import { MODULARITY } from './kernels/modularity';
import { PAGERANK } from './kernels/pagerank';
import * as paths from './kernels/shortest-path';
import * as spanning from './kernels/spanning-tree';
import * as structure from './kernels/structure';
import * as dag from './kernels/topological-sort';
import { TRIANGLES } from './kernels/triangles';
import { LIBRARY_ALGORITHMS } from './library/library-algorithms';

/** All kernels. Discovery, validation, suggestions, the worker and the documentation read this list. */
export const KERNELS: readonly Kernel[] = [
  degree.DEGREE_CENTRALITY,
  degree.WEIGHTED_DEGREE,
  degree.IN_DEGREE_CENTRALITY,
  degree.OUT_DEGREE_CENTRALITY,
  closeness.CLOSENESS_CENTRALITY,
  closeness.HARMONIC_CENTRALITY,
  betweenness.BETWEENNESS_CENTRALITY,
  betweenness.EDGE_BETWEENNESS_CENTRALITY,
  EIGENVECTOR_CENTRALITY,
  KATZ_CENTRALITY,
  PAGERANK,
  HITS,
  TRIANGLES,
  clustering.CLUSTERING,
  clustering.AVERAGE_CLUSTERING,
  clustering.TRANSITIVITY,
  CORE_NUMBER,
  components.CONNECTED_COMPONENTS,
  components.WEAKLY_CONNECTED_COMPONENTS,
  components.STRONGLY_CONNECTED_COMPONENTS,
  components.NUMBER_CONNECTED_COMPONENTS,
  components.IS_CONNECTED,
  LOUVAIN_COMMUNITIES,
  LABEL_PROPAGATION_COMMUNITIES,
  GIRVAN_NEWMAN,
  MODULARITY,
  bridges.BRIDGES,
  bridges.ARTICULATION_POINTS,
  paths.SHORTEST_PATH,
  paths.SHORTEST_PATH_LENGTH,
  paths.HAS_PATH,
  paths.SINGLE_SOURCE_SHORTEST_PATH_LENGTH,
  paths.ALL_PAIRS_SHORTEST_PATH_LENGTH,
  eccentricity.ECCENTRICITY,
  eccentricity.DIAMETER,
  eccentricity.RADIUS,
  eccentricity.AVERAGE_SHORTEST_PATH_LENGTH,
  spanning.MINIMUM_SPANNING_TREE,
  spanning.MAXIMUM_SPANNING_TREE,
  prediction.COMMON_NEIGHBORS,
  prediction.JACCARD_COEFFICIENT,
  prediction.ADAMIC_ADAR_INDEX,
  prediction.RESOURCE_ALLOCATION_INDEX,
  prediction.PREFERENTIAL_ATTACHMENT,
  dag.TOPOLOGICAL_SORT,
  dag.IS_DIRECTED_ACYCLIC_GRAPH,
  structure.DENSITY,
  structure.NUMBER_OF_NODES,
  structure.NUMBER_OF_EDGES,
  structure.DEGREE_ASSORTATIVITY_COEFFICIENT,
  structure.AVERAGE_NEIGHBOR_DEGREE,
  structure.OVERALL_RECIPROCITY,
  structure.IS_BIPARTITE,
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

const MAX_SUGGESTIONS = 3;

/** The most similar names to an unknown one, nearest first; empty without a similar name. */
export const nearestNames = (wanted: string, names: readonly string[]): readonly string[] => {
  const text = wanted.toLowerCase();
  return names
    .map((name) => ({ name, distance: name.includes(text) || text.includes(name) ? 1 : editDistance(text, name) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.ceil(name.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
};

/** Levenshtein distance, row by row. */
const editDistance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries()) {
      next.push(Math.min((next[j] ?? 0) + 1, (row[j + 1] ?? 0) + 1, (row[j] ?? 0) + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
};
