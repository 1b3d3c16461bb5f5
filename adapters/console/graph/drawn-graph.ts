/** A node of a drawing. `properties` are its own, without the fields that name it. */
export interface DrawnNode {
  readonly id: string;
  readonly label: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Only an end of a relationship in the answer: its properties are not known. */
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
  /** Nodes of the answer, drawn or not. */
  readonly total: number;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const withoutMarks = (value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(value).filter(([name, one]) => !name.startsWith('_') && one !== null));

const labelIn = (id: string): string => id.slice(0, Math.max(id.indexOf(':'), 0)) || 'node';

/** The nodes and relationships in the rows of an answer, each once; at most `limit` nodes, in their order. */
export const graphOfRows = (rows: readonly (readonly unknown[])[], limit: number): DrawnGraph => {
  const nodes = new Map<string, DrawnNode>();
  const edges = new Map<string, DrawnEdge>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isRecord(value)) return;
    const { _id: id, _label: label, _type: type, _src: from, _dst: to } = value;
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
  rows.forEach((row) => row.forEach(visit));
  const drawn = new Map([...nodes].slice(0, limit));
  return {
    nodes: [...drawn.values()],
    edges: [...edges.values()].filter(({ from, to }) => drawn.has(from) && drawn.has(to)),
    total: nodes.size,
  };
};

const CAPTIONS = ['name', 'title', 'label', 'caption', 'full_name', 'username', 'email'];
const MAX_CAPTION = 40;

/** What is written at a node: a name if it has one, else its key. */
export const captionOf = ({ id, properties }: DrawnNode): string => {
  const named = CAPTIONS.find((name) => typeof properties[name] === 'string');
  const text = named === undefined ? id.slice(id.indexOf(':') + 1) : String(properties[named]);
  return text.length > MAX_CAPTION ? `${text.slice(0, MAX_CAPTION)}…` : text;
};

/** Colours that differ on light and dark, also by most people who do not see red and green alike. */
const PALETTE = ['#1098ad', '#f08c00', '#7048e8', '#e64980', '#2f9e44', '#3b5bdb', '#c2255c', '#868e96'];

/** A colour for every label, the same while the labels are. */
export const coloursOf = (labels: Iterable<string>): ReadonlyMap<string, string> =>
  new Map([...new Set(labels)].sort().map((label, index) => [label, PALETTE[index % PALETTE.length] ?? '#868e96']));

/** Labels with their number of nodes, the most frequent first. */
export const countsByLabel = (nodes: readonly DrawnNode[]): readonly (readonly [label: string, count: number])[] => {
  const counts = new Map<string, number>();
  for (const { label } of nodes) counts.set(label, (counts.get(label) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]);
};
