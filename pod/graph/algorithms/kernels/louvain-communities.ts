import { right } from 'fp-ts/Either';
import { buildCompactGraph, type CompactGraph, sourcesOf } from '../graph/compact-graph';
import { inStrengths, outStrengths } from '../graph/degrees';
import { numberedGroups } from '../graph/partition';
import { createRandom, sample } from '../graph/random';
import { kernel } from '../kernel';
import { real, seed, wholeOrNull } from '../signature';

export const LOUVAIN_COMMUNITIES = kernel({
  name: 'louvain_communities',
  aliases: ['louvain'],
  category: 'community',
  description: 'Communities with more edges inside than chance would give, by the Louvain method.',
  details:
    'Moves nodes to the neighbouring community that raises the modularity most, until none does, then goes on with the communities as nodes, until the modularity rises by no more than threshold. Directed graphs have directed modularity. Groups are numbered from 0 by falling size, then by their smallest key. The nodes are taken in the order of their keys, or in one drawn from the seed.',
  returns: 'node_values',
  valueType: 'INT64',
  weighted: true,
  parameters: {
    resolution: real({ default: 1, min: 0, description: 'Above 1 smaller communities, below 1 larger ones.' }),
    threshold: real({ default: 1e-7, min: 0, description: 'Least gain of modularity of a further level.' }),
    max_level: wholeOrNull({ default: null, min: 1, description: 'Most levels; null: until nothing is gained.' }),
    seed,
  },
  compute: (graph, { resolution, threshold, max_level: mostLevels, seed: start }, { progress }) => {
    const random = start === null ? null : createRandom(start);
    const membership = new Uint32Array(graph.nodeCount);
    for (let node = 0; node < membership.length; node++) membership[node] = node;
    let level = firstLevel(graph);
    for (let count = 1; mostLevels === null || count <= mostLevels; count++) {
      const found = moveNodes(level, {
        resolution,
        threshold,
        random,
        progress: (share) => progress(1 - (1 - share / 2) / count),
      });
      // Not a number where there is no weight to share.
      if (!(found.gain > 0)) break;
      for (let node = 0; node < membership.length; node++) membership[node] = found.labels[membership[node]!]!;
      if (found.gain <= threshold) break;
      level = aggregated(level, found);
    }
    return right({ type: 'node_values', values: numberedGroups(membership) });
  },
});

/**
 * The communities found so far as nodes. The neighbours of a node are listed with the weights of both directions added
 * up, in any order; edges inside of a community are left out, as no move depends on them.
 */
interface Level extends Pick<CompactGraph, 'nodeCount' | 'offsets' | 'targets' | 'weights'> {
  /** Sum of the weights of the edges that leave each node, those to itself included. */
  readonly out: Float64Array;
  /** The same of the edges that lead to it; null in an undirected graph. */
  readonly into: Float64Array | null;
}

interface Communities {
  /** Number of the community of each node of the level. */
  readonly labels: Uint32Array;
  readonly count: number;
  /** By how much the modularity has risen; 0 when no node has moved. */
  readonly gain: number;
}

const firstLevel = (graph: CompactGraph): Level => {
  const out = outStrengths(graph);
  if (!graph.directed) return { ...graph, out, into: null };
  const { nodeCount, offsets, targets, weights } = buildCompactGraph({
    nodeCount: graph.nodeCount,
    directed: false,
    from: sourcesOf(graph),
    to: graph.targets,
    weights: graph.weights ?? new Float64Array(graph.targets.length).fill(1),
  });
  return { nodeCount, offsets, targets, weights, out, into: inStrengths(graph) };
};

interface LevelOptions {
  readonly resolution: number;
  readonly threshold: number;
  readonly random: (() => number) | null;
  readonly progress: (share: number) => void;
}

/**
 * Goes through the nodes and moves each to the community it gains most by, until a whole pass gains no more than the
 * threshold. After the first pass only nodes next to a move are looked at again.
 */
