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
