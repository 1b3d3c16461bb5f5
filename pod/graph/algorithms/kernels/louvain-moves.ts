import { sample } from '../graph/random';
import { type Communities, type Level } from './louvain-level';

interface MoveOptions {
  readonly resolution: number;
  readonly threshold: number;
  readonly random: () => number;
  /** Whether the nodes are visited in a random order. */
  readonly shuffled: boolean;
  readonly progress: (share: number) => void;
}

/** A pass that gains less than this share of the gain of its level is the last one of the level. */
const LEAST_SHARE = 0.003;

/**
 * Moves nodes to communities in which they increase the modularity: first each to that of one random neighbour, which
 * achieves most of the gain in a third of the time (Traag, "Faster unfolding of communities", 2015), then each to the
 * best neighbouring one, until a pass gains little. After that the next level, which has fewer nodes, gains more. A
 * node is visited again only after a neighbour has moved to another community.
 */
export const moveNodes = (level: Level, options: MoveOptions): Communities => {
  const { nodeCount } = level;
  const { threshold, random, shuffled, progress } = options;
  const { total, community, waiting, joinRandomNeighbour, joinBestCommunity } = createMoves(level, options);
  const order = shuffled ? sample(nodeCount, nodeCount, random) : null;
  let gain = 0;
  for (let pass = 0; ; pass++) {
    let gained = 0;
    for (let place = 0; place < nodeCount; place++) {
      const node = order === null ? place : order[place]!;
      if (pass === 0) gained += joinRandomNeighbour(node);
      else if (waiting[node] === 1) gained += joinBestCommunity(node);
    }
    gain += gained;
    progress(1 - 1 / (pass + 2));
    if (pass > 0 && !(gained > Math.max(0, threshold * total, LEAST_SHARE * gain))) break;
  }
  return { ...renumbered(community), gain: gain / total };
};

/** Every node in its own community, and the functions to move nodes. */
const createGroups = ({ nodeCount, out, into }: Level, resolution: number) => {
  const sum = out.reduce((a, b) => a + b, 0);
  const scale = resolution / sum;
  const community = new Uint32Array(nodeCount);
  // Per community: weight of the edges to it from the current node, then the sum of `out`. They are used together.
  const sums = new Float64Array(2 * nodeCount);
  const sumInto = into?.slice() ?? null;
  for (let node = 0; node < nodeCount; node++) {
    community[node] = node;
    sums[2 * node + 1] = out[node]!;
  }
  const leave = (node: number, group: number): void => {
    sums[2 * group + 1]! -= out[node]!;
    if (into !== null && sumInto !== null) sumInto[group]! -= into[node]!;
  };
  const join = (node: number, group: number): void => {
    sums[2 * group + 1]! += out[node]!;
    if (into !== null && sumInto !== null) sumInto[group]! += into[node]!;
    community[node] = group;
  };
  /** The cost of membership in a community; only differences matter. */
  const cost = (node: number, group: number): number =>
    into === null || sumInto === null
      ? scale * out[node]! * sums[2 * group + 1]!
      : scale * (out[node]! * sumInto[group]! + into[node]! * sums[2 * group + 1]!);
  return { total: into === null ? sum / 2 : sum, community, sums, leave, join, cost };
};

/**
 * Both ways to move one node. Each returns the increase of the modularity, in units of 1 / total. They are called for
 * every node, so they share their arrays as closures instead of receiving them at each call.
 */
// oxlint-disable-next-line max-lines-per-function -- A shared closure is faster in the innermost loop.
const createMoves = (level: Level, { resolution, random }: MoveOptions) => {
  const { nodeCount, offsets, targets, weights } = level;
  const { total, community, sums, leave, join, cost } = createGroups(level, resolution);
  // Gains below the precision of the sums would move nodes back and forth without end.
  const least = 1e-12 * Math.abs(total);
  const waiting = new Uint8Array(nodeCount).fill(1);
  const near = new Uint32Array(nodeCount);

  const joinRandomNeighbour = (node: number): number => {
    const first = offsets[node]!;
    const end = offsets[node + 1]!;
    if (first === end) return 0;
    const own = community[node]!;
    const drawn = community[targets[first + Math.floor(random() * (end - first))]!]!;
    if (drawn === own) return 0;
    let [toOwn, toDrawn] = [0, 0];
    for (let edge = first; edge < end; edge++) {
      const other = targets[edge]!;
      if (other === node) continue;
      const group = community[other]!;
      if (group === drawn) toDrawn += weights === null ? 1 : weights[edge]!;
      else if (group === own) toOwn += weights === null ? 1 : weights[edge]!;
    }
    leave(node, own);
    const gain = toDrawn - cost(node, drawn) - (toOwn - cost(node, own));
    join(node, gain > least ? drawn : own);
    return gain > least ? gain : 0;
  };

  const joinBestCommunity = (node: number): number => {
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
    leave(node, own);
    const ownGain = sums[2 * own]! - cost(node, own);
    let best = own;
    let bestGain = ownGain;
    for (let at = 0; at < nearSize; at++) {
      const group = near[at]!;
      const gain = sums[2 * group]! - cost(node, group);
      if (gain > bestGain + least) {
        bestGain = gain;
        best = group;
      }
    }
    for (let at = 0; at < nearSize; at++) sums[2 * near[at]!] = 0;
    join(node, best);
    if (best === own) return 0;
    for (let edge = first; edge < end; edge++) {
      const other = targets[edge]!;
      if (community[other] !== best) waiting[other] = 1;
    }
    return bestGain - ownGain;
  };

  return { total, community, waiting, joinRandomNeighbour, joinBestCommunity };
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
