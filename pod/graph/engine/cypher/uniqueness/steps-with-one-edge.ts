import { type EdgeTable, type GraphSchema } from '../../graph-schema';
import { type Step } from '../steps';
import { type NodePattern } from '../tree';

/** Two steps of one MATCH that can bind the same edge. */
export type StepPair = readonly [Step, Step];

/** The pairs of a MATCH's steps that can bind the same edge of a graph. */
export const stepsWithOneEdge = (steps: readonly Step[], schema: GraphSchema): readonly StepPair[] =>
  steps.flatMap((first, index) =>
    steps
      .slice(index + 1)
      .filter((second) => canBindOneEdge(first, second, steps, schema))
      .map((second) => [first, second] as const),
  );

const canBindOneEdge = (first: Step, second: Step, steps: readonly Step[], schema: GraphSchema): boolean => {
  const types = tablesOf(first, schema).filter((table) => tablesOf(second, schema).includes(table));
  if (first.length !== null || second.length !== null) return types.length > 0;
  return types.some((table) =>
    endsOf(first).some((ends) => endsOf(second).some((others) => canMerge(ends, others, table, steps, schema))),
  );
};

const tablesOf = ({ types }: Step, { edgeTables }: GraphSchema): readonly EdgeTable[] =>
  types.length === 0 ? edgeTables : edgeTables.filter(({ type }) => types.some(({ text }) => text === type));

/** Where an edge begins and ends: each way in which a step may follow it. */
type Ends = readonly [NodePattern, NodePattern];

const endsOf = ({ left, right, direction }: Step): readonly Ends[] => {
  const forth: Ends = [left, right];
  const back: Ends = [right, left];
  if (direction === 'both') return [forth, back];
  return [direction === 'right' ? forth : back];
};

/** Whether the pattern can match when two of its steps are one edge of a table, so that their ends are the same nodes. */
const canMerge = (ends: Ends, others: Ends, table: EdgeTable, steps: readonly Step[], schema: GraphSchema): boolean => {
  const merged = new Map<NodeKey, NodeKey>();
  const rootOf = (key: NodeKey): NodeKey => {
    const next = merged.get(key);
    return next === undefined ? key : rootOf(next);
  };
  for (const at of [0, 1] as const) {
    const [one, other] = [rootOf(keyOf(ends[at])), rootOf(keyOf(others[at]))];
    if (one !== other) merged.set(one, other);
  }
  const allowed = labelsByNode(steps, rootOf);
  const canHave = (node: NodePattern, label: string): boolean =>
    allowed.get(rootOf(keyOf(node)))?.every((labels) => labels.includes(label)) ?? true;
  const fits = ([from, to]: Ends, { fromNode, toNode, hasLoops }: EdgeTable): boolean =>
    canHave(from, fromNode) && canHave(to, toNode) && (hasLoops || rootOf(keyOf(from)) !== rootOf(keyOf(to)));
  return (
    fits(ends, table) &&
    steps
      .filter(({ length }) => length === null)
      .every((step) => endsOf(step).some((way) => tablesOf(step, schema).some((other) => fits(way, other))))
  );
};

/** A node's name, or the node itself if it has none. */
type NodeKey = string | NodePattern;

const keyOf = (node: NodePattern): NodeKey => node.name?.text ?? node;

/** The labels that are written at each node, one list for each place. A node has one label. */
const labelsByNode = (
  steps: readonly Step[],
  rootOf: (key: NodeKey) => NodeKey,
): ReadonlyMap<NodeKey, readonly (readonly string[])[]> => {
  const found = new Map<NodeKey, (readonly string[])[]>();
  for (const node of steps.flatMap(({ left, right }) => [left, right])) {
    if (node.labels === null) continue;
    const root = rootOf(keyOf(node));
    const names = node.labels.names.map(({ text }) => text);
    found.set(root, [
      ...(found.get(root) ?? []),
      ...(node.labels.of === 'any' ? [names] : names.map((name) => [name])),
    ]);
  }
  return found;
};
