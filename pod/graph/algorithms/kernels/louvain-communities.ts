import { right } from 'fp-ts/Either';
import { buildCompactGraph, type CompactGraph, reversed, sourcesOf, weightOf } from '../graph/compact-graph';
import { inStrengths, outStrengths } from '../graph/degrees';
import { numberedGroups } from '../graph/partition';
import { createRandom, sample } from '../graph/random';
import { kernel } from '../kernel';
import { real, seed, wholeOrNull } from '../signature';
import { modularity } from './modularity';

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
    const membership = new Uint32Array(graph.nodeCount).map((_, node) => node);
    if (graph.targets.length === 0) return right({ type: 'node_values', values: membership });
    let level = graph;
    let reached = modularity(graph, membership, resolution);
    for (let count = 1; mostLevels === null || count <= mostLevels; count++) {
      const communities = moveNodes(level, resolution, random, (share) => progress(1 - (1 - share / 2) / count));
      if (communities === null) break;
      for (const [node, group] of membership.entries()) membership[node] = communities.labels[group]!;
      const gained = modularity(level, communities.labels, resolution);
      if (gained - reached <= threshold) break;
      reached = gained;
      level = aggregated(level, communities);
    }
    return right({ type: 'node_values', values: numberedGroups(membership) });
  },
});

interface Communities {
  readonly labels: Uint32Array;
  readonly count: number;
}

/** One level: moves nodes until none gains. Null when none has moved. Only nodes near a move are looked at again. */
const moveNodes = (
  graph: CompactGraph,
  resolution: number,
  random: (() => number) | null,
  progress: (share: number) => void,
): Communities | null => {
  const { nodeCount, directed } = graph;
  const sides = directed ? [graph, reversed(graph)] : [graph];
  const out = outStrengths(graph);
  const into = directed ? inStrengths(graph) : out;
  const total = directed ? out.reduce((a, b) => a + b, 0) : out.reduce((a, b) => a + b, 0) / 2;
  const scale = resolution / (directed ? total : 2 * total);
  const community = new Uint32Array(nodeCount).map((_, node) => node);
  const sumOut = out.slice();
  const sumIn = directed ? into.slice() : sumOut;
  const towards = new Float64Array(nodeCount);
  const near = new Uint32Array(nodeCount);
  const queue =
    random === null ? new Uint32Array(nodeCount).map((_, node) => node) : sample(nodeCount, nodeCount, random);
  const queued = new Uint8Array(nodeCount).fill(1);
  let moved = false;
  let head = 0;
  let waiting = nodeCount;
  for (let steps = 0; waiting > 0; steps++) {
    const node = queue[head]!;
    head = head + 1 === nodeCount ? 0 : head + 1;
    waiting--;
    queued[node] = 0;
    const own = community[node]!;
    let nearSize = 0;
    for (const { offsets, targets, weights } of sides) {
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        const other = targets[edge]!;
        if (other === node) continue;
        const group = community[other]!;
        if (towards[group] === 0) near[nearSize++] = group;
        towards[group]! += weights === null ? 1 : weights[edge]!;
      }
    }
    sumOut[own]! -= out[node]!;
    if (directed) sumIn[own]! -= into[node]!;
    // Gain of joining a group, in units of 1 / total; only differences matter.
    const outShare = out[node]! * scale;
    const inShare = directed ? into[node]! * scale : 0;
    let best = own;
    const gainOf = (group: number): number =>
      towards[group]! - outShare * sumIn[group]! - (directed ? inShare * sumOut[group]! : 0);
    let bestGain = gainOf(own);
    for (let at = 0; at < nearSize; at++) {
      const group = near[at]!;
      const gain = gainOf(group);
      if (gain > bestGain + 1e-12) {
        bestGain = gain;
        best = group;
      }
    }
    for (let at = 0; at < nearSize; at++) towards[near[at]!] = 0;
    sumOut[best]! += out[node]!;
    if (directed) sumIn[best]! += into[node]!;
    if (steps % nodeCount === 0) progress(1 - waiting / nodeCount);
    if (best === own) continue;
    moved = true;
    community[node] = best;
    for (const { offsets, targets } of sides) {
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        const other = targets[edge]!;
        if (queued[other] === 1 || community[other] === best) continue;
        queued[other] = 1;
        queue[(head + waiting) % nodeCount] = other;
        waiting++;
      }
    }
  }
  return moved ? renumbered(community) : null;
};

const renumbered = (community: Uint32Array): Communities => {
  const numbers = new Int32Array(community.length).fill(-1);
  let count = 0;
  const labels = community.map((group) => {
    if (numbers[group]! < 0) numbers[group] = count++;
    return numbers[group]!;
  });
  return { labels, count };
};

/** Communities become nodes; edges between them are added up, those inside one become its self-loop. */
const aggregated = (graph: CompactGraph, { labels, count }: Communities): CompactGraph => {
  const sources = sourcesOf(graph);
  let size = 0;
  const from = new Uint32Array(sources.length);
  const to = new Uint32Array(sources.length);
  const weights = new Float64Array(sources.length);
  for (let edge = 0; edge < sources.length; edge++) {
    const [source, target] = [sources[edge]!, graph.targets[edge]!];
    // An undirected edge is listed twice and wanted once.
    if (!graph.directed && source > target) continue;
    from[size] = labels[source]!;
    to[size] = labels[target]!;
    weights[size++] = weightOf(graph, edge);
  }
  return buildCompactGraph({
    nodeCount: count,
    directed: graph.directed,
    from: from.subarray(0, size),
    to: to.subarray(0, size),
    weights: weights.subarray(0, size),
  });
};
