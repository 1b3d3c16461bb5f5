import { type CompactGraph } from './compact-graph';
import { createSearch } from './search';

/**
 * All shortest paths from one node: nodes by their place in the order of distance, and from each place the steps that
 * shortest paths take. Places rather than nodes index everything, so that what is used together lies together.
 */
export interface ShortestSteps {
  /** Answers how many nodes are reached, the source included, which has place 0. */
  readonly from: (source: number) => number;
  /** Node of each place. */
  readonly order: Uint32Array;
  /** The steps of a place end here and begin where those of the place before end. */
  readonly ends: Uint32Array;
  /** Place each step leads to. */
  readonly targets: Uint32Array;
  /** Entry of the graph's `targets` each step goes over; empty unless asked for. */
  readonly edges: Uint32Array;
  /** Number of shortest paths from the source to each place. */
  readonly paths: Float64Array;
}

/** By the number of edges, or by the sum of weights, which must be above zero. */
export const createShortestSteps = (graph: CompactGraph, withEdges: boolean): ShortestSteps => {
  const { nodeCount, offsets, targets, weights } = graph;
  const search = weights === null ? null : createSearch(graph);
  const steps = {
    order: search?.order ?? new Uint32Array(nodeCount),
    ends: new Uint32Array(nodeCount),
    targets: new Uint32Array(targets.length),
    edges: new Uint32Array(withEdges ? targets.length : 0),
    paths: new Float64Array(nodeCount),
  };
  const { order, ends, paths } = steps;
  const places = new Int32Array(nodeCount);

  const breadthFirst = (source: number): number => {
    places.fill(-1);
    paths.fill(0);
    order[0] = source;
    places[source] = 0;
    paths[0] = 1;
    let [reached, levelEnd, size] = [1, 1, 0];
    for (let place = 0; place < reached; place++) {
      if (place === levelEnd) levelEnd = reached;
      const node = order[place]!;
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        const target = targets[edge]!;
        let next = places[target]!;
        if (next < 0) {
          next = reached++;
          places[target] = next;
          order[next] = target;
        } else if (next < levelEnd) continue;
        paths[next]! += paths[place]!;
        if (withEdges) steps.edges[size] = edge;
        steps.targets[size++] = next;
      }
      ends[place] = size;
    }
    return reached;
  };

  const byWeight = (source: number): number => {
    if (search === null || weights === null) return 0;
    const reached = search.from(source);
    const { distances } = search;
    paths.fill(0);
    paths[0] = 1;
    for (let place = 0; place < reached; place++) places[order[place]!] = place;
    let size = 0;
    for (let place = 0; place < reached; place++) {
      const node = order[place]!;
      for (let edge = offsets[node]!; edge < offsets[node + 1]!; edge++) {
        const target = targets[edge]!;
        if (distances[node]! + weights[edge]! !== distances[target]!) continue;
        const next = places[target]!;
        paths[next]! += paths[place]!;
        if (withEdges) steps.edges[size] = edge;
        steps.targets[size++] = next;
      }
      ends[place] = size;
    }
    return reached;
  };

  return { ...steps, from: weights === null ? breadthFirst : byWeight };
};
