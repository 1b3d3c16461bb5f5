import { FLOWS, nodeValues, rounds } from '../algorithm';
import { numberedGroups } from '../graph/partition';
import { createRandom } from '../graph/random';
import { real, seed, wholeOrNull } from '../signature';
import { aggregated, firstLevel } from './louvain-level';
import { moveNodes } from './louvain-moves';

export const LOUVAIN_COMMUNITIES = nodeValues({
  name: 'louvain_communities',
  networkx:
    '`nx.community.louvain_communities(M, weight=w)`; its communities may differ, their modularity is about the same',
  aliases: ['louvain'],
  category: 'community',
  description: 'Communities by the Louvain method, which maximizes modularity.',
  details:
    'Moves nodes to neighbouring communities that increase the modularity, first to that of a random neighbour (Traag), then to the best one, until a pass gains less than 0.3 % of its level so far; then repeats with the communities as nodes, until the modularity increases by at most threshold. Directed graphs use directed modularity. Groups are numbered from 0 by decreasing size, then by their smallest key. Nodes are visited in the order of their keys, or in a random order by seed; equal requests have equal results.',
  valueType: 'INT64',
  weights: FLOWS,
  parameters: {
    resolution: real({ default: 1, min: 0, description: 'Above 1: smaller communities; below 1: larger ones.' }),
    threshold: real({ default: 1e-7, min: 0, description: 'Minimum increase of modularity for another level.' }),
    max_level: wholeOrNull({
      default: null,
      min: 1,
      description: 'Maximum number of levels; null: until the modularity stops increasing.',
    }),
    seed,
  },
  steps: (size) => rounds(size, 20),
  values: (graph, { resolution, threshold, max_level: mostLevels, seed: start }, { progress }) => {
    const random = createRandom(start);
    const membership = new Uint32Array(graph.nodeCount);
    for (let node = 0; node < membership.length; node++) membership[node] = node;
    let level = firstLevel(graph);
    for (let count = 1; mostLevels === null || count <= mostLevels; count++) {
      const found = moveNodes(level, {
        resolution,
        threshold,
        random,
        shuffled: start !== null,
        progress: (share) => progress(1 - (1 - share / 2) / count),
      });
      // NaN if the total weight is zero.
      if (!(found.gain > 0)) break;
      for (let node = 0; node < membership.length; node++) membership[node] = found.labels[membership[node]!]!;
      if (found.gain <= threshold) break;
      level = aggregated(level, found);
    }
    return numberedGroups(membership);
  },
});
