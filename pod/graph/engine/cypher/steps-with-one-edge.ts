import { type EdgeTable, type GraphSchema } from '../graph-schema';
import { edgeTablesOf, type Ends, endsOf, JoinedNodes, type NodeKey, type Step } from './steps';
import { type NodePattern } from './tree';

/** The pairs of a MATCH's steps that can bind the same edge of a graph. */
export const stepsWithOneEdge = (steps: readonly Step[], schema: GraphSchema): readonly (readonly [Step, Step])[] =>
  steps.flatMap((first, index) =>
    steps
      .slice(index + 1)
      .filter((second) => canBindOneEdge(first, second, steps, schema))
      .map((second) => [first, second] as const),
  );

const canBindOneEdge = (first: Step, second: Step, steps: readonly Step[], schema: GraphSchema): boolean => {
  const types = edgeTablesOf(first, schema).filter((table) => edgeTablesOf(second, schema).includes(table));
  if (first.length !== null || second.length !== null) return types.length > 0;
  return types.some((table) =>
    endsOf(first).some((ends) => endsOf(second).some((others) => canMerge(ends, others, table, steps, schema))),
  );
};

/** Whether the pattern can match if two of its steps are one edge of a table, so that their ends are the same nodes. */
const canMerge = (ends: Ends, others: Ends, table: EdgeTable, steps: readonly Step[], schema: GraphSchema): boolean => {
  const merged = new JoinedNodes();
  for (const at of [0, 1] as const) merged.join(ends[at], others[at]);
  const allowed = labelsByNode(steps, merged);
  const canHave = (node: NodePattern, label: string): boolean =>
    allowed.get(merged.oneOf(node))?.every((labels) => labels.includes(label)) ?? true;
  const fits = ([from, to]: Ends, { fromNode, toNode, hasLoops }: EdgeTable): boolean =>
    canHave(from, fromNode) && canHave(to, toNode) && (hasLoops || merged.oneOf(from) !== merged.oneOf(to));
  return (
    fits(ends, table) &&
    steps
      .filter(({ length }) => length === null)
      .every((step) => endsOf(step).some((way) => edgeTablesOf(step, schema).some((other) => fits(way, other))))
  );
};

/** The labels in the pattern of each node, one list per place. A node has one label. */
const labelsByNode = (
  steps: readonly Step[],
  merged: JoinedNodes,
): ReadonlyMap<NodeKey, readonly (readonly string[])[]> => {
  const found = new Map<NodeKey, (readonly string[])[]>();
  for (const node of steps.flatMap(({ left, right }) => [left, right])) {
    if (node.labels === null) continue;
    const root = merged.oneOf(node);
    const names = node.labels.names.map(({ text }) => text);
    found.set(root, [
      ...(found.get(root) ?? []),
      ...(node.labels.of === 'any' ? [names] : names.map((name) => [name])),
    ]);
  }
  return found;
};
