/** A node of a drawing. `properties` are its own, without the fields that name it. */
export interface DrawnNode {
  readonly id: string;
  readonly label: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Only an end of a relationship in the answer: its properties are unknown. */
  readonly isStub: boolean;
}

export interface DrawnEdge {
  readonly id: string;
  readonly type: string;
  readonly from: string;
  readonly to: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface DrawnGraph {
  readonly nodes: readonly DrawnNode[];
  readonly edges: readonly DrawnEdge[];
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutMarks = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).filter(([name, one]) => !name.startsWith('_') && one !== null));

const labelIn = (id: string): string => id.slice(0, Math.max(id.indexOf(':'), 0)) || 'node';

/** The nodes and relationships anywhere in a value, without duplicates, in their order. */
export const graphIn = (found: unknown): DrawnGraph => {
  const nodes = new Map<string, DrawnNode>();
  const edges = new Map<string, DrawnEdge>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isRecord(value)) return;
    const { _id: id, _label: label, _type: type, _src, _dst, _from, _to } = value;
    const [from, to] = [_src ?? _from, _dst ?? _to];
    if (typeof id === 'string' && typeof label === 'string') {
      if (nodes.get(id)?.isStub !== false) nodes.set(id, { id, label, properties: withoutMarks(value), isStub: false });
    } else if (
      typeof id === 'string' &&
      typeof type === 'string' &&
      typeof from === 'string' &&
      typeof to === 'string'
    ) {
      edges.set(id, { id, type, from, to, properties: withoutMarks(value) });
      for (const end of [from, to]) {
        if (!nodes.has(end)) nodes.set(end, { id: end, label: labelIn(end), properties: {}, isStub: true });
      }
    } else Object.values(value).forEach(visit);
  };
  visit(found);
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
};

/** The nodes that pass the filter, and the edges between them. */
export const partOf = ({ nodes, edges }: DrawnGraph, holds: (node: DrawnNode) => boolean): DrawnGraph => {
  const kept = nodes.filter(holds);
  const ids = new Set(kept.map(({ id }) => id));
  return { nodes: kept, edges: edges.filter(({ from, to }) => ids.has(from) && ids.has(to)) };
};

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