const moveNodes = (level: Level, { resolution, threshold, random, progress }: LevelOptions): Communities => {
  const { nodeCount, offsets, targets, weights, out, into } = level;
  const sum = out.reduce((a, b) => a + b, 0);
  const total = into === null ? sum / 2 : sum;
  const scale = resolution / sum;
  // Gains below the precision of the sums would let nodes move to and fro for ever.
  const least = 1e-12 * Math.abs(total);
  const community = new Uint32Array(nodeCount);
  // Per community: weight of the edges to it from the current node, then the sum of `out`. They are used together.
  const sums = new Float64Array(2 * nodeCount);
  const sumInto = into?.slice() ?? null;
  const waiting = new Uint8Array(nodeCount).fill(1);
  for (let node = 0; node < nodeCount; node++) {
    community[node] = node;
    sums[2 * node + 1] = out[node]!;
  }
  const order = random === null ? null : sample(nodeCount, nodeCount, random);
  const near = new Uint32Array(nodeCount);
  /** What joining a community costs, in units of 1 / total; only differences matter. */
  const cost = (node: number, group: number): number =>
    into === null || sumInto === null
      ? scale * out[node]! * sums[2 * group + 1]!
      : scale * (out[node]! * sumInto[group]! + into[node]! * sums[2 * group + 1]!);
  let gain = 0;
  for (let pass = 0, gained = Infinity; gained > Math.max(0, threshold * total); pass++) {
    gained = 0;
    for (let place = 0; place < nodeCount; place++) {
      const node = order === null ? place : order[place]!;
      if (waiting[node] === 0) continue;
      waiting[node] = 0;
      const own = community[node]!;
      const first = offsets[node]!;
      const end = offsets[node + 1]!;
      let nearSize = 0;
      for (let edge = first; edge < end; edge++) {
        const other = targets[edge]!;
        if (other === node) continue;
        const group = community[other]!;
        const known = sums[2 * group]!;
        if (known === 0) near[nearSize++] = group;
        sums[2 * group] = known + (weights === null ? 1 : weights[edge]!);
      }
      sums[2 * own + 1]! -= out[node]!;
      if (into !== null && sumInto !== null) sumInto[own]! -= into[node]!;
      const ownGain = sums[2 * own]! - cost(node, own);
      let best = own;
      let bestGain = ownGain;
      for (let at = 0; at < nearSize; at++) {
        const group = near[at]!;
        const groupGain = sums[2 * group]! - cost(node, group);
        if (groupGain > bestGain + least) {
          bestGain = groupGain;
          best = group;
        }
      }
      for (let at = 0; at < nearSize; at++) sums[2 * near[at]!] = 0;
      sums[2 * best + 1]! += out[node]!;
      if (into !== null && sumInto !== null) sumInto[best]! += into[node]!;
      if (best === own) continue;
      gained += bestGain - ownGain;
      community[node] = best;
      for (let edge = first; edge < end; edge++) {
        const other = targets[edge]!;
        if (community[other] !== best) waiting[other] = 1;
      }
    }
    gain += gained / total;
    progress(1 - 1 / (pass + 2));
  }
  return { ...renumbered(community), gain };
};

const renumbered = (community: Uint32Array): Omit<Communities, 'gain'> => {
  const numbers = new Int32Array(community.length).fill(-1);
  const labels = new Uint32Array(community.length);
  let count = 0;
  for (let node = 0; node < labels.length; node++) {
    const group = community[node]!;
    if (numbers[group]! < 0) numbers[group] = count++;
    labels[node] = numbers[group]!;
  }
  return { labels, count };
};

/** Communities become nodes; edges between the same two are added up. */
const aggregated = (level: Level, { labels, count }: Communities): Level => {
  const { nodeCount, offsets, targets, weights } = level;
  const summed = (values: Float64Array): Float64Array => {
    const sums = new Float64Array(count);
    for (let node = 0; node < nodeCount; node++) sums[labels[node]!]! += values[node]!;
    return sums;
  };
  const members = membersOf(labels, count);
  let between = 0;
  for (let node = 0; node < nodeCount; node++) {
    const group = labels[node]!;
    for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) if (labels[targets[edge]!] !== group) between++;
  }
  const starts = new Uint32Array(count + 1);
  const neighbours = new Uint32Array(between);
  const shared = new Float64Array(between);
  /** Where the entry of a community is in the current row, if it lies there. */
  const entries = new Uint32Array(count);
  let size = 0;
  for (let group = 0, place = 0; group < count; group++) {
    const rowStart = size;
    for (; place < nodeCount && labels[members[place]!] === group; place++) {
      const node = members[place]!;
      const end = offsets[node + 1]!;
      for (let edge = offsets[node]!; edge < end; edge++) {
        const other = labels[targets[edge]!]!;
        if (other === group) continue;
        const weight = weights === null ? 1 : weights[edge]!;
        const entry = entries[other]!;
        if (entry >= rowStart && entry < size && neighbours[entry] === other) shared[entry]! += weight;
        else {
          entries[other] = size;
          neighbours[size] = other;
          shared[size++] = weight;
        }
      }
    }
    starts[group + 1] = size;
  }
  return {
    nodeCount: count,
    offsets: starts,
    targets: neighbours.subarray(0, size),
    weights: shared.subarray(0, size),
    out: summed(level.out),
    into: level.into === null ? null : summed(level.into),
  };
};

/** The nodes of community 0, then those of 1, …, each in their order. */
const membersOf = (labels: Uint32Array, count: number): Uint32Array => {
  const next = new Uint32Array(count + 1);
  for (let node = 0; node < labels.length; node++) next[labels[node]! + 1]!++;
  for (let group = 0; group < count; group++) next[group + 1]! += next[group]!;
  const members = new Uint32Array(labels.length);
  for (let node = 0; node < labels.length; node++) members[next[labels[node]!]!++] = node;
  return members;
};
