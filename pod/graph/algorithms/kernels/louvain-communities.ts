import { right } from 'fp-ts/Either';
import { numberedGroups } from '../graph/partition';
import { createRandom } from '../graph/random';
import { kernel, rounds } from '../algorithm';
import { real, seed, wholeOrNull } from '../signature';
import { aggregated, firstLevel } from './louvain-level';
import { moveNodes } from './louvain-moves';

export const LOUVAIN_COMMUNITIES = kernel({
  name: 'louvain_communities',
  aliases: ['louvain'],
  category: 'community',
  description: 'Communities with more edges inside than chance would give, by the Louvain method.',
  details:
    'Moves nodes to neighbouring communities that raise the modularity, first to that of a random neighbour (Traag), then to the best one, until a pass gains little compared with its level so far (0.3 %); then repeats with the communities as nodes, until the modularity rises by no more than threshold. Directed graphs have directed modularity. Groups are numbered from 0 by falling size, then by their smallest key. Nodes are visited in the order of their keys, or in one drawn from the seed; the same request has the same result.',
  returns: 'node_values',
  valueType: 'INT64',
  weighted: true,
  parameters: {
    resolution: real({ default: 1, min: 0, description: 'Above 1 smaller communities, below 1 larger ones.' }),
    threshold: real({ default: 1e-7, min: 0, description: 'Least gain of modularity of a further level.' }),
    max_level: wholeOrNull({ default: null, min: 1, description: 'Most levels; null: until nothing is gained.' }),
    seed,
  },
  steps: (size) => rounds(size, 20),
  compute: (graph, { resolution, threshold, max_level: mostLevels, seed: start }, { progress }) => {
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
    return right({ type: 'node_values', values: numberedGroups(membership) });
  },
});
