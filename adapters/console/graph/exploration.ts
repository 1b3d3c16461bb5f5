import { type DrawnEdge, type DrawnGraph, type DrawnNode, partOf } from './drawn-graph';

/** What is known of a graph, from queries and expansions, and what of it is to be seen. */
export interface Exploration {
  readonly nodes: ReadonlyMap<string, DrawnNode>;
  readonly edges: ReadonlyMap<string, DrawnEdge>;
  /** Nodes asked for one by one: drawn whatever the limit. */
  readonly wanted: ReadonlySet<string>;
  readonly hidden: ReadonlySet<string>;
}

export const NOTHING_EXPLORED: Exploration = {
  nodes: new Map(),
  edges: new Map(),
  wanted: new Set(),
  hidden: new Set(),
};

/** With a graph that was found. Known nodes keep their place in the order, and get the newer properties. */
export const withGraph = (before: Exploration, found: DrawnGraph): Exploration => {
  const nodes = new Map(before.nodes);
  for (const node of found.nodes) if (!node.isStub || !nodes.has(node.id)) nodes.set(node.id, node);
  return {
    ...before,
    nodes,
    edges: new Map([...before.edges, ...found.edges.map((edge) => [edge.id, edge] as const)]),
  };
};

/** With nodes that are to be seen: of an expansion, or of a path. */
export const withWanted = (before: Exploration, found: DrawnGraph): Exploration => {
  const ids = found.nodes.map(({ id }) => id);
  const hidden = new Set(before.hidden);
  for (const id of ids) hidden.delete(id);
  return { ...withGraph(before, found), wanted: new Set([...before.wanted, ...ids]), hidden };
};

export const withoutNode = (before: Exploration, id: string): Exploration => ({
  ...before,
  hidden: new Set([...before.hidden, id]),
});

/** The first `limit` nodes and those wanted, without the hidden ones. */
export const visibleGraph = ({ nodes, edges, wanted, hidden }: Exploration, limit: number): DrawnGraph => {
  const first = new Set([...nodes.keys()].slice(0, limit));
  const all = { nodes: [...nodes.values()], edges: [...edges.values()] };
  return partOf(all, ({ id }) => (first.has(id) || wanted.has(id)) && !hidden.has(id));
};
