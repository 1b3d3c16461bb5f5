import { type DrawnEdge, type DrawnGraph, type DrawnNode, partOf } from './drawn-graph';

/** The known part of a graph, from queries and expansions, and its visible part. */
export interface Exploration {
  readonly nodes: ReadonlyMap<string, DrawnNode>;
  readonly edges: ReadonlyMap<string, DrawnEdge>;
  /** Nodes requested individually: always drawn, regardless of the limit. */
  readonly requested: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
}

export const NOTHING_EXPLORED: Exploration = {
  nodes: new Map(),
  edges: new Map(),
  requested: new Set(),
  hidden: new Set(),
};

/** Adds a found graph. Known nodes keep their position in the order, and get the newer properties. */
export const withGraph = (before: Exploration, found: DrawnGraph): Exploration => {
  const nodes = new Map(before.nodes);
  for (const node of found.nodes) if (!node.isStub || !nodes.has(node.id)) nodes.set(node.id, node);
  return {
    ...before,
    nodes,
    edges: new Map([...before.edges, ...found.edges.map((edge) => [edge.id, edge] as const)]),
  };
};

/** Adds nodes that must be visible: of an expansion, or of a path. */
export const withRequested = (before: Exploration, found: DrawnGraph): Exploration => {
  const ids = found.nodes.map(({ id }) => id);
  const hidden = new Set(before.hidden);
  for (const id of ids) hidden.delete(id);
  return { ...withGraph(before, found), requested: new Set([...before.requested, ...ids]), hidden };
};

export const withoutNode = (before: Exploration, id: string): Exploration => ({
  ...before,
  hidden: new Set([...before.hidden, id]),
});

/** The first `limit` nodes and the requested ones, without hidden ones. */
export const visibleGraph = ({ nodes, edges, requested, hidden }: Exploration, limit: number): DrawnGraph => {
  const first = new Set([...nodes.keys()].slice(0, limit));
  const all = { nodes: [...nodes.values()], edges: [...edges.values()] };
  return partOf(all, ({ id }) => (first.has(id) || requested.has(id)) && !hidden.has(id));
};
